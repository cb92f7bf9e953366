// SPDX-License-Identifier: Apache-2.0

/// Fields, URLs, cryptography, the pasteboard, literals, the keychain and connections: each form with a harmless twin.
enum LeakForms {
    struct Form {
        var name: String
        var rule: String
        var leak: String
        var twin: String
        /// What both are put into; `$B` is replaced.
        var around: Around = .body
        var other = ""
        var otherPath = "App/Other.swift"
    }

    enum Around { case body, file, objectiveC, objectiveCBody, storyboard, settings }

    static func apps(leaks: Bool) -> [GeneratedApp] {
        (hashes + ciphers + urls + pasteboards + literals + keychain + connections + fields + interfaces + company
            + addresses + views + screens + othersFields + othersCode + othersRequests + strangersStores + strangersLogs
            + strangersOthers + strangersMore + metStores + metLogs + metOthers).map { form in
                var files = [file(form, leaks ? form.leak : form.twin)]
                if !form.other.isEmpty { files.append((form.otherPath, form.other)) }
                return GeneratedApp(name: "\(form.rule): \(form.name)", rule: form.rule, files: files)
            }
    }

    private static func file(_ form: Form, _ text: String) -> (path: String, text: String) {
        switch form.around {
        case .file: return ("App/Screen.swift", "import UIKit\n" + text)
        case .objectiveC: return ("App/Screen.m", text)
        case .settings:
            return (
                "App/Info.plist",
                "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<plist version=\"1.0\"><dict><key>CFBundleIdentifier</key><string>a.b</string>\(text)</dict></plist>"
            )
        case .objectiveCBody:
            return (
                "App/Screen.m",
                "@implementation Screen\n- (void)actWithPassword:(NSString *)password note:(NSString *)note {\n    \(text)\n}\n@end\n"
            )
        case .storyboard:
            return (
                "App/Main.storyboard",
                "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<document type=\"com.apple.InterfaceBuilder3.CocoaTouch.Storyboard.XIB\" version=\"3.0\"><scenes><scene sceneID=\"a\"><objects>\(text)</objects></scene></scenes></document>"
            )
        case .body:
            return (
                "App/Screen.swift",
                """
                import UIKit

                final class Screen: UIViewController {
                    let fixed: [UInt8] = [1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16]
                    var note = ""
                    func act(password: String, note: String, key: [UInt8], salt: [UInt8], accessToken: String, page: Int) throws {
                        \(text)
                    }
                }
                """
            )
        }
    }

    // MARK: Cryptography

    private static func crypto(
        _ name: String, _ leak: String, _ twin: String, around: Around = .body, other: String = ""
    )
        -> Form
    {
        Form(name: name, rule: "weak-cryptography", leak: leak, twin: twin, around: around, other: other)
    }

    private static let hashes: [Form] = [
        crypto(
            "CryptoKit", "send(SHA256.hash(data: Data(password.utf8)))", "send(SHA256.hash(data: Data(note.utf8)))"),
        crypto(
            "CryptoKit's MD5", "send(Insecure.MD5.hash(data: Data(password.utf8)))",
            "send(Insecure.MD5.hash(data: Data(note.utf8)))"),
        crypto("an extension", "send(password.md5())", "send(note.md5())"),
        crypto("an extension's property", "send(password.sha1)", "send(note.sha1)"),
        crypto("a helper", "send(Digest.sha512(of: password))", "send(Digest.sha512(of: note))"),
        crypto(
            "a local", "let plain = password.trimmed()\n        send(plain.md5())",
            "let plain = note.trimmed()\n        send(plain.md5())"),
        crypto(
            "what it is kept as", "let hashedPassword = entry.md5()\n        send(hashedPassword)",
            "let hashedName = entry.md5()\n        send(hashedName)"),
        crypto(
            "CommonCrypto", "_ = password.withCString { CC_MD5(password, 8, &digest) }",
            "_ = note.withCString { CC_MD5(note, 8, &digest) }"),
        crypto(
            "a hasher", "var hasher = SHA256()\n        hasher.update(data: Data(password.utf8))",
            "var hasher = SHA256()\n        hasher.update(data: Data(note.utf8))"),
        crypto(
            "a helper of another name", "send(Tools.twisted(password))", "send(Tools.twisted(note))",
            other: "enum Tools { static func twisted(_ text: String) -> String { text.md5() } }"),
        crypto(
            "a field", "let passwordView = InputView()\n        send(passwordView.content.md5())",
            "let nameView = InputView()\n        send(nameView.content.md5())"),
        crypto(
            "bytes of a closure",
            "let data = Data(password.utf8)\n        data.withUnsafeBytes { _ = CC_SHA256($0.baseAddress, 8, &out) }",
            "let data = Data(note.utf8)\n        data.withUnsafeBytes { _ = CC_SHA256($0.baseAddress, 8, &out) }"),
        crypto(
            "a function's name", "func hashPassword(_ text: String) -> String { text.sha256() }",
            "func hashName(_ text: String) -> String { text.sha256() }", around: .file),
        crypto(
            "an extension of another name", "send(password.twisted)", "send(note.twisted)",
            other: "extension String { var twisted: String { Insecure.MD5.hash(data: Data(utf8)).description } }"),
        crypto("stretched", "send(password.sha256())", "send(PBKDF2(password: password, salt: salt).sha256())"),
        crypto(
            "Objective-C's category", "[self send:[password md5]];", "[self send:[note md5]];", around: .objectiveCBody),
        crypto(
            "Objective-C's helper", "[self send:[Tools sha1:password]];", "[self send:[Tools sha1:note]];",
            around: .objectiveCBody),
        crypto(
            "Objective-C's function",
            "CC_SHA256(password.UTF8String, (CC_LONG)password.length, digest);",
            "CC_SHA256(note.UTF8String, (CC_LONG)note.length, digest);", around: .objectiveCBody),
    ]

