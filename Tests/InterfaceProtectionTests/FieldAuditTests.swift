// SPDX-License-Identifier: Apache-2.0

import InterfaceProtection
import Testing

@Suite("The check for fields that should be secure")
struct FieldAuditTests {
    @Test(
        "finds what says password, PIN, code or card",
        arguments: [
            FieldAudit.Field(contentType: "password", isSecure: false),
            FieldAudit.Field(contentType: "newPassword", isSecure: false),
            FieldAudit.Field(contentType: "oneTimeCode", isSecure: false),
            FieldAudit.Field(contentType: "creditCardNumber", isSecure: false),
            FieldAudit.Field(name: "userPasswordField", isSecure: false),
            FieldAudit.Field(name: "pin_input", isSecure: false),
            FieldAudit.Field(name: "cvv2", isSecure: false),
            FieldAudit.Field(placeholder: "Your PIN", isSecure: false),
            FieldAudit.Field(placeholder: "Passcode", isSecure: false),
            FieldAudit.Field(placeholder: "Введите пароль", isSecure: false),
            FieldAudit.Field(placeholder: "Код из SMS", isSecure: false),
            FieldAudit.Field(placeholder: "Номер карты", isSecure: false),
        ])
    func finds(field: FieldAudit.Field) {
        #expect(FieldAudit.finding(for: field) != nil)
        var secure = field
        secure.isSecure = true
        #expect(FieldAudit.finding(for: secure) == nil)
    }

    @Test(
        "finds what asks for a secret, in eight languages and more",
        arguments: [
            "Password", "New password", "Confirm password", "masterPassword", "Passphrase", "Enter PIN",
            "Security code", "Verification code",
            "6-digit code", "Code from SMS", "CVV", "API key", "Private key", "Recovery phrase", "Access token",
            "Answer to security question",
            "Card number", "Social security number", "Mother's maiden name", "Enter code", "One-time code", "OTP",
            "Пароль", "Повторите пароль", "Код подтверждения", "Код безопасности", "ПИН-код", "Секретное слово",
            "Номер карты", "Девичья фамилия матери (контрольный вопрос, ответ)",
            "Passwort", "Kennwort wiederholen", "Geheimzahl", "Sicherheitscode", "Kartennummer", "Bestätigungscode",
            "Mot de passe", "Code de sécurité", "Code de vérification", "Numéro de carte", "Contraseña",
            "Código de verificación", "Clave",
            "Número de tarjeta", "Codice di sicurezza", "Numero della carta di credito", "Senha", "Código de segurança",
            "Hasło", "Kod weryfikacyjny",
            "Şifre", "Doğrulama kodu", "密码", "验证码", "パスワード", "暗証番号", "비밀번호", "인증번호", "CCV", "Authenticator key",
            "Clé d'authentification", "Phrase de passe", "Ключ аутентификатора",
            "Wachtwoord", "Herhaal wachtwoord", "Huidig wachtwoord", "Wachtzin", "Pincode", "Beveiligingscode",
            "Verificatiecode",
            "Eenmalige code", "Kaartnummer", "Herstelcode", "Toegangscode", "Lösenord", "Nytt lösenord",
            "Bekräfta lösenordet",
            "Pinkod", "Säkerhetskod", "Engångskod", "Kortnummer", "Passord", "Gjenta passordet", "Sikkerhetskode",
            "Bekreftelseskode", "Adgangskode", "Kodeord", "Engangskode", "Salasana", "Vahvista salasana", "Tunnusluku",
            "Turvakoodi", "Vahvistuskoodi", "Kortin korttinumero", "Lykilorð", "كلمة المرور", "كلمة السر الجديدة",
            "تأكيد كلمة المرور",
            "الرقم السري", "رمز التحقق", "رمز الأمان", "رقم البطاقة", "סיסמה", "סיסמה חדשה", "אימות סיסמה", "קוד אימות",
            "קוד אבטחה", "מספר כרטיס אשראי", "קוד סודי", "รหัสผ่าน", "ยืนยันรหัสผ่าน", "รหัสผ่านใหม่", "รหัส OTP", "รหัสยืนยัน",
            "หมายเลขบัตรเครดิต", "รหัส PIN",
            "Lösenkod", "Ange din låskod", "Ange kod", "Nätverksnyckel", "Netværksnøgle", "Adgangstoken", "Verkkoavain",
            "Voer code in", "Voer de geheime code in", "Netwerksleutel", "إدخال الكود", "رمز الدخول", "קוד",
            "להזין קוד",
            "Karta kredytowa", "Kart numarası",
            "パスフレーズ", "リカバリーコード", "恢复代码", "API キー",
        ])
    func findsLabels(text: String) {
        #expect(FieldAudit.finding(for: .init(placeholder: text, isSecure: false)) != nil)
    }

