"""Every reason an executor may end with: one closed tree, one sentence each.

    request   the call itself: arguments, handles, limits of what may be open
    site      the page or server could not be used
    control   a control on the page could not be used safely
    login     signing in
    records   collecting records
    model     the local model
    vault     the credential store
    file      reading and writing files
    run       the life of a run
    system    Remit's own machine

A reason is a fact Remit established, in Remit's words. It never quotes a page, a value or a model.
"""

from __future__ import annotations

from enum import StrEnum


class Branch(StrEnum):
    """The first level of the tree."""

    REQUEST = "request"
    SITE = "site"
    CONTROL = "control"
    LOGIN = "login"
    RECORDS = "records"
    MODEL = "model"
    VAULT = "vault"
    FILE = "file"
    RUN = "run"
    SYSTEM = "system"


class Reason(StrEnum):
    """A closed code; `.branch` is its place in the tree and `.sentence` what a person reads."""

    branch: Branch
    sentence: str

    def __new__(cls, code: str, branch: Branch, sentence: str) -> Reason:
        """Make a member that is its code, and carries its branch and sentence."""
        member = str.__new__(cls, code)
        member._value_ = code
        member.branch = branch
        member.sentence = sentence
        return member

    @classmethod
    def of(cls, code: str) -> Reason:
        """The reason with this code. Raises KeyError where there is none."""
        return {reason.value: reason for reason in cls}[code]

    # request
    INVALID_ARGUMENTS = "invalid_arguments", Branch.REQUEST, "The arguments do not fit this tool's schema."
    UNKNOWN_SESSION = "unknown_session", Branch.REQUEST, "There is no open session with this id."
    UNKNOWN_RUN = "unknown_run", Branch.REQUEST, "There is no run with this id."
    UNKNOWN_DATASET = "unknown_dataset", Branch.REQUEST, "There is no dataset with this id."
    UNKNOWN_CREDENTIAL = "unknown_credential", Branch.REQUEST, "There is no stored credential with this id."
    TOO_MANY_SESSIONS = "too_many_sessions", Branch.REQUEST, "As many sessions as allowed are open; close one first."
    BAD_ADDRESS = "bad_address", Branch.REQUEST, "The address is not an http or https address Remit may open."
    NOT_ALLOWED = "not_allowed", Branch.REQUEST, "The executor's manifest does not grant this."
    SESSION_BUSY = "session_busy", Branch.REQUEST, "Another run is using this session."

    # site
    SITE_UNREACHABLE = "site_unreachable", Branch.SITE, "The site could not be reached."
    SITE_TIMEOUT = "site_timeout", Branch.SITE, "The site did not answer in time."
    SITE_ERROR = "site_error", Branch.SITE, "The site answered with a server error."
    NOT_A_PAGE = "not_a_page", Branch.SITE, "The address leads to something that is not a page."
    LEFT_SITE = (
        "left_site",
        Branch.SITE,
        "The page is on an origin this session may not use; nothing was done there.",
    )
    MAINTENANCE = "maintenance", Branch.SITE, "The site says it is under maintenance."
    CONSENT_REQUIRED = (
        "consent_required",
        Branch.SITE,
        "The site only offers to accept cookies or pay; a person must choose.",
    )

    # control
    TARGET_CHANGED = (
        "target_changed",
        Branch.CONTROL,
        "The control changed before it could be used; nothing was clicked.",
    )
    CONTROL_GONE = "control_gone", Branch.CONTROL, "The control is no longer on the page."
    AMBIGUOUS = "ambiguous", Branch.CONTROL, "Several controls fit equally well; none was used."
    COVERED = "covered_by_overlay", Branch.CONTROL, "Something covers the control."
    CONTROL_DISABLED = "control_disabled", Branch.CONTROL, "The control is disabled; it was not used."
    NO_EFFECT = "no_effect", Branch.CONTROL, "The control was used and nothing observable changed."
    GOAL_NOT_SEEN = "goal_not_seen", Branch.CONTROL, "Controls were used, but the declared condition was not observed."

    # login
    NO_LOGIN_FORM = "no_login_form", Branch.LOGIN, "No way to a sign-in form was found; nothing was typed."
    NO_CREDENTIAL = "no_credential", Branch.LOGIN, "No credential is stored for this exact origin."
    SEVERAL_CREDENTIALS = (
        "several_credentials",
        Branch.LOGIN,
        "Several credentials are stored for this origin; name one.",
    )
    ORIGIN_NOT_ALLOWED = (
        "origin_not_allowed",
        Branch.LOGIN,
        "The form is on an origin the credential does not list; nothing was typed.",
    )
    FILL_MISMATCH = "fill_mismatch", Branch.LOGIN, "A field did not keep what was typed; nothing was submitted."
    SUBMIT_UNAVAILABLE = (
        "submit_unavailable",
        Branch.LOGIN,
        "The form has no usable submit control; nothing was submitted.",
    )
    REJECTED = "rejected", Branch.LOGIN, "The site rejected the credential."
    COOL_DOWN = "cool_down", Branch.LOGIN, "The site rejected this credential before; it is not sent again yet."
    CHALLENGE = "challenge", Branch.LOGIN, "The site asks to prove that a person is there."
    ONE_TIME_CODE = "one_time_code", Branch.LOGIN, "The site asks for a one-time code."
    CODE_REJECTED = "code_rejected", Branch.LOGIN, "The site rejected two one-time codes of different moments."
    PARTIAL_PASSWORD = "partial_password", Branch.LOGIN, "The site asks for single characters of the password."
    CHANGE_PASSWORD = "change_password", Branch.LOGIN, "The site asks to change the password."
    TERMS = "terms", Branch.LOGIN, "The site asks to accept terms."
    ACCOUNT_LOCKED = "account_locked", Branch.LOGIN, "The site says the account is locked."
    TOO_MANY_ATTEMPTS = "too_many_attempts", Branch.LOGIN, "The site says there were too many attempts."
    IDENTITY_MISMATCH = "identity_mismatch", Branch.LOGIN, "The page belongs to another account than the credential's."
    NOT_VERIFIED = "not_verified", Branch.LOGIN, "The form was submitted once, but being signed in was not observed."

    # records
    NO_RECORDS = "no_records", Branch.RECORDS, "No list with the requested fields was found."
    FIELDS_NOT_FOUND = "fields_not_found", Branch.RECORDS, "The list was found, but not all requested fields."
    SIGNED_OUT = "signed_out", Branch.RECORDS, "The site ended the session midway."
    COUNT_MISMATCH = "count_mismatch", Branch.RECORDS, "The site announces another number of records than were seen."
    TIME_LIMIT = "time_limit", Branch.RECORDS, "The time limit was reached."
    ACTION_LIMIT = "action_limit", Branch.RECORDS, "The limit of actions was reached."
    DEPTH_LIMIT = "depth_limit", Branch.RECORDS, "Further ways lay deeper than the limit."
    ROUTES_UNREAD = "routes_unread", Branch.RECORDS, "Some ways to further records were seen and not read."
    READING_LIMIT = "reading_limit", Branch.RECORDS, "The limit of what may be read was reached."
    UNREADABLE_VALUES = "unreadable_values", Branch.RECORDS, "Some values could not be read as their type."

    # model
    MODEL_UNAVAILABLE = "model_unavailable", Branch.MODEL, "No local model answers."
    MODEL_MISSING = "model_missing", Branch.MODEL, "The configured model is not installed in Ollama."
    MODEL_NOT_LOCAL = "model_not_local", Branch.MODEL, "The model or its host is not local, so it is not asked."
    MODEL_TIMEOUT = "model_timeout", Branch.MODEL, "The local model did not answer in time."
    MODEL_NO_ANSWER = "model_no_answer", Branch.MODEL, "The local model gave no admissible answer."
    MODEL_TRUNCATED = "model_truncated", Branch.MODEL, "The local model did not read the whole question."

    # vault
    VAULT_LOCKED = "vault_locked", Branch.VAULT, "The vault's key is not available."
    VAULT_WRONG_KEY = "vault_wrong_key", Branch.VAULT, "The key does not open this vault."
    VAULT_TAMPERED = "vault_tampered", Branch.VAULT, "The vault's files were changed from outside."
    VAULT_UNSAFE = "vault_unsafe", Branch.VAULT, "Others may read the vault's files; nothing was opened."
    VAULT_UNREADABLE = "vault_unreadable", Branch.VAULT, "The vault's files could not be read or written."
    BAD_CREDENTIAL = (
        "bad_credential",
        Branch.VAULT,
        "A credential needs a label, an origin, a password, and a sign-in address on one of its origins if it has one.",
    )
    BAD_TOTP = (
        "bad_totp",
        Branch.VAULT,
        "The one-time-code secret is missing, or is neither base32 nor an otpauth://totp address.",
    )

    # file
    FILE_EXISTS = "file_exists", Branch.FILE, "A file of this name exists; it was not changed."
    FILE_NAME = "file_name", Branch.FILE, "The file name is not one Remit may write."
    FILE_UNWRITABLE = "file_unwritable", Branch.FILE, "The file could not be written; nothing was left behind."
    FILE_TOO_LARGE = "file_too_large", Branch.FILE, "The data does not fit into one file of this kind."
    FILE_MISSING = "file_missing", Branch.FILE, "There is no spreadsheet of this name."
    FILE_LOCKED = "file_locked", Branch.FILE, "Another program has the file open; it was not changed."
    FILE_ENCRYPTED = "file_encrypted", Branch.FILE, "The file is protected by a password; it was not changed."
    FILE_KIND = "file_kind", Branch.FILE, "The file's content is not of the kind its name says; it was not changed."
    FILE_READ_ONLY = "file_read_only", Branch.FILE, "The file is read-only; it was not changed."
    FILE_OVER_LIMIT = "file_over_limit", Branch.FILE, "The file is larger than Remit reads; it was not changed."
    FILE_DAMAGED = "file_damaged", Branch.FILE, "The file could not be understood as a spreadsheet; it was not changed."
    FILE_CHANGED = "file_changed", Branch.FILE, "The file changed meanwhile; what was to be added was not."
    DOWNLOAD_FAILED = "download_failed", Branch.FILE, "The download did not complete; nothing was kept."
    DOWNLOAD_OVER_LIMIT = "download_over_limit", Branch.FILE, "The download is larger than Remit keeps; it was deleted."
    DOWNLOAD_REFUSED = (
        "download_refused",
        Branch.FILE,
        "What was downloaded is not what was asked, or not of a kind Remit keeps; it was deleted.",
    )
    SHEET_MISSING = "sheet_missing", Branch.FILE, "The workbook has no sheet of this name."
    HEADINGS_NOT_FOUND = (
        "headings_not_found",
        Branch.FILE,
        "No row holds headings that fit the fields; nothing was added.",
    )
    HEADINGS_AMBIGUOUS = (
        "headings_ambiguous",
        Branch.FILE,
        "Several rows, headings or fields fit equally well; none of these was chosen.",
    )
    UNKNOWN_FIELD = "unknown_field", Branch.FILE, "The dataset has no field of this name."
    WOULD_LOSE = "would_lose", Branch.FILE, "Adding rows would break something in the workbook; it was not changed."
    SERVICE_TOKEN = (
        "service_token",
        Branch.FILE,
        "The spreadsheet service's access token is missing, expired or not accepted.",
    )
    SERVICE_FORBIDDEN = "service_forbidden", Branch.FILE, "The spreadsheet service refuses access to this spreadsheet."
    SERVICE_BUSY = "service_busy", Branch.FILE, "The spreadsheet service takes no more requests at the moment."
    SERVICE_REFUSED = (
        "service_refused",
        Branch.FILE,
        "The spreadsheet service refused the request; nothing was written.",
    )

    # run
    APPROVAL_REQUIRED = "approval_required", Branch.RUN, "A person must approve this effect first."
    REFUSED = "refused", Branch.RUN, "A person, or the policy a person wrote, does not allow this."
    NOT_ANSWERED = "not_answered", Branch.RUN, "Nobody answered the question in time, which counts as no."
    QUESTION_CLOSED = "question_closed", Branch.RUN, "The question was already answered, has expired, or never was."
    BAD_ANSWER = "bad_answer", Branch.RUN, "That is not an answer to this question."
    WAS_WAITING = (
        "was_waiting",
        Branch.RUN,
        "Remit stopped while the run waited for a person; continue_run takes it up under a new id.",
    )
    INCONCLUSIVE = "inconclusive", Branch.RUN, "Nothing admissible was found, so nothing was done."
    EXHAUSTED = "exhausted", Branch.RUN, "The limits were reached before the end was observed."
    CANCELLED = "cancelled", Branch.RUN, "The run was cancelled."
    INTERRUPTED = "interrupted", Branch.RUN, "Remit stopped while this run was active; nothing is sent again by itself."
    OUTCOME_UNKNOWN = (
        "outcome_unknown",
        Branch.RUN,
        "Something was sent once and its outcome was not observed; it is not sent again.",
    )
    SESSION_LOST = "session_lost", Branch.RUN, "The session's browser has ended."
    RUNNING = "still_running", Branch.RUN, "The run goes on; ask for it again with continue_run."

    # system
    BROWSER_MISSING = (
        "browser_missing",
        Branch.SYSTEM,
        "No browser is installed; `remit doctor` says how to install one.",
    )
    BROWSER_FAILED = "browser_failed", Branch.SYSTEM, "The browser could not be started or crashed."
    DATA_UNAVAILABLE = "data_unavailable", Branch.SYSTEM, "Remit's data directory cannot be used; see `remit doctor`."
    BAD_POLICY = "bad_policy", Branch.SYSTEM, "The policy file is not usable, so nothing is done; see `remit doctor`."
    INTERNAL = "internal", Branch.SYSTEM, "Remit met an error of its own."


class RemitError(Exception):
    """Base of every error that crosses a room's door: a reason and nothing else, so nothing can leak."""

    def __init__(self, reason: Reason) -> None:
        super().__init__(reason.value)
        self.reason = reason
