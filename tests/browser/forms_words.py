"""What the forms of each language say, in words that a site of it would use."""

from __future__ import annotations

from dataclasses import dataclass


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
