"""One login, registration, recovery and newsletter form a language, in words that a site of it would use."""

from __future__ import annotations

from dataclasses import dataclass, replace

import pytest

from remit.browser._evidence import FormKind
from remit.browser._fields import FieldKind
from remit.browser._forms import RecognisedForm, classify_forms
from remit.browser._target import LoginTarget, login_target
from tests.browser.forms_builder import ORIGIN, Draft, checkbox, field, form, link, page, secret, submit


@dataclass(frozen=True)
class Words:
    """What the forms of one language say. Identifiers say nothing: every id is a number."""

    name: str
    password: str
    enter: str
    remember: str
    forgotten: str
    chosen: str
    repeated: str
    create: str
    reset: str
    letter: str
    subscribe: str


WORDS = {
    "en": Words(
        "Your user name", "Your password", "Log in to my account", "Keep me logged in on this device",
        "Forgotten your password?", "Choose a password", "Type the password again", "Create an account",
        "Send me a reset link", "Get our newsletter every Friday", "Subscribe me",
    ),
    "it": Words(
        "Il tuo nome utente", "La tua password", "Accedi all'area riservata", "Resta collegato su questo dispositivo",
        "Hai dimenticato la password?", "Scegli una password", "Ripeti la password", "Crea il tuo account",
        "Recupera la password", "Ricevi la nostra newsletter", "Iscriviti alla newsletter",
    ),
    "de": Words(
        "Dein Benutzername", "Dein Passwort", "Jetzt anmelden", "Angemeldet bleiben auf diesem Gerät",
        "Passwort vergessen?", "Wähle ein neues Passwort", "Passwort wiederholen", "Neues Konto erstellen",
        "Passwort zurücksetzen", "Unser Newsletter, jeden Freitag", "Newsletter abonnieren",
    ),
    "es": Words(
        "Tu nombre de usuario", "Tu contraseña", "Iniciar sesión ahora", "Mantener la sesión iniciada",
        "¿Has olvidado tu contraseña?", "Elige una contraseña", "Repite la contraseña", "Crear una cuenta",
        "Restablecer la contraseña", "Recibe nuestro boletín cada viernes", "Suscribirme",
    ),
    "fr": Words(
        "Votre identifiant", "Votre mot de passe", "Se connecter à mon espace", "Rester connecté sur cet appareil",
        "Mot de passe oublié ?", "Choisissez un mot de passe", "Confirmez le mot de passe", "Créer mon compte",
        "Réinitialiser le mot de passe", "Recevez notre lettre d'information", "Je m'abonne",
    ),
    "pt": Words(
        "O seu nome de utilizador", "A sua senha", "Entrar na minha conta", "Manter-me ligado neste dispositivo",
        "Esqueceu-se da senha?", "Escolha uma senha", "Repita a senha", "Criar a minha conta",
        "Recuperar a senha", "Receba a nossa newsletter", "Subscrever",
    ),
    "nl": Words(
        "Je gebruikersnaam", "Je wachtwoord", "Inloggen op mijn account", "Ingelogd blijven op dit apparaat",
        "Wachtwoord vergeten?", "Kies een wachtwoord", "Herhaal het wachtwoord", "Account aanmaken",
        "Wachtwoord opnieuw instellen", "Ontvang onze nieuwsbrief", "Abonneren",
    ),
    "pl": Words(
        "Twoja nazwa użytkownika", "Twoje hasło", "Zaloguj się do konta", "Nie wylogowuj mnie na tym urządzeniu",
        "Nie pamiętasz hasła?", "Utwórz hasło", "Powtórz hasło", "Załóż konto",
        "Zresetuj hasło", "Zapisz się na nasz newsletter", "Subskrybuj",
    ),
    "sv": Words(
        "Ditt användarnamn", "Ditt lösenord", "Logga in på mitt konto", "Håll mig inloggad på den här enheten",
        "Glömt lösenordet?", "Välj ett lösenord", "Upprepa lösenordet", "Skapa konto",
        "Återställ lösenordet", "Få vårt nyhetsbrev varje fredag", "Prenumerera",
    ),
    "tr": Words(
        "Kullanıcı adınız", "Şifreniz", "Hesabıma giriş yap", "Bu cihazda oturumum açık kalsın",
        "Şifrenizi mi unuttunuz?", "Bir şifre belirleyin", "Şifreyi tekrar girin", "Hesap oluştur",
        "Şifremi sıfırla", "E-bültenimize kaydolun", "Abone ol",
    ),
    "ru": Words(
        "Ваш логин", "Ваш пароль", "Войти в личный кабинет", "Запомнить меня на этом устройстве",
        "Забыли свой пароль?", "Придумайте пароль", "Повторите пароль", "Создать аккаунт",
        "Восстановить пароль", "Получайте нашу рассылку", "Подписаться",
    ),
    "el": Words(
        "Το όνομα χρήστη σας", "Ο κωδικός πρόσβασής σας", "Σύνδεση στον λογαριασμό μου", "Να με θυμάσαι",
        "Ξεχάσατε τον κωδικό σας;", "Επιλέξτε νέο κωδικό", "Επαναλάβετε τον κωδικό", "Δημιουργία λογαριασμού",
        "Επαναφορά κωδικού", "Λάβετε το ενημερωτικό δελτίο μας", "Εγγραφή στο newsletter",
    ),
    "ja": Words(
        "ユーザーIDを入力", "パスワードを入力", "ログインする", "ログイン状態を保持する",
        "パスワードを忘れた方はこちら", "新しいパスワード", "パスワード（確認用）", "新規会員登録する",
        "パスワードを再設定する", "メールマガジンを受け取る", "メルマガに登録する",
    ),
    "ko": Words(
        "아이디를 입력하세요", "비밀번호를 입력하세요", "로그인하기", "로그인 상태 유지",
        "비밀번호를 잊으셨나요?", "새 비밀번호 입력", "비밀번호 확인", "회원가입하기",
        "비밀번호 재설정하기", "뉴스레터를 받아보세요", "구독하기",
    ),
    "zh": Words(
        "请输入用户名", "请输入密码", "立即登录", "下次自动登录",
        "忘记密码了？", "设置密码", "再次输入密码", "立即注册账号",
        "重置我的密码", "订阅我们的电子报", "立即订阅",
    ),
    "ar": Words(
        "أدخل اسم المستخدم", "أدخل كلمة المرور", "تسجيل الدخول إلى حسابي", "تذكرني على هذا الجهاز",
        "هل نسيت كلمة المرور؟", "اختر كلمة مرور جديدة", "أعد كتابة كلمة المرور", "إنشاء حساب",
        "إعادة تعيين كلمة المرور", "اشترك في نشرتنا البريدية", "اشتراك في النشرة",
    ),
}  # fmt: skip
EACH = pytest.mark.parametrize("words", WORDS.values(), ids=list(WORDS))


