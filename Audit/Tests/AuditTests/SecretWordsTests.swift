// SPDX-License-Identifier: Apache-2.0

import AuditModel
import Testing

@Suite("Words that make a name secret")
struct SecretWordsTests {
    @Test(
        arguments: [
            ("password", .password), ("userPassword", .password), ("passwordTextField", .password),
            ("newPassword2", .password),
            ("PASSWORD", .password), ("masterPassphrase", .password), ("confirm_pwd", .password),
            ("passwordForAccount", .password),
            ("userPin", .pin), ("PINField", .pin), ("enteredPasscode", .pin), ("cardNumber", .card),
            ("CVVTextField", .card),
            ("cvv2", .card), ("accessToken", .token), ("oauth2Token", .token), ("githubToken", .token), ("jwt", .token),
            ("apiKey", .key), ("APIKey", .key), ("clientSecret", .key), ("rsaPrivateKey", .key),
            ("recoveryPhrase", .seed),
            ("securityAnswer", .answer), ("smsCode", .oneTimeCode),
        ] as [(String, SecretKind)])
    func `a name whose head is a secret tells its kind`(_ name: String, _ kind: SecretKind) {
        #expect(SecretWords.kind(ofName: name) == kind)
    }

    // What follows or precedes the secret's word takes it back.
    @Test(arguments: [
        "passwordLength", "isPasswordSet", "numberOfTokens", "passwordHint", "tokenCount", "showPassword",
        "hashedPassword", "publicKey",
        "deviceToken", "pushToken", "cancellationToken", "nextPageToken", "passwordViewController", "passwordKey",
        "token", "pin", "seed",
        "keyboard", "keychain", "primaryKey", "spin", "opinion", "compassword", "passport", "tokenizer",
        "errorForPassword", "username",
        "encryptedPassword", "accessTokenExpiry", "passwordLabel", "pinned", "secretary",
    ])
    func `a name whose head is something else tells of no secret`(_ name: String) {
        #expect(SecretWords.kind(ofName: name) == nil)
    }

    @Test(
        arguments: [
            ("Enter dummy password here", .password), ("Credit Card No", .card), ("CVV", .card),
            ("Passwort", .password),
            ("Neues Kennwort", .password), ("Kartennummer", .card), ("Mot de passe", .password),
            ("Numéro de carte", .card),
            ("Contraseña", .password), ("Código de verificación", .oneTimeCode), ("Senha", .password),
            ("Número do cartão", .card),
            ("Пароль", .password), ("Введите ПИН-код", .pin), ("Номер карты", .card),
            ("Код подтверждения", .oneTimeCode),
            ("请输入密码", .password), ("验证码", .oneTimeCode), ("信用卡号", .card), ("パスワード", .password), ("暗証番号", .pin),
            ("What is your pet's name?", .answer), ("Mother's maiden name", .answer), ("One-time code", .oneTimeCode),
        ] as [(String, SecretKind)])
    func `a text that asks for a secret tells its kind in eight languages`(_ text: String, _ kind: SecretKind) {
        #expect(SecretWords.kind(ofText: text) == kind)
    }

    @Test(arguments: [
        "Forgot your password?", "Passwort vergessen", "Mot de passe oublié", "Olvidé mi contraseña", "Esqueci a senha",
        "Забыли пароль?",
        "忘记密码", "パスワードを忘れた", "Name on card", "Phone number", "Secret Event Value", "Text here gets saved in Keychain",
        "Token name",
        "Password hint", "Search passwords", "", "Имя пользователя", "電話番号",
    ])
    func `a text that asks for something else tells of no secret`(_ text: String) {
        #expect(SecretWords.kind(ofText: text) == nil)
    }

    @Test func `a weak word is told apart from a strong one`() throws {
        #expect(try #require(SecretWords(name: "token")).isWeak)
        #expect(try #require(SecretWords(name: "currentToken")).isWeak)
        #expect(try !#require(SecretWords(name: "sessionToken")).isWeak)
        #expect(try !#require(SecretWords(text: "PIN")).isWeak)
        #expect(SecretWords(function: "getPassword")?.kind == .password)
        #expect(SecretWords(name: "getPassword") != nil)
    }
}
