// SPDX-License-Identifier: Apache-2.0

/// The words of ``SecretWords``. Runs of words are written without what stands between them.
enum SecretVocabulary {
    private static func table(_ rows: [(SecretKind, String)]) -> [String: SecretKind] {
        var table: [String: SecretKind] = [:]
        for (kind, words) in rows {
            for word in words.split(whereSeparator: \.isWhitespace) { table[String(word)] = kind }
        }
        return table
    }

    private static func set(_ words: String) -> Set<String> {
        Set(words.split(whereSeparator: \.isWhitespace).map(String.init))
    }

    // MARK: What makes a secret

    static let strong = table([
        (
            .password,
            """
            password passwords passwd pwd pswd psw pword passw pw passwrd userpass loginpass passphrase passphrases userpassword masterpassword newpassword oldpassword
            passwort passwörter kennwort kennwörter passphrasen
            motdepasse motsdepasse phrasedepasse
            contraseña contrasena contraseñas contraseñanueva
            senha senhas palavrapasse palavrachave
            parola parolachiave hasło haslo wachtwoord lösenord losenord heslo şifre sifre salasana adgangskode kodeord
            passord jelszó jelszo katasandi matkhau mậtkhẩu lozinka parole slaptažodis slaptazodis пароль пароля пароли паролю паролем паролей парольнаяфраза κωδικόςπρόσβασης סיסמה كلمةالمرور पासवर्ड รหัสผ่าน
            clavedeacceso claveacceso clavesecreta clavepersonal parol sifrem parolam hasla haslouzytkownika wachtwoorden heslouzivatele
            парола лозинка құпиясөз салазо parool salasõna geslo parolă contrasenya pasahitza contrasinal fjalëkalim fjalekalim
            katasandi katalaluan nenosiri wagwoord cyfrinair maqfiysoz kodslowo гасло кодслово senhaacesso paypassword zhifumima mật_khẩu
            密码 密碼 口令 パスワード 비밀번호 암호 mima
            """
        ),
        (
            .pin,
            """
            passcode passcodes pinnumber pincodes userpin enteredpin newpin oldpin currentpin confirmpin confirmedpin cardpin
            lockcode privatepin devicepin screenpin walletpin pinentry repeatpin mpin upipin atmpin unlockcode unlockpin accesscode appcode securitypin secretpin
            kodpin pinkod pinkode pinkodu pinkoodi kodpinu geheimzahl pinnummer codepin codesecret códigopin codigopin códigosecreto codigosecreto
            пин пинкод пинкода пинкодом
            """
        ),
        (
            .oneTimeCode,
            """
            otpcode confirmationcode onetimecode onetimepassword onetimepasscode smscode verificationcode mfacode twofactorcode totpcode
            2facode tfacode authenticationcode twofactortoken securitytoken2fa loginotp smsotp enteredotp otpfield otptext
            einmalcode einmalpasswort einmalkennwort bestätigungscode verifizierungscode
            codedevérification codedeverification codeàusageunique
            códigodeverificación codigodeverificacion códigodeverificação códigodeconfirmación
            кодподтверждения кодизсмс кодизsms смскод одноразовыйкод одноразовыйпароль
            """
        ),
        (
            .card,
            """
            cardnumber creditcardnumber creditcardno debitcardnumber cardno ccnumber ccnum creditcardnum paymentcardnumber
            cardnum debitcardno bankcardnumber ccno creditnumber creditno cardpan panno pannumber ccnumbers creditcardnumbers
            numerocarte numerocartebancaire numerodecartebancaire numerodicarta numerocarta numerkarty kartnummer korttinumero kaartnummer cislokarty kartnumarasi
            kartennummer kreditkartennummer numérodecarte numerodecarte numérodelacarte
            númerodetarjeta numerodetarjeta númerodelatarjeta númerodocartão numerodocartao númerodecartão
            номеркарты номербанковскойкарты
            """
        ),
        (
            .card,
            """
            cvv cvc cvv2 cvc2 cardcode cardsecuritycode cardcvv cardcvc cvvcode cvccode cvvnumber
            sicherheitscode codesecurite codedesecurite codicedisicurezza codicesicurezza beveiligingscode sikkerhetskode säkerhetskod
            kartenprüfnummer prüfnummer prüfziffer cryptogramme cryptogrammevisuel codedesécurité
            códigodeseguridad codigodeseguridad códigodesegurança codigodeseguranca кодбезопасностикарты
            """
        ),
        (
            .seed,
            """
            seedphrase mnemonic mnemonicphrase mnemonicwords recoveryphrase recoverykey recoverycode recoverycodes backupcode
            mnemonicarray mnemoniclist mnemonicsentence mnemonicword mnemoniccode mnemonicstring mnemonicseed seedlist
            seedarray seedsentence backupwords backupmnemonic recoverphrase recoverwords recoveryseed recoverysentence
            restorephrase restorewords secretwords secretrecoveryphrase rememberwords remembercode helpwords zhujici
            seedkey walletwords walletmnemonic walletphrase passwordphrase
            backupcodes seedwords seedhex mnemonics recoverywords backupphrase bip39words xprv xpriv otpsecret totpsecret totpseed otpseed hotpsecret walletseed secretphrase otpauthurl otpauthuri otpauth
            wiederherstellungsphrase wiederherstellungsschlüssel phrasederécupération phrasemnémonique
            frasederecuperación frasesemilla frasederecuperação frasesemente
            мнемоническаяфраза сидфраза секретнаяфраза
            """
        ),
        (
            .key,
            """
            privatekey privatekeys secretkey signingkey encryptionkey decryptionkey masterkey symmetrickey aeskey rsaprivatekey
            privatekeypem keypassword apnskey privkey enckey encryptkey cipherkey hmackey cryptokey extendedprivatekey masterprivatekey
            wif prikey prikeys privatekeystr siyao miyao seckey
            privaterschlüssel geheimerschlüssel cléprivée cleprivee cléprivee claveprivada chaveprivada chavesecreta
            закрытыйключ приватныйключ секретныйключ
            """
        ),
        (
            .token,
            """
            accesstoken accesstokens refreshtoken refreshtokens authtoken authtokens sessiontoken bearertoken bearer idtoken oauthtoken
            authtok accesstok refreshtok accesstkn refreshtkn authtkn synctoken csrftoken xsrftoken logintkn
            usertoken jwt jwttoken personalaccesstoken accessjwt refreshjwt logintoken apitoken authenticationtoken authorizationtoken oauth2token
            sessioncookie authcookie authorizationheader authheader sessionkey synckey loginkey tokenauth tokenlogin tokenuser tokensession tokenapi tokenjwt tokenaccess tokenbearer identitytoken webtoken
            tokendacceso zugriffstoken токендоступа
            """
        ),
        (
            .key,
            """
            apikey apikeys apisecret clientsecret appsecret consumersecret sharedsecret secretaccesskey apisecretkey
            serverkey appsecretkey clientsecretkey consumerkeysecret
            """
        ),
        (
            .secret,
            """
            secret geheimnis usersecret segredo secreto секрет zugangsdaten anmeldedaten logindaten identifiants
            credenciales credenciais credenziali inloggegevens danelogowania
            authcredentials basicauthcredentials basicauth usercredentials logincredentials
            """
        ),
        (
            .answer,
            """
            securityanswers answertosecurityquestion answersecurityquestion challengeanswer recoveryanswer
            securityquestionanswers secretquestionanswer resetanswer
            securityanswer secretanswer securityquestionanswer petsname nameofyourpet mothersmaidenname maidenname
            firstpet favoriteteacher sicherheitsfrage questionsecrète preguntadeseguridad perguntadesegurança
            контрольныйвопрос кодовоеслово девичьяфамилияматери девичьяфамилия
            """
        ),
        (
            .bank,
            """
            iban ibannumber bankaccountnumber bankaccountno routingnumber kontonummer numérodecompte númerodecuenta
            """
        ),
        (
            .identity,
            """
            ssn socialsecuritynumber socialsecurityno passportnumber passportno nationalid nationalidnumber idcardnumber
            taxnumber taxid taxidentificationnumber itin steuernummer steuerid steueridentifikationsnummer codicefiscale
            numerofiscal cpf curp pesel personnummer aadhaar aadhar aadharnumber nric
            identitycardnumber idnumber nationalidentitynumber personalidnumber civilid emiratesid identitynumber driverlicensenumber driverslicensenumber aadhaarnumber taxpayerid taxidnumber
            sozialversicherungsnummer reisepassnummer
            """
        ),
        (
            .health,
            """
            symptoms prescription prescriptions medication medications allergies medicalconditions bloodpressure bloodsugar
            bloodglucose heartrate labresults insurancenumber medicalinsurancenumber
            diagnosis diagnoses medicalrecord medicalrecordnumber healthinsurancenumber hivstatus bloodtype bloodgroup
            medicalhistory patientrecord
            """
        ),
    ])