    private static func cipher(_ options: String, _ vector: String) -> String {
        "CCCrypt(CCOperation(kCCEncrypt), CCAlgorithm(kCCAlgorithmAES), CCOptions(\(options)), key, 32, \(vector), note, 16, nil, 0, nil)"
    }

    private static let ciphers: [Form] = [
        crypto(
            "ECB of a library", "_ = try AES(key: key, blockMode: ECB()).encrypt(note.bytes)",
            "_ = try AES(key: key, blockMode: CBC(iv: AES.randomIV(16))).encrypt(note.bytes)"),
        crypto(
            "ECB of CommonCrypto", cipher("kCCOptionPKCS7Padding | kCCOptionECBMode", "nil"),
            cipher("kCCOptionPKCS7Padding", "salt")),
        crypto(
            "no vector", cipher("kCCOptionPKCS7Padding", "nil"), cipher("kCCOptionPKCS7Padding", "salt")),
        crypto(
            "a constant vector", "_ = try AES(key: key, blockMode: CBC(iv: fixed)).encrypt(note.bytes)",
            "_ = try AES(key: key, blockMode: CBC(iv: salt)).encrypt(note.bytes)"),
        crypto(
            "a vector of text", "_ = try AES(key: \"k\", iv: \"SixteenBytesLong\").encrypt(note.bytes)",
            "_ = try AES(key: \"k\", iv: note).encrypt(note.bytes)"),
        crypto(
            "a vector of zeros",
            "let iv = [UInt8](repeating: 0, count: 16)\n        _ = try AES(key: key, blockMode: CBC(iv: iv)).encrypt(note.bytes)",
            "let iv = AES.randomIV(16)\n        _ = try AES(key: key, blockMode: CBC(iv: iv)).encrypt(note.bytes)"),
        crypto(
            "a constant nonce", "let nonce = try AES.GCM.Nonce(data: Data(count: 12))\n        send(nonce)",
            "let nonce = AES.GCM.Nonce()\n        send(nonce)"),
        crypto(
            "a constant salt", "_ = try PKCS5.PBKDF2(password: key, salt: Array(\"salt of all\".utf8)).calculate()",
            "_ = try PKCS5.PBKDF2(password: key, salt: salt).calculate()"),
        crypto(
            "3DES of CommonCrypto",
            "CCCrypt(CCOperation(kCCEncrypt), CCAlgorithm(kCCAlgorithm3DES), CCOptions(kCCOptionPKCS7Padding), key, 24, salt, note, 16, nil, 0, nil)",
            cipher("kCCOptionPKCS7Padding", "salt")),
        crypto(
            "a small key of RSA",
            "let asked: [CFString: Any] = [kSecAttrKeyType: kSecAttrKeyTypeRSA, kSecAttrKeySizeInBits: 1024]\n        _ = SecKeyCreateRandomKey(asked as CFDictionary, nil)",
            "let asked: [CFString: Any] = [kSecAttrKeyType: kSecAttrKeyTypeRSA, kSecAttrKeySizeInBits: 3072]\n        _ = SecKeyCreateRandomKey(asked as CFDictionary, nil)"
        ),
        crypto(
            "a key of rand", "func makeKey() -> Int32 { rand() }", "func roll() -> Int32 { rand() }", around: .file),
        crypto(
            "DES",
            "CCCrypt(CCOperation(kCCEncrypt), CCAlgorithm(kCCAlgorithmDES), CCOptions(kCCOptionPKCS7Padding), key, 8, salt, note, 16, nil, 0, nil)",
            cipher("kCCOptionPKCS7Padding", "salt")),
        crypto(
            "Objective-C's ECB",
            "CCCrypt(kCCEncrypt, kCCAlgorithmAES128, kCCOptionPKCS7Padding | kCCOptionECBMode, key, 16, NULL, note.UTF8String, 16, out, 32, &moved);",
            "CCCrypt(kCCEncrypt, kCCAlgorithmAES128, kCCOptionPKCS7Padding, key, 16, iv, note.UTF8String, 16, out, 32, &moved);",
            around: .objectiveCBody),
    ]

