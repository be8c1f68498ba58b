"""What the forms of many languages say, as sites of these languages say it."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True)
class Phrases:
    """The words of one language on sign-in forms and on what stands beside them."""

    language: str
    user: str
    email: str
    password: str
    enter: str
    next: str
    remember: str
    forgot: str
    join: str
    google: str
    cancel: str
    old_password: str
    new_password: str
    repeat: str
    change: str
    save: str
    letter: str
    subscribe: str
    search: str
    recover: str
    coupon: str
    apply: str
    contact: str
    message: str
    send: str
    card: str
    pay: str


def _phrases(language: str, lines: str) -> Phrases:
    """One phrase a line, in the order of the fields."""
    return Phrases(language, *(line.strip() for line in lines.strip().splitlines()))


PHRASES = (
    _phrases("en", """
        Username
        Email address
        Password
        Sign in
        Continue
        Keep me signed in
        Forgot your password?
        Create an account
        Continue with Google
        Cancel
        Current password
        New password
        Confirm new password
        Change password
        Save changes
        Get our newsletter
        Subscribe
        Search
        Send reset link
        Promo code
        Apply
        Contact us
        Your message
        Send message
        Card number
        Pay now
    """),
    _phrases("it", """
        Nome utente
        Indirizzo email
        Password
        Accedi
        Avanti
        Resta connesso
        Hai dimenticato la password?
        Crea un account
        Continua con Google
        Annulla
        Password attuale
        Nuova password
        Conferma la nuova password
        Cambia password
        Salva modifiche
        Iscriviti alla newsletter
        Iscriviti
        Cerca
        Invia link di recupero
        Codice sconto
        Applica
        Contattaci
        Il tuo messaggio
        Invia messaggio
        Numero della carta
        Paga ora
    """),
    _phrases("de", """
        Benutzername
        E-Mail-Adresse
        Passwort
        Anmelden
        Weiter
        Angemeldet bleiben
        Passwort vergessen?
        Konto erstellen
        Weiter mit Google
        Abbrechen
        Aktuelles Passwort
        Neues Passwort
        Neues Passwort bestätigen
        Passwort ändern
        Änderungen speichern
        Newsletter abonnieren
        Abonnieren
        Suche
        Link zum Zurücksetzen senden
        Gutscheincode
        Einlösen
        Kontakt
        Ihre Nachricht
        Nachricht senden
        Kartennummer
        Jetzt bezahlen
    """),
    _phrases("es", """
        Nombre de usuario
        Correo electrónico
        Contraseña
        Iniciar sesión
        Siguiente
        Mantener la sesión iniciada
        ¿Olvidaste tu contraseña?
        Crear una cuenta
        Continuar con Google
        Cancelar
        Contraseña actual
        Nueva contraseña
        Confirmar nueva contraseña
        Cambiar contraseña
        Guardar cambios
        Suscríbete al boletín
        Suscribirse
        Buscar
        Enviar enlace de recuperación
        Código promocional
        Aplicar
        Contacto
        Tu mensaje
        Enviar mensaje
        Número de tarjeta
        Pagar ahora
    """),
    _phrases("fr", """
        Nom d’utilisateur
        Adresse e-mail
        Mot de passe
        Se connecter
        Suivant
        Rester connecté
        Mot de passe oublié ?
        Créer un compte
        Continuer avec Google
        Annuler
        Mot de passe actuel
        Nouveau mot de passe
        Confirmer le nouveau mot de passe
        Changer le mot de passe
        Enregistrer
        Abonnez-vous à notre newsletter
        S’abonner
        Rechercher
        Envoyer le lien de réinitialisation
        Code promo
        Appliquer
        Contactez-nous
        Votre message
        Envoyer le message
        Numéro de carte
        Payer maintenant
    """),
    _phrases("pt", """
        Nome de utilizador
        Endereço de e-mail
        Palavra-passe
        Iniciar sessão
        Seguinte
        Manter sessão iniciada
        Esqueceu-se da palavra-passe?
        Criar conta
        Continuar com o Google
        Cancelar
        Palavra-passe atual
        Nova palavra-passe
        Confirmar nova palavra-passe
        Alterar palavra-passe
        Guardar alterações
        Subscreva a nossa newsletter
        Subscrever
        Pesquisar
        Enviar link de recuperação
        Código promocional
        Aplicar
        Contacte-nos
        A sua mensagem
        Enviar mensagem
        Número do cartão
        Pagar agora
    """),
    _phrases("nl", """
        Gebruikersnaam
        E-mailadres
        Wachtwoord
        Inloggen
        Volgende
        Ingelogd blijven
        Wachtwoord vergeten?
        Account aanmaken
        Doorgaan met Google
        Annuleren
        Huidig wachtwoord
        Nieuw wachtwoord
        Bevestig nieuw wachtwoord
        Wachtwoord wijzigen
        Wijzigingen opslaan
        Schrijf je in voor de nieuwsbrief
        Inschrijven
        Zoeken
        Herstellink versturen
        Kortingscode
        Toepassen
        Contact
        Je bericht
        Bericht versturen
        Kaartnummer
        Nu betalen
    """),
    _phrases("pl", """
        Nazwa użytkownika
        Adres e-mail
        Hasło
        Zaloguj się
        Dalej
        Nie wylogowuj mnie
        Nie pamiętasz hasła?
        Załóż konto
        Kontynuuj z Google
        Anuluj
        Obecne hasło
        Nowe hasło
        Powtórz nowe hasło
        Zmień hasło
        Zapisz zmiany
        Zapisz się do newslettera
        Zapisz się
        Szukaj
        Wyślij link do resetu hasła
        Kod rabatowy
        Zastosuj
        Napisz do nas
        Twoja wiadomość
        Wyślij wiadomość
        Numer karty
        Zapłać teraz
    """),
    _phrases("sv", """
        Användarnamn
        E-postadress
        Lösenord
        Logga in
        Nästa
        Håll mig inloggad
        Glömt lösenordet?
        Skapa konto
        Fortsätt med Google
        Avbryt
        Nuvarande lösenord
        Nytt lösenord
        Bekräfta nytt lösenord
        Byt lösenord
        Spara ändringar
        Prenumerera på vårt nyhetsbrev
        Prenumerera
        Sök
        Skicka återställningslänk
        Rabattkod
        Använd
        Kontakta oss
        Ditt meddelande
        Skicka meddelande
        Kortnummer
        Betala nu
    """),
    _phrases("tr", """
        Kullanıcı adı
        E-posta adresi
        Şifre
        Giriş yap
        Devam et
        Oturumumu açık tut
        Şifremi unuttum
        Hesap oluştur
        Google ile devam et
        Vazgeç
        Mevcut şifre
        Yeni şifre
        Yeni şifre (tekrar)
        Şifre değiştir
        Değişiklikleri kaydet
        Bültenimize abone olun
        Abone ol
        Ara
        Sıfırlama bağlantısı gönder
        İndirim kodu
        Uygula
        Bize ulaşın
        Mesajınız
        Mesaj gönder
        Kart numarası
        Şimdi öde
    """),
    _phrases("ru", """
        Имя пользователя
        Электронная почта
        Пароль
        Войти
        Далее
        Запомнить меня
        Забыли пароль?
        Зарегистрироваться
        Войти через Google
        Отмена
        Текущий пароль
        Новый пароль
        Повторите новый пароль
        Сменить пароль
        Сохранить
        Подпишитесь на рассылку
        Подписаться
        Поиск
        Отправить ссылку для сброса
        Промокод
        Применить
        Обратная связь
        Ваше сообщение
        Отправить сообщение
        Номер карты
        Оплатить
    """),
    _phrases("el", """
        Όνομα χρήστη
        Διεύθυνση email
        Κωδικός πρόσβασης
        Σύνδεση
        Επόμενο
        Να με θυμάσαι
        Ξεχάσατε τον κωδικό σας;
        Δημιουργία λογαριασμού
        Συνέχεια με Google
        Ακύρωση
        Τρέχων κωδικός
        Νέος κωδικός
        Επιβεβαίωση νέου κωδικού
        Αλλαγή κωδικού
        Αποθήκευση
        Εγγραφή στο newsletter
        Εγγραφή
        Αναζήτηση
        Αποστολή συνδέσμου επαναφοράς
        Κωδικός κουπονιού
        Εφαρμογή
        Επικοινωνία
        Το μήνυμά σας
        Αποστολή μηνύματος
        Αριθμός κάρτας
        Πληρωμή
    """),
    _phrases("ja", """
        ユーザー名
        メールアドレス
        パスワード
        ログイン
        次へ
        ログイン状態を保持する
        パスワードをお忘れですか？
        新規登録
        Googleで続行
        キャンセル
        現在のパスワード
        新しいパスワード
        新しいパスワード（確認）
        パスワードの変更
        変更を保存
        メールマガジン登録
        購読する
        検索
        再設定リンクを送信
        クーポンコード
        適用
        お問い合わせ
        お問い合わせ内容
        送信する
        カード番号
        支払う
    """),
    _phrases("ko", """
        사용자 이름
        이메일 주소
        비밀번호
        로그인
        다음
        로그인 상태 유지
        비밀번호를 잊으셨나요?
        회원가입
        Google로 계속하기
        취소
        현재 비밀번호
        새 비밀번호
        새 비밀번호 확인
        비밀번호 변경
        변경사항 저장
        뉴스레터 구독
        구독하기
        검색
        재설정 링크 보내기
        쿠폰 코드
        적용
        문의하기
        문의 내용
        보내기
        카드 번호
        결제하기
    """),
    _phrases("zh", """
        用户名
        电子邮箱
        密码
        登录
        下一步
        记住我
        忘记密码？
        注册账号
        使用 Google 继续
        取消
        当前密码
        新密码
        确认新密码
        修改密码
        保存修改
        订阅我们的资讯
        订阅
        搜索
        发送重置链接
        优惠码
        使用
        联系我们
        您的留言
        发送留言
        银行卡号
        立即支付
    """),
    _phrases("ar", """
        اسم المستخدم
        البريد الإلكتروني
        كلمة المرور
        تسجيل الدخول
        التالي
        تذكرني
        هل نسيت كلمة المرور؟
        إنشاء حساب
        المتابعة باستخدام Google
        إلغاء
        كلمة المرور الحالية
        كلمة المرور الجديدة
        تأكيد كلمة المرور الجديدة
        تغيير كلمة المرور
        حفظ التغييرات
        اشترك في نشرتنا البريدية
        اشتراك
        بحث
        إرسال رابط إعادة التعيين
        رمز القسيمة
        تطبيق
        اتصل بنا
        رسالتك
        إرسال الرسالة
        رقم البطاقة
        ادفع الآن
    """),
)  # fmt: skip