    /// Words with other meanings too.
    static let weak = table([
        (.pin, "pin pincode pins nip"), (.oneTimeCode, "otp totp hotp authcode"),
        (.card, "creditcard debitcard pan"), (.card, "securitycode"), (.seed, "seed"),
        (.token, "token tokens jeton sessionid authorization токен"), (.key, "accesskey appkey applicationkey"),
        (.secret, "secrets credential credentials"), (.password, "pass clave"),
        (.answer, "securityquestion secretquestion"),
        (.key, "pem"),
    ])

    // MARK: What takes it back in a name

    static let neutralSuffixes = set(
        """
        field fields textfield textfields text texts tf txt edit textbox box input inputs string str value values data bytes entry
        content contents raw plain plaintext cleartext clear buffer utf base hex encoded decoded copy again confirm
        confirmation confirmed repeat repeated verify verification new old current previous first second third one two three
        retype retyped digits chars characters row binding temp tmp backup original entered typed textview number code ref
        neu neue neuer alt alte altes nouveau nouvelle ancien ancienne nuevo nueva novo nova nuovo nuova nieuw ny nowe nowy
        uzytkownika benutzer kullanici acceso accesso accès acces zugang
        variable var json qiwi facebook twitter github gitlab spotify strava dropbox linkedin yandex kakao naver paypal usuario usuário utente utilisateur atual actual nueva nova
        """)

