// SPDX-License-Identifier: Apache-2.0

/// The words with which labels ask for a secret, and those that show the opposite. They are in lower case,
/// without accents.
///
/// The languages are English, Russian, Ukrainian, German, French, Spanish, Italian, Portuguese, Polish, Turkish, Dutch,
/// Swedish, Norwegian, Danish, Finnish, Icelandic, Arabic, Hebrew, Thai, Chinese, Japanese and Korean.
enum AuditWords {
    /// A word, or the beginning (`pass*`), the end (`*code`) or any part (`*pass*`) of one.
    struct Pattern: Sendable {
        private let text: String
        private let startsFreely: Bool
        private let endsFreely: Bool

        init(_ pattern: Substring) {
            startsFreely = pattern.hasPrefix("*")
            endsFreely = pattern.hasSuffix("*")
            text = String(pattern.drop { $0 == "*" }.prefix { $0 != "*" })
        }

        func matches(_ word: String) -> Bool {
            switch (startsFreely, endsFreely) {
            case (false, false): word == text
            case (false, true): word.hasPrefix(text)
            case (true, false): word.hasSuffix(text)
            case (true, true): word.contains(text)
            }
        }
    }

    /// Words that mean a secret only beside certain other words: the code in a message is one, a country code isn't.
    struct Pair: Sendable {
        let words: [Pattern]
        /// Any of these makes it secret.
        let companions: [Pattern]
        /// With only these beside it, it is secret too; nil: never.
        let fillers: [Pattern]?
        /// With any of these beside it, it isn't secret.
        let takesBack: [Pattern]

        func finding(in text: [String]) -> String? {
            guard let word = text.first(where: { word in words.contains { $0.matches(word) } }) else { return nil }
            func has(_ patterns: [Pattern]) -> Bool {
                text.contains { other in patterns.contains { $0.matches(other) } }
            }
            if has(takesBack) { return nil }
            if has(companions) { return word }
            guard let fillers else { return nil }
            let rest = text.filter { other in !words.contains { $0.matches(other) } }
            return rest.allSatisfy { other in fillers.contains { $0.matches(other) } } ? word : nil
        }
    }

    private static func patterns(_ text: String) -> [Pattern] {
        text.split(whereSeparator: \.isWhitespace).map(Pattern.init)
    }

    /// Values of `textContentType` and HTML's `autocomplete`, without separators: whether they mean a secret.
    static let contentTypes: [String: Bool] = [
        "password": true, "newpassword": true, "currentpassword": true, "onetimecode": true, "creditcardnumber": true,
        "ccnumber": true,
        "creditcardsecuritycode": true, "cccsc": true, "ccname": false, "creditcardname": false,
        "creditcardexpiration": false, "ccexp": false,
        "creditcardtype": false, "cctype": false, "username": false, "emailaddress": false, "telephonenumber": false,
        "postalcode": false,
        "creditcardexpirationmonth": false, "creditcardexpirationyear": false, "creditcardgivenname": false,
        "creditcardfamilyname": false,
    ]

    /// Words that mean a secret by themselves.
    static let secret = patterns(
        """
        password* *password passwd* passcode* passphrase* pwd psw pin pins pincode mpin otp totp hotp mfa cvv* cvc* ccv* cvn csc cid ssn tan
        mnemonic *passkey* masterkey apikey privatekey secretkey *secret secrets
        парол* пин пинкод пинкода секрет* сидфраз* цвв пароль*
        passwort* *passwort *passworter kennwort* *kennwort losungswort* zugangscode* geheimzahl* geheimcode* sicherheitscode* einmalcode*
        bestatigungscode* kartennummer* kreditkartennummer* prufziffer* kartenprufnummer* freischaltcode* entsperrcode* zugriffsschlussel*
        geheimfrage* wiederherstellungsschlussel* verifizierungscode* einmalpasswort* passwortwiederholung* mottodepasse
        motdepasse* mdp contrasena* clave claves contrasinal senha* palavrapasse palavra-passe parola* parolaordine
        wachtwoord* *wachtwoord wachtzin* toegangscode* beveiligingscode* verificatiecode* pincodes inlogcode* kaartnummer* creditcardnummer*
        herstelcode* herstelsleutel* bevestigingscode* controlecode* beveiligingsvraag*
        losenord* *losenord losen pinkod* sakerhetskod* engangskod* kortnummer* verifieringskod* bekraftelsekod* aterstallningskod* inloggningskod*
        passord* *passord kodeord* *kodeord pinkode* sikkerhetskode* engangskode* bekreftelseskode* gjenopprettingskode* kortnummeret
        adgangskode* *adgangskode sikkerhedskode* bekræftelseskode* gendannelseskode* adgangsord* løsen* løsenord*
        losenkod* laskod* natverksnyckel* huvudnyckel* adgangsudtryk* adgangstoken* netværksnøgle* nettverksnøkkel* hovednøgle* hovednøkkel*
        verkkoavain* paaavain* netwerksleutel* hoofdsleutel*
        salasana* *salasana salalause* tunnusluku* tunnusluvu* turvakoodi* vahvistuskoodi* kertakayttokoodi* palautuskoodi* korttinumero* avainluku*
        avainluvu* pinkoodi* turvatunnus* lykilorð* aðgangsorð* leyninumer* oryggisnumer* oryggiskoði* kortanumer* staðfestingarkoði*
        haslo hasla hasle hasł* sifre* sifresi kodpin parola parolasi paroli пароля
        """)

