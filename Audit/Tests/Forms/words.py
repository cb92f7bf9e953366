# SPDX-License-Identifier: Apache-2.0
"""Names that say secret, in other words and other languages, and names that only look so."""

# name of a secret, harmless name of the same look, what the rule may ask (store or log)
WORDS = [
    ("ccNo", "ccList"), ("creditNumber", "creditsShown"), ("cardNo", "cardStyle"), ("cc_num", "cc_email"), ("panNumber", "panGesture"), ("cvcCode", "cvCode"),
    ("card_security_code", "card_color_code"), ("securityAnswer", "surveyAnswer"), ("secretAnswer", "quizAnswer"), ("mothersMaidenName", "mothersDayName"),
    ("answerToSecurityQuestion", "answerToSupportQuestion"), ("syncToken", "syncMode"), ("oneTimeCode", "timeZoneCode"), ("smsVerificationCode", "smsCountryCode"), ("verificationCode", "currencyCode"),
    ("twoFactorCode", "twoLetterCode"), ("mfaSecret", "mfaTitle"), ("totpSeed", "gameSeed"), ("seedWords", "searchWords"), ("recoveryPhrase", "welcomePhrase"), ("mnemonic", "mnemonicCount"),
    ("backupPhrase", "catchPhrase"), ("passwd", "passed"), ("usrPwd", "usrBio"), ("loginPass", "boardingPass"), ("pass_phrase", "pass_count"), ("masterPw", "masterVolume"), ("wifiPassphrase", "wifiName"),
    ("authTok", "authTitle"), ("accessTkn", "accessTime"), ("refresh_token", "refresh_interval"), ("bearer", "bearing"), ("sessionKey", "sessionTitle"), ("session_cookie", "session_color"), ("jwt", "jpg"),
    ("oauthSecret", "oauthTitle"), ("clientSecret", "clientSection"), ("signingKey", "sortingKey"), ("privKey", "primKey"), ("walletPrivateKey", "walletPublicKey"), ("xprv", "xpub"), ("encryptionKey", "encryptionName"),
    ("userPin", "mapPin"), ("pinCode", "pinColor"), ("unlockCode", "unlockCount"), ("bankAccountNumber", "bankHolidayNumber"), ("iban", "ibanCount"), ("routingNumber", "routeNumber"), ("socialSecurityNumber", "socialNetworkNumber"), ("passportNumber", "portNumber"),
    ("taxId", "taskId"), ("diagnosis", "diagnostics"), ("bloodPressure", "tyrePressure"), ("medications", "modifications"), ("bloodGlucose", "bloodOrange"), ("heartRate", "frameRate"),
    ("kennwort", "stichwort"), ("passwortNeu", "suchwortNeu"), ("motDePasse", "motDuJour"), ("mot_de_passe", "mot_du_jour"), ("contrasena", "contraste"), ("claveDeAcceso", "claveDeColor"), ("senhaDoUsuario", "nomeDoUsuario"), ("palavraPasse", "palavraNova"),
    ("parolaDAccesso", "parolaDelGiorno"), ("wachtwoord", "zoekwoord"), ("hasloUzytkownika", "nazwaUzytkownika"), ("losenord", "sokord"), ("adgangskode", "postkode"), ("salasana", "hakusana"), ("sifre", "sifir"), ("heslo", "cislo"), ("jelszo", "jelzo"),
    ("parol", "paragraf"), ("mima", "mini"), ("kodPin", "kodKraju"), ("numeroDeTarjeta", "numeroDePagina"), ("kartennummer", "seitennummer"), ("numeroCarteBancaire", "numeroCarteFidelite"), ("sicherheitscode", "farbcode"), ("zugangsdaten", "kalenderdaten"),
    ("einmalcode", "farbcode"), ("codeSecret", "codePostal"), ("codigoDeVerificacion", "codigoPostal"), ("clavePrivada", "clavePublica"), ("kontonummer", "hausnummer"), ("sozialversicherungsnummer", "bestellnummer"),
    ("pw1", "p1"), ("newPwd2", "newRow2"), ("txtPassword", "txtCity"), ("strPassword", "strCity"), ("mPassword", "mCity"), ("kUserPasswordValue", "kUserCityValue"), ("user_pass_word", "user_key_word"), ("PASSWORD_PLAIN", "CITY_PLAIN"),
    ("identityToken", "identityTitle"), ("authTokenString", "tokenizer"), ("authorizationHeader", "tableHeader"), ("loginToken", "designToken"), ("userToken", "deviceToken"), ("apiToken", "pageToken"), ("basicAuthCredentials", "basicAuthors"),
]

# What is measured of a person, and of something else: (type, name, harmless name)
MEASURES = [
    ("Double", "heartRate", "frameRate"), ("Int", "bloodPressure", "tyrePressure"), ("Double", "bloodGlucose", "lampIntensity"), ("Double", "bloodSugar", "brownSugar"), ("Int", "restingHeartRate", "restingFrameRate"),
]

# A harmless value under a name with a secret's word: (declaration of the type, name)
OTHERS = [
    ("Bool", "hasPassword"), ("Bool", "isTokenValid"), ("Int", "passwordLength"), ("Int", "tokenCount"), ("Date", "timeSentData"), ("String", "passwordHint"), ("String", "passwordPlaceholder"), ("String", "tokenSymbol"),
    ("String", "tokenName"), ("String", "tokenizer"), ("String", "designToken"), ("String", "colorToken"), ("String", "nextPageToken"), ("String", "continuationToken"), ("String", "passwordTitle"), ("String", "pinLabel"),
    ("Double", "passwordStrength"), ("String", "publicKey"), ("String", "pushToken"), ("String", "fcmToken"), ("String", "apnsDeviceToken"), ("String", "passwordRule"), ("String", "passwordError"), ("String", "secretaryName"),
    ("String", "passengerName"), ("String", "boardingPass"), ("String", "compass"), ("String", "keyword"), ("String", "keyPath"), ("String", "monkey"), ("String", "pinnedRow"), ("String", "spinner"), ("String", "seedling"),
    ("String", "shippingCode"), ("String", "countryCode"), ("String", "zipCode"), ("String", "promoCode"), ("String", "errorCode"), ("String", "cardTitle"), ("String", "cardBrand"), ("String", "tokenType"), ("Int", "tokenExpiry"),
    ("String", "passwordResetURL"), ("Bool", "rememberPassword"), ("Bool", "showsPassword"), ("Int", "pinAttempts"), ("String", "encryptedPassword"), ("String", "passwordHash"), ("String", "maskedCardNumber"), ("String", "lastSignIn"),
    ("String", "passwordFieldIdentifier"), ("String", "bearingText"), ("String", "authorName"), ("String", "authMethod"), ("String", "sessionTitle"), ("Int", "sessionCount"), ("String", "accountType"), ("String", "symptomsTitle"),
]