    static let denyingPrefixes = set(
        """
        is has have should can did will was are does do needs need must allow allows allowed show shows showing hide hides
        hiding enable enabled enables disable disabled use uses using require requires required remember encrypted hashed hash
        sha md masked mask redacted obscured public forgot forgotten reset change changing no missing invalid wrong incorrect
        empty count max min maximum minimum length validate validates valid check checks checking compare toggle on update
        updates save saves delete deletes remove removes clear clears set sets add adds create creates generate generates handle
        handles prompt request requests ask asks cancel dismiss open close present configure setup load make failed error
        title label placeholder hint hints tip tips reminder clue hinweis indice pista dica подсказка keychain kind type map drop dropped pushpin wallpaper template
        """)

    /// What a pass, a seed or a card that is none to keep to oneself is for: "boarding pass".
    static let passes = set(
        """
        boarding bus train ski season day guest hall gate press travel visitor transit museum parking event bypass monthly
        weekly annual metro ferry concert
        """)

    /// What is said after it in other languages, before what it is for: "senha do usuario".
    static let laterPrepositions = set("de del do da dos das du des di della dello d van voor für zu til til og och")

    static let days = set("giorno dia día jour tag tages dag dagen dnia dne gunun")

    /// What is said before or after: "password for the account".
    static let prepositions = set("for from of in to at by with on as via and or")