    /// Beside these, a secret word isn't what the field asks for.
    static let takesBack = patterns(
        """
        forgot forgotten forget hint hints strength strong policy rules manager managers generator generate expiry expires expiration
        expire length history email mail link tips less requirements required reminder show hide toggle label title description
        count attempts changed change-date updated tab pinned map maps board drop location message messages chat post top comment
        note color colour tweet story pinboard needle tie rolling bowling santa victoria garden agent sauce service santas
        забыли забыл забыла подсказка подсказк* сложность надежность длина срок показать скрыть закрепить почта письмо ссылка шеф карте доск*
        vergessen hinweis starke lange anzeigen verbergen ablauf manager tipp tipps nadel
        oublie oubliee indice force afficher masquer longueur gestionnaire expire
        olvidado olvidaste olvide olvido pista fortaleza mostrar ocultar longitud gestor caduca
        dimenticata dimenticato suggerimento sicura mostra nascondi lunghezza
        esqueceu esqueci esquecida dica forca mostrar ocultar comprimento
        vergeten sterkte tonen verberg* wachtwoordbeheer* glomt styrka dolj glemt glemte glemmer styrke skjul unohtu* unohdi* vahvuus nayta piilota gleymt
        zapomniane zapomniales podpowiedz sila pokaz unuttum unuttun ipucu goster gizle gucu
        ordine ordre chiave d'ordine
        *verlauf *generator generateur generador gerador generatore генератор генератора история истории тип типа typ historial historique historico cronologia
        """)

    /// Words that mean a secret by themselves, in scripts without spaces.
    static let unspaced = [
        "密码", "密碼", "口令", "验证码", "驗證碼", "校验码", "安全码", "安全碼", "动态码", "卡号", "卡號", "私钥", "助记词", "密钥", "パスワード", "暗証番号",
        "認証コード",
        "確認コード", "セキュリティコード", "カード番号", "合言葉", "ワンタイム", "パスコード", "パスフレーズ", "リカバリーコード", "回復コード", "復旧コード", "認証キー", "秘密鍵",
        "apiキー", "トークン", "恢复代码", "恢復代碼", "恢复码", "備用碼", "备用码",
        "كلمة المرور", "كلمة السر", "كلمة مرور", "كلمة سر", "كلمه المرور", "كلمه السر", "كلمه مرور", "رقم سري",
        "الرقم السري", "رمز سري", "الرمز السري",
        "رمز المرور", "رمز مرور", "رمز التحقق", "رمز تحقق", "رمز التأكيد", "رمز تأكيد", "رمز الأمان", "رمز أمان",
        "رمز الدخول", "رمز الحماية", "رقم البطاقة",
        "رقم بطاقة", "عبارة المرور", "عبارة مرور", "جملة السر", "جملة المرور", "عبارة الاسترداد", "رمز الاسترداد",
        "مفتاح خاص", "المفتاح الخاص",
        "المفتاح السري", "مفتاح سري",
        "رمز لمرة واحدة", "رمز otp", "رمز pin",
        "סיסמה", "סיסמא", "ססמה", "ססמא", "סיסמת", "סיסמאות", "ססמת", "קוד אימות", "קוד סודי", "קוד אבטחה",
        "קוד האבטחה", "קוד חד פעמי", "קוד גישה",
        "קוד כניסה", "קוד הגישה", "קוד האימות", "קוד שחזור", "מספר כרטיס", "מספר הכרטיס", "מפתח פרטי", "מפתח סודי",
        "ביטוי סודי", "משפט סודי", "קוד pin",
        "รหัสผ่าน", "พาสเวิร์ด", "พาสเวิด", "รหัสลับ", "รหัสยืนยัน", "รหัสความปลอดภัย", "รหัสพิน", "รหัส pin", "รหัส otp", "รหัส cvv",
        "หมายเลขบัตร", "เลขบัตรเครดิต",
        "เลขบัตรเดบิต", "คีย์ส่วนตัว", "กุญแจส่วนตัว", "รหัสกู้คืน", "วลีลับ", "รหัสเข้าใช้",
        "认证密钥", "访问令牌", "存取權杖", "社会保障号", "社会安全号", "暗号化キー", "비밀번호", "인증번호", "카드번호", "보안코드", "암호", "인증코드",
    ].map(letters)
    static let unspacedTakesBack = [
        "忘记", "忘記", "强度", "強度", "提示", "忘れ", "ヒント", "찾기", "잊", "표시", "長度", "长度", "生成", "履歴", "历史", "歷史", "ジェネレーター", "생성",
        "نسيت", "نسيان", "إظهار", "إخفاء", "قوة كلمة", "تلميح", "שכחת", "שכחתי", "הצג", "הסתר", "חוזק", "רמז לסיסמ",
        "ลืม", "แสดงรหัส", "ซ่อนรหัส", "ความแข็งแรง",
        "คำใบ้",
    ].map(letters)