    @Test(
        "leaves alone what takes the word back",
        arguments: [
            "Forgot password?", "Password hint", "Password strength", "E-mail for password reset", "Postal code",
            "PIN on map", "Pin message", "Promo code",
            "Coupon code", "Country calling code", "Area code", "QR code", "Error code", "Cardholder name",
            "Name on card", "Gift card message", "SIM card",
            "Card expiry", "Token symbol", "Key name", "Public key", "Code of conduct", "Referral code", "Invite code",
            "Search phrase", "Phone number",
            "Social media", "Keyboard", "First name", "Your answer", "Order number", "Source code", "Product code",
            "Currency code",
            "Забыли пароль?", "Подсказка к паролю", "Почтовый код", "Промокод", "Код города", "Имя держателя карты",
            "Срок действия карты", "Картинка", "Ответ",
            "Postleitzahl", "Ländercode", "Passwort vergessen?", "Mot de passe oublié", "Code postal", "Code promo",
            "Código postal", "Código de área",
            "¿Olvidaste tu contraseña?", "Codice postale", "Kod pocztowy", "Şifremi unuttum", "忘记密码", "邮政编码",
            "パスワードを忘れた場合", "Passwortverlauf", "Gutscheincode", "Генератор паролей", "Historial de contraseñas", "密码生成器",
            "Wachtwoord vergeten?", "Kortingscode", "Postcode", "Naam op kaart", "Glömt lösenordet?", "Postnummer",
            "Rabattkod",
            "Glemt passord?", "Rabattkode", "Fornavn", "Unohditko salasanan?", "Postinumero", "Etunimi",
            "نسيت كلمة المرور؟",
            "الرمز البريدي", "رمز الدولة", "الاسم على البطاقة", "שכחת סיסמה?", "מיקוד", "שם פרטי", "ลืมรหัสผ่าน",
            "รหัสไปรษณีย์", "ชื่อ",
            "Karta", "Kart", "Statuscode", "الرمز البريدي للمدينة",
            "Keystone", "Spinach", "Kodak",
        ])
    func leavesLabelsAlone(text: String) {
        #expect(FieldAudit.finding(for: .init(placeholder: text, isSecure: false)) == nil)
    }

    @Test(
        "goes by the type of the content first",
        arguments: [
            ("creditCardNumber", true), ("cc-csc", true), ("one-time-code", true), ("current-password", true),
            ("cc-name", false), ("cc-exp", false),
            ("creditCardName", false), ("username", false), ("postal-code", false), ("tel", false),
        ])
    func contentTypes(type: String, isSecret: Bool) {
        #expect((FieldAudit.finding(for: .init(contentType: type, isSecure: false)) != nil) == isSecret)
    }

    @Test(
        "leaves others alone",
        arguments: [
            "Spinning wheel", "Discard", "Postal code", "postCode", "ZIP code", "Country code", "Promo code",
            "Business card",
            "Почтовый индекс", "Картина", "Кодировка", "E-mail", "Happiness", "", "compassion",
        ])
    func leavesAlone(text: String) {
        #expect(FieldAudit.finding(for: .init(name: text, placeholder: text, isSecure: false)) == nil)
    }

    @Test("says where, and never what was typed")
    func says() {
        let finding = FieldAudit.finding(for: .init(placeholder: "Your PIN", isSecure: false))
        #expect(finding?.description == "a text field whose placeholder says \"pin\" is not secure")
    }
}