    static let harmlessTokens = set(
        """
        push device apns apn fcm voip registration cancellation cancel observer observation notification subscription nft erc
        next page continuation change history upload design style color dispatch once lock parser syntax lexer text word
        string sentence search command custom background run task state erc20 lp network theme layout activity live observing event
        accuracy location notification notifications camera photo photos contacts tracking microphone speech calendar
        reminder bluetooth motion
        observers kvo publisher disposable dispose listener query handler placeholder mention hashtag keyword start end left
        right nextpage pagination base quote fee gas sell buy collateral governance play playback media stream game player video chat call workout cursor paging swap token0 token1 asset coin reward native wrapped bridge filter suggestion
        """)

    /// What a token is called after that signs in there.
    static let tokenOwners = set("app member client customer account server site service register request")

    /// What has a code or a card that is shown to a seller.
    static let goods = set(
        "gift booking order reservation ticket flight pickup delivery promo coupon voucher discount loyalty membership invite invitation referral"
    )

    static let plainAdjectives = set(
        "current first last new old default chosen favorite the my our your this that some any each every selected saved stored single other second more"
    )

    static let getters = set(
        "get load fetch read retrieve copy find obtain decrypt export generate derive lookup request")

    // MARK: What takes it back in a text

    static let denyingWords = set(
        """
        forgot forgotten reset hint search fingerprint fingerprints public xpub length remember strength manager policy keychain lost
        copied invalid incorrect wrong expired failed successfully error
        vergessen zurücksetzen falsch ungültig suche suchen oublié oubliée réinitialiser invalide rechercher
        olvidé olvidaste olvidado olvidó restablecer incorrecta inválida buscar esqueceu esqueci redefinir incorreta pesquisar
        забыли забыл забыла сбросить неверный неверно поиск подсказка
        """)

    /// Behind the secret's word they make the text ask for something else: "token name".
    static let denyingNext = set(
        "name names label title type count settings protection file list url saved protected required")

    private static let ideographic: [(String, SecretKind)] = [
        ("一次性密码", .oneTimeCode), ("一次性密碼", .oneTimeCode), ("验证码", .oneTimeCode), ("驗證碼", .oneTimeCode),
        ("動態密碼", .oneTimeCode), ("动态密码", .oneTimeCode), ("ワンタイムパスワード", .oneTimeCode), ("確認コード", .oneTimeCode),
        ("認証コード", .oneTimeCode), ("密码", .password), ("密碼", .password), ("口令", .password), ("パスワード", .password),
        ("パスフレーズ", .password), ("暗証番号", .pin), ("パスコード", .pin), ("银行卡号", .card), ("信用卡号", .card),
        ("信用卡號", .card), ("卡号", .card), ("卡號", .card), ("カード番号", .card), ("安全码", .card),
        ("安全碼", .card), ("セキュリティコード", .card), ("助记词", .seed), ("助記詞", .seed), ("恢复短语", .seed),
        ("リカバリーフレーズ", .seed), ("ニーモニック", .seed), ("私钥", .key), ("私鑰", .key), ("密钥", .key),
        ("密鑰", .key), ("秘密鍵", .key), ("访问令牌", .token), ("存取權杖", .token), ("アクセストークン", .token),
        ("秘密の質問", .answer), ("安全问题", .answer), ("合言葉", .answer),
    ]

    private static let denyingIdeographs = [
        "忘记", "忘記", "忘れ", "重置", "重設", "リセット", "搜索", "検索", "提示", "ヒント", "长度", "長さ", "错误", "錯誤", "間違",
    ]

    /// For scripts that put no space between words.
    static func ideographs(in text: String) -> SecretKind? {
        guard text.unicodeScalars.contains(where: { (0x3040...0x9FFF).contains($0.value) }) else { return nil }
        guard !denyingIdeographs.contains(where: { contains(text, $0) }) else { return nil }
        return ideographic.first { contains(text, $0.0) }?.1
    }

    private static func contains(_ text: String, _ part: String) -> Bool {
        let (text, part) = (Array(text.utf8), Array(part.utf8))
        guard text.count >= part.count else { return false }
        return (0...(text.count - part.count)).contains { text[$0..<($0 + part.count)].elementsEqual(part) }
    }
}