    /// Without marks and spaces, as a label is compared.
    private static func letters(_ text: String) -> String {
        String(String.UnicodeScalarView(Composition.letters(of: text).filter(\.properties.isAlphabetic)))
    }

    /// For codes, cards, keys, tokens, phrases, answers and numbers.
    static let pairs: [Pair] = [
        Pair(
            words: patterns(
                "code codes coden код кода коды кодом кодов коду code codice codigo codigos kod kodu kody koda kode koden koodi codiceotp *code"
            ),
            companions: patterns(
                """
                verification verify security sms one time otp onetime auth authentication authenticator authorization access login log signin sign
                confirm confirmation recovery backup twofactor factor two fa mfa pin secret unlock text texted sent phone digit digits entry
                door safe lock device step app passcode pass emergency cancellation totp
                смс sms подтвержден* проверочн* проверки безопасност* одноразов* доступа входа аутентификац* авторизац* восстановлен* секретн* из
                push уведомления сообщения pin пин разблокировк* оборот* банка
                securite verification confirmation acces recu secours recuperation deverrouillage unique authentification
                seguridad verificacion confirmacion acceso recibido recuperacion unico desbloqueo
                sicurezza verifica conferma accesso recupero sblocco ricevuto seguranca verificacao confirmacao acesso recuperacao unico
                weryfikacyjny bezpieczenstwa potwierdzenia dostepu jednorazowy dogrulama guvenlik onay erisim підтвердження доступу безпеки
                sicherheits bestatigungs eenmalige verificatie beveiligings herstel engangs bekreft* bekræft* bekraft* sikkerhets sikkerheds sakerhets
                gjenoppretting* aterstallning* vahvistus kertakayttoinen
                """),
            fillers: patterns(
                "enter your the a please type insert code введите ваш свой укажите eingeben ihr dein entrez votre introduce tu su inserisci inserire digite seu wpisz from we ange din indtast angi oplys syota anna voer in uw je vul"
            ),
            takesBack: patterns(
                """
                postcode* statuscode* kortingscode* landcode* kleurcode* foutcode* streepjescode* actiecode* rabattkod* postkod* kampanjekod* alennuskoodi* postikoodi*
                postal post zip country area promo promotion promotional discount voucher currency language coupon referral referrer invite invitation gift
                gutschein* rabatt* bar qr source error status color colour tax dress product item sku airport bank swift sort branch course class subject
                department event group order tracking reference iso region state dial dialing calling hs review reviewer conduct name unicode
                encod* decod* http exit response reason type clean block morse genetic style locale style club member membership employer
                почтовый почтовая телефонный страны города региона товара промо валюты языка ошибки оператор* ответа исходный подразделения
                postleitzahl landes* lander* farb fehler produkt rabatt gutschein pays promotion reduction produit source
                pais area descuento producto promocional error fuente prodotto sconto promozionale paese errore desconto produto kraju pocztowy rabatowy posta ulke indirim
                валюти країни поштовий
                """)),
        Pair(
            words: patterns("رمز الرمز كود الكود קוד הקוד geheime"),
            companions: patterns("code الدخول المرور הכניסה"),
            fillers: patterns("ادخل ادخال الرجاء اكتب הזן הזיני הזינו להזין הכנס הקלד"),
            takesBack: []),
        Pair(
            words: patterns(
                "card cards cardnumber creditcard debitcard карта карты карте картой carte tarjeta carta cartao karty karte kreditkarte ccnum ccnumber"
            ),
            companions: patterns(
                """
                number numbers no num nr credit debit payment bank security verification pan pay digits номер* кредитн* банковск* дебетов* платежн* данные
                nummer numero numeros credito credit bancaire bancaria credito debito numer numarasi kredi kredytowej номера
                """),
            fillers: patterns("your the enter add new my введите ваша моя"),
            takesBack: patterns(
                """
                business loyalty v sim sd memory gift post greeting holder name expiry expires expiration exp month year type brand issuer score report
                wild card-holder nickname label title design color colour video graphics graphic sound game games playing trading id-photo member
                membership library board view layout trello cardholder birthday flash billing address photo photos last country zip postal owner
                имя держател* срок визитн* подарочн* лояльн* тип владел* памяти видео sim сим клубн* месяц год игральн* медицинск* скидочн* дисконтн*
                inhaber ablauf gultig visiten geschenk titulaire expiration fidelite visite titular vencimiento visita fidelidad titolare scadenza
                fedelta validade titular fidelidade posiadacz lojalnosciowa grafik ses
                """)),
        // Alone it is a map in Swedish and Norwegian.
        Pair(
            words: patterns("karta kart"),
            companions: patterns("kredytowa platnicza debetowa kredi banka numaras* numer no"), fillers: nil,
            takesBack: patterns("sim hediye podarunkowa")),
        Pair(
            words: patterns("key keys ключ ключа schlussel cle llave clave chiave chave klucz anahtar"),
            companions: patterns(
                """
                api private secret encryption access recovery decryption signing auth authentication authenticator authentification аутентификатор* аутентификац* autenticacao autenticacion autenticador autenticazione authentifizierung* ssh gpg pgp wallet master wep wpa network security backup приватн* закрыт* секретн* api доступа шифрован* восстановлен*
                privee secrete acces privada secreta acceso acesso privata segreta prywatny ozel privater geheimer
                """),
            fillers: nil,
            takesBack: patterns(
                "public name id label title result results value values открыт* публичн* имя publique publica öffentlich* offentlich* fingerprint comment"
            )),
        Pair(
            words: patterns("token tokens токен токена jeton"),
            companions: patterns(
                "access auth api bearer refresh security session secret personal authentication login bot доступа авторизации acceso acces acesso hardware csrf"
            ),
            fillers: patterns("your the enter paste"),
            takesBack: patterns(
                "name symbol amount count price address supply label balance value type decimals expires expiry")),
        Pair(
            words: patterns("phrase phrases words seed фраза фразу слова phrase frase"),
            companions: patterns(
                "seed recovery secret pass backup mnemonic wallet секретн* резервн* восстановлен* seed secrete recuperation recuperacion segreta recupero recuperacao secreta"
            ),
            fillers: nil,
            takesBack: patterns("search exact count hint random")),
        Pair(
            words: patterns("answer answers maiden ответ девичья antwort reponse respuesta risposta resposta"),
            companions: patterns(
                "security secret question mothers mother name секретн* контрольн* вопрос матери sicherheitsfrage geheim* secrete securite seguridad secreta segreta sicurezza seguranca"
            ),
            fillers: nil,
            takesBack: patterns("comment survey quiz faq")),
        Pair(
            words: patterns("mot phrase frase palabra palavra слово слова кодовое"),
            companions: patterns("passe pase passar secreto кодовое секретное clave"),
            fillers: nil,
            takesBack: patterns(
                "generateur generador gerador historique oublie oubliee indice afficher force forte longueur olvidado")),
        Pair(
            words: patterns("number numero nummer номер numer snils снилс"),
            companions: patterns("social ssn seguro pin карты"),
            fillers: nil,
            takesBack: patterns("media facebook followers")),
        Pair(
            words: patterns("social"), companions: patterns("security ssn"), fillers: nil, takesBack: patterns("media")),
    ]
}