    // MARK: URLs

    private static func url(_ name: String, _ leak: String, _ twin: String, around: Around = .body) -> Form {
        Form(name: name, rule: "secret-in-url", leak: leak, twin: twin, around: around)
    }

    private static let urls: [Form] = [
        url(
            "a query item", "send([URLQueryItem(name: \"p\", value: password)])",
            "send([URLQueryItem(name: \"p\", value: note)])"),
        url(
            "a telling item", "send([URLQueryItem(name: \"access_token\", value: next())])",
            "send([URLQueryItem(name: \"page_token\", value: next())])"),
        url(
            "a builder of requests",
            "let d = [\"token\": entry()]\n        send(make(\"GET\", path: \"a\", parameters: d))",
            "let d = [\"token\": entry()]\n        send(make(\"POST\", path: \"a\", parameters: d))"),
        url(
            "a builder in Objective-C",
            "@implementation Client\n- (NSMutableDictionary *)base { NSMutableDictionary *d = [NSMutableDictionary dictionary]; [d setObject:Account.me.token forKey:@\"token\"]; return d; }\n- (id)visits { NSMutableDictionary *d = [self base]; [d setObject:@(1) forKey:@\"page\"]; return [self send:[self make:@\"GET\" path:@\"visits\" parameters:d]]; }\n@end",
            "@implementation Client\n- (NSMutableDictionary *)base { NSMutableDictionary *d = [NSMutableDictionary dictionary]; [d setObject:Account.me.mail forKey:@\"mail\"]; return d; }\n- (id)visits { NSMutableDictionary *d = [self base]; [d setObject:@(1) forKey:@\"page\"]; return [self send:[self make:@\"GET\" path:@\"visits\" parameters:d]]; }\n@end",
            around: .objectiveC),
        url(
            "what is added to an address",
            "var address = base + \"/x?kind=a\"\n        address += \"&access_token=\" + accessToken",
            "var body = \"kind=a\"\n        body += \"&access_token=\" + accessToken"),
        url(
            "a weak name", "send([URLQueryItem(name: \"pin\", value: entry())])",
            "send([URLQueryItem(name: \"pin\", value: String(marker.id))])"),
        url(
            "a weak parameter", "load(\"https://a.example/x?auth=\\(entry())\")",
            "load(\"https://a.example/x?author=\\(entry())\")"),
        url(
            "an interpolation", "load(\"https://a.example/x?t=\\(accessToken)\")",
            "load(\"https://a.example/x?t=\\(note)\")"
        ),
        url(
            "a telling parameter", "load(\"https://a.example/x?password=\\(entry())\")",
            "load(\"https://a.example/x?colour=\\(entry())\")"),
        url(
            "a path", "load(\"https://a.example/reset/\\(password)\")", "load(\"https://a.example/reset/\\(note)\")"),
        url(
            "a sum", "load(baseURL + \"/x?password=\" + password)", "load(baseURL + \"/x?note=\" + note)"),
        url(
            "a second parameter", "load(baseURL + \"/x?page=1&password=\" + password)",
            "load(baseURL + \"/x?page=1&note=\" + note)"),
        url(
            "a format", "load(String(format: \"https://a.example/x?t=%@\", accessToken))",
            "load(String(format: \"https://a.example/x?t=%@\", note))"),
        url(
            "a socket", "connect(URL(string: \"wss://a.example/live?token=\\(accessToken)\")!)",
            "connect(URL(string: \"wss://a.example/live?page=\\(page)\")!)"),
        url(
            "parameters of a GET",
            "AF.request(\"https://a.example\", method: .get, parameters: [\"password\": password])",
            "AF.request(\"https://a.example\", method: .post, parameters: [\"password\": password])"),
        url(
            "an encoding in the query",
            "request(parameters: [\"password\": password], encoding: URLEncoding.queryString)",
            "request(parameters: [\"password\": password], encoding: URLEncoding.httpBody)"),
        url(
            "an endpoint's path",
            "enum Route {\n    case open(pinHash: String)\n    var path: String {\n        switch self { case .open(let pinHash): return \"/open/\\(pinHash)\" }\n    }\n}",
            "enum Route {\n    case open(id: String)\n    var path: String {\n        switch self { case .open(let id): return \"/open/\\(id)\" }\n    }\n}",
            around: .file),
        url(
            "Objective-C's format", "[self load:[NSString stringWithFormat:@\"https://a.example/x?p=%@\", password]];",
            "[self load:[NSString stringWithFormat:@\"https://a.example/x?p=%@\", note]];", around: .objectiveCBody),
        url(
            "Objective-C's GET", "[manager GET:@\"x\" parameters:@{@\"password\": password} success:nil failure:nil];",
            "[manager POST:@\"x\" parameters:@{@\"password\": password} success:nil failure:nil];",
            around: .objectiveCBody),
    ]