def recognised(*controls: Draft, heading: str = "") -> RecognisedForm:
    numbered = [_numbered(control, index) for index, control in enumerate(controls)]
    observation = page(form(*numbered, heading=heading))
    return classify_forms(observation.main)[0]


def _numbered(control: Draft, index: int) -> Draft:
    return replace(control, html_id=f"f{index}", html_name=f"x{index}")


@EACH
def test_a_login_is_filled_in_its_fields_and_sent_by_its_button(words: Words) -> None:
    parts = (
        field(words.name), secret(words.password), checkbox(words.remember), submit(words.enter),
        link(words.forgotten),
    )  # fmt: skip
    numbered = [_numbered(control, index) for index, control in enumerate(parts)]
    found = login_target(page(form(*numbered)), {ORIGIN})
    assert isinstance(found, LoginTarget)
    assert (found.username, found.password, found.remember_me, found.submit) == (0, 1, 2, 3)


@EACH
def test_a_registration_is_never_filled(words: Words) -> None:
    form_ = recognised(field("", type="email"), secret(words.chosen), secret(words.repeated), submit(words.create))
    assert form_.kind is FormKind.REGISTRATION
    assert form_.ids(FieldKind.PASSWORD) == ()


@EACH
def test_a_registration_with_one_password_is_told_by_its_button_and_what_the_field_says(words: Words) -> None:
    form_ = recognised(field("", type="email"), secret(words.chosen), submit(words.create), link(words.enter))
    assert form_.kind is FormKind.REGISTRATION


@EACH
def test_a_recovery_is_told_by_its_button(words: Words) -> None:
    form_ = recognised(field("", type="email"), submit(words.reset), heading=words.forgotten)
    assert form_.kind is FormKind.RECOVERY


@EACH
def test_a_newsletter_is_told_by_what_it_offers(words: Words) -> None:
    form_ = recognised(field("", type="email", placeholder=words.letter), submit(words.subscribe))
    assert form_.kind is FormKind.NEWSLETTER


ODD_LABELS = {
    "it": ("Codice utente", "PIN", "Accedi ai servizi"),
    "de": ("Zugangsnummer", "Geheimzahl", "Zum Login"),
    "es": ("DNI", "Clave de acceso", "Ingresar"),
    "sv": ("Personnummer", "Personlig kod", "Logga in nu"),
    "fr": ("Numéro client", "Code confidentiel", "Je me connecte"),
    "pt": ("CPF", "Palavra-passe", "Acessar conta"),
    "pl": ("Numer klienta", "Kod dostępu", "Wejdź"),
    "nl": ("Klantnummer", "Pincode", "Aanmelden"),
    "tr": ("T.C. Kimlik No", "İnternet şifresi", "Oturum aç"),
    "ru": ("Лицевой счет", "ПИН-код", "Авторизоваться"),
    "el": ("ΑΦΜ", "Συνθηματικό", "Είσοδος"),
    "ja": ("お客様番号", "暗証番号", "サインイン"),
    "ko": ("사번", "암호", "로그인"),
    "zh": ("身份证号", "PIN码", "登 录"),
    "ar": ("رقم العميل", "الرقم السري", "دخول"),
    "en": ("Customer number", "Passcode", "Log in now"),
}


@pytest.mark.parametrize(("name", "password", "enter"), ODD_LABELS.values(), ids=list(ODD_LABELS))
@pytest.mark.parametrize("by", ["label", "placeholder", "before"])
def test_a_number_and_a_pin_are_a_name_and_a_password(name: str, password: str, enter: str, by: str) -> None:
    parts = (says(field(), by, name), says(secret(""), by, password), submit(enter))
    numbered = [_numbered(control, index) for index, control in enumerate(parts)]
    found = login_target(page(form(*numbered)), {ORIGIN})
    assert isinstance(found, LoginTarget)
    assert (found.username, found.password, found.submit) == (0, 1, 2)


def says(control: Draft, by: str, words: str) -> Draft:
    """A field that says this by its label, by its placeholder, or by the text before it."""
    if by == "before":
        return replace(control, before=words)
    if by == "placeholder":
        return replace(control, name=words, placeholder=words)
    return replace(control, name=words, label=words)
