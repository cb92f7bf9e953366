// SPDX-License-Identifier: Apache-2.0

/// Names of secrets, and names that only look like one.
enum LeakWords {
    private static func words(_ text: String) -> [String] {
        text.split(whereSeparator: \.isWhitespace).map(String.init)
    }

    static let secrets = words(
        """
        ccNo creditNumber creditCardNo cardPan cardNumberText debit_card_number cvvCode cardCvc cardSecurityCode txtCVV
        securityAnswer secretAnswer answerToSecurityQuestion securityQuestionAnswer recoveryAnswer
        apptoken APPTOKEN syncToken authTok accessTkn refreshTok jwtString sessionToken bearerTokenString userAuthToken loginToken csrfToken
        oneTimeCode otpCode smsOTP verificationCode mfaCode twoFactorCode totpSecret
        seedPhrase mnemonicWords recoveryPhrase walletSeed walletPrivateKey privateKeyHex aesKey encKey hmacSecret clientSecret theAESKey
        apiKeyValue masterKey signingSecret sessionCookie
        userPwd strPassword txtPwd tfPassword passwordTF pwdTextField user_password_txt pass_word pass_code loginPass wifiPassword
        keyPassphrase newPasswd repeatedPassword passwordStr passwordValue myPassword pwd1 currentPasscode atmPin pinCode
        ibanNumber bankAccountNumber routingNumber socialSecurityNumber ssn passportNumber nationalIdNumber
        diagnosis bloodType medicalRecordNumber healthInsuranceNumber
        passwort kennwort motDePasse contrasena senhaAtual parolaUtente haslo wachtwoord losenord heslo sifre salasana
        ownerPriKey mnemonicList mnemonicArray rememberWords backupWords walletMnemonic confirmationCode
        парола contrasenya parool geslo katalaluan adgangskode kataSandi matKhau пароль 密码 パスワード 비밀번호
        """)

    static let others = words(
        """
        tokenizer timeSentData tokenCount designToken designTokens passwordLength isPasswordVisible passengerName compassHeading
        bypassReason passageText passingGrade passThrough keyboardKey primaryKey foreignKey cacheKey sortKey keyPathText publicKey
        secretaryName pinnedMessage mapPinTitle pinColor spinnerText pingInterval pineapple seedling cardView cardTitle businessCardName
        codeSnippet countryCode postalCode zipCode errorCode statusCode qrCodeSize promoCode languageCode colorCode accountName
        accountType bankName healthCheckResult answerCount questionText authorizationStatus sessionConfiguration sessionTitle cookieConsent
        otpLength authorName authenticationMethod tokenExpiry tokenType hashedPassword encryptedToken passwordRules forgotPasswordText
        idCardCode devicetoken secretSantaName pushToken deviceToken apnsToken nextPageToken continuationToken cancellationToken keyName
        giftCardCode bookingConfirmationCode orderConfirmationCode voucherCardNumber ownerPubKey
        tokenIdentifier passwordFieldTitle pinPlaceholder userId userIdentifier diagnosticsReport diagnosticMessage parserToken
        """)

    static func app(_ name: String) -> GeneratedApp {
        let text = """
            import UIKit

            final class Screen: UIViewController {
                func act(\(name): String) {
                    print("got", \(name))
                }
            }
            """
        return GeneratedApp(name: name, rule: "secret-in-log", files: [("App/Screen.swift", text)])
    }
}