    // MARK: The pasteboard

    private static func paste(_ name: String, _ leak: String, _ twin: String, around: Around = .body) -> Form {
        Form(name: name, rule: "secret-on-pasteboard", leak: leak, twin: twin, around: around)
    }

    private static func phrase(_ name: String) -> String {
        "struct \(name): View {\n    let phrase: [String]\n    func copy() { UIPasteboard.general.string = phrase.joined(separator: \" \") }\n}"
    }

    private static func provider(_ value: String) -> String {
        "final class Screen: UIViewController {\n    var seedPhrase = \"\"\n    var address = \"\"\n    func copy() { UIPasteboard.general.setObjects([self], localOnly: false, expirationDate: Date()) }\n}\nextension Screen: NSItemProviderWriting {\n    func loadData(withTypeIdentifier type: String, forItemProviderCompletionHandler done: @escaping (Data?, Error?) -> Void) -> Progress? {\n        done(\(value).data(using: .utf8), nil)\n        return nil\n    }\n}"
    }

    private static let pasteboards: [Form] = [
        paste(
            "a label", "let privateKeyLabel = UILabel()\n        UIPasteboard.general.string = privateKeyLabel.text",
            "let addressLabel = UILabel()\n        UIPasteboard.general.string = addressLabel.text"),
        paste(
            "a bound label",
            "let privateKeyLbl = UILabel()\n        if let text = privateKeyLbl.text { UIPasteboard.general.string = text }",
            "let publicKeyLbl = UILabel()\n        if let text = publicKeyLbl.text { UIPasteboard.general.string = text }"
        ),
        paste("the words of a phrase", phrase("RecoveryPhraseView"), phrase("GreetingView"), around: .file),
        paste("an object that provides itself", provider("seedPhrase"), provider("address"), around: .file),
        paste(
            "an expiry alone",
            "UIPasteboard.general.setItems([[\"t\": password]], options: [.expirationDate: Date()])",
            "UIPasteboard.general.setItems([[\"t\": password]], options: [.expirationDate: Date(), .localOnly: true])"),
        paste(
            "for this device alone",
            "UIPasteboard.general.setItems([[\"t\": password]], options: [.localOnly: true])",
            "UIPasteboard.general.setItems([[\"t\": note]], options: [.localOnly: true])"),
        paste(
            "item providers",
            "UIPasteboard.general.setItemProviders([NSItemProvider(object: password as NSString)], localOnly: true, expirationDate: nil)",
            "UIPasteboard.general.setItemProviders([NSItemProvider(object: password as NSString)], localOnly: true, expirationDate: Date())"
        ),
    ]
}
