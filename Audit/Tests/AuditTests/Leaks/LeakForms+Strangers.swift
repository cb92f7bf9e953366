// SPDX-License-Identifier: Apache-2.0

/// Forms that apps of strangers have: parts of records, promises, macros of macros, headers of a session, previews, and
/// components that serve many fields.
extension LeakForms {
    private static func form(
        _ rule: String, _ name: String, _ leak: String, _ twin: String, around: Around = .file, other: String = ""
    ) -> Form {
        Form(name: name, rule: rule, leak: leak, twin: twin, around: around, other: other)
    }

    private static func kept(_ value: String, of declaration: String = "") -> String {
        "\(declaration)\nfinal class Keeper { func keep(_ account: Account, mnemonic: String) { \(value) } }"
    }

    private static let account = "struct Account: Codable { var url: String; var accessToken: String }"

    static let strangersStores: [Form] = [
        form(
            "secret-in-store", "a part of a record with a token",
            kept("UserDefaults.standard.set(account.accessToken, forKey: \"last\")", of: account),
            kept("UserDefaults.standard.set(account.url, forKey: \"last\")", of: account)),
        form(
            "secret-in-store", "what is made of a phrase",
            kept("let words = mnemonic.trimmed()\n        UserDefaults.standard.set(words, forKey: \"v\")"),
            kept(
                "let walletAddress = mnemonic.trimmed()\n        UserDefaults.standard.set(walletAddress, forKey: \"v\")"
            )),
        form(
            "secret-in-store", "a token that the system registers",
            "final class A { func application(_ a: UIApplication, didOpenLink link: Data) { let hexToken = made(link)\n        UserDefaults.standard.set(hexToken, forKey: \"v\") } }",
            "final class A { func application(_ a: UIApplication, didRegisterForRemoteNotificationsWithDeviceToken link: Data) { let hexToken = made(link)\n        UserDefaults.standard.set(hexToken, forKey: \"v\") } }"
        ),
        form(
            "secret-in-store", "a coin under a token's name",
            "final class A { func keep(certifiedToken: String) { UserDefaults.standard.set(certifiedToken, forKey: \"v\") } }",
            "struct Token { var symbol = \"\"; var decimals = 1 }\nfinal class A { func keep(certifiedToken: String) { UserDefaults.standard.set(certifiedToken, forKey: \"v\") } }"
        ),
        form(
            "secret-in-store", "a value of any kind",
            "enum Scalar: Codable { case string(String), int(Int) }\n\(scalars)",
            "enum Scalar: Codable { case on, off }\n\(scalars)"),
        form(
            "secret-in-store", "a component of a screen", component(hides: "true"), component(hides: "isHidden")),
        form(
            "secret-in-store", "a record of a patient",
            "import RealmSwift\nfinal class Patient: Object { @Persisted var birthDate = \"\"\n    @Persisted var gender = \"\" }\nfinal class Base { let realm = try? Realm() }",
            "import RealmSwift\nfinal class Client: Object { @Persisted var birthDate = \"\"\n    @Persisted var gender = \"\" }\nfinal class Base { let realm = try? Realm() }"
        ),
    ]

    private static let scalars =
        "struct LoginReply: Codable { let access_token: Scalar? }\nfinal class A { func keep(_ reply: LoginReply) { UserDefaults.standard.set(try? JSONEncoder().encode(reply), forKey: \"v\") } }"

    private static func component(hides: String) -> String {
        "final class InputBox: UIView { let textField = UITextField()\n    func set(_ isHidden: Bool) { textField.isSecureTextEntry = \(hides) } }\nfinal class Screen: UIViewController { let entry = InputBox()\n    func act() { UserDefaults.standard.set(entry.textField.text, forKey: \"v\") } }"
    }

    static let strangersLogs: [Form] = [
        form(
            "secret-in-log", "a static variable that begins empty",
            "extension URLRequest { static var commonToken = \"\"\n    static func make() { print(\"v: \\(commonToken)\") } }",
            "extension URLRequest { static let commonToken = \"none\"\n    static func make() { print(\"v: \\(commonToken)\") } }"
        ),
        form(
            "secret-in-log", "a code that is verified", "final class A { func verifyOTP(otp: String) { print(otp) } }",
            "final class A { func draw(otp: String) { print(otp) } }"),
        form(
            "secret-in-log", "what a promise goes on with",
            "final class A { func go() { provider.getAccessToken().done { text in print(text) } } }",
            "final class A { func go() { provider.getAccessToken().then { token -> Promise<Data> in\n            let request = made(token)\n            return self.load(request)\n        }.done { text in print(text) } } }"
        ),
        form(
            "secret-in-log", "another key of a record",
            "final class A { func go(_ object: NSDictionary) { keep(object[\"secretKey\"])\n        print(object) } }",
            "final class A { func go(_ object: NSDictionary) { keep(object[\"secretKey\"])\n        print(object.value(forKeyPath: \"user.nick\")) } }"
        ),
        form("secret-in-log", "what went wrong with it", parsed("info"), parsed("error"), around: .objectiveCBody),
        form(
            "secret-in-log", "a macro of a macro", macro("NSLog(fmt, ##__VA_ARGS__)"), macro("[Window show:fmt]"),
            around: .objectiveC),
        form(
            "secret-in-log", "the headers of a session", headers("Authorization", "accessToken"),
            headers("Accept-Language", "locale"), around: .objectiveC),
        form(
            "secret-in-log", "a response whose type the caller says", loader("T"), loader("Weather"), other: reply),
        form(
            "secret-in-log", "what a connection receives", delegate("connection:(NSURLConnection *)connection"),
            delegate("stream:(NSStream *)stream"), around: .objectiveC, other: reply),
        form(
            "secret-in-log", "a preview", "final class A { func go() { Gate { accessToken in print(accessToken) } } }",
            "#Preview {\n    Gate { accessToken in print(accessToken) }\n}"),
        form(
            "secret-in-log", "a stand-in", "final class Session { func enter(_ password: String) { print(password) } }",
            "final class MockSession { func enter(_ password: String) { print(password) } }"),
        form(
            "secret-in-log", "a constant that is a page", page("static var mnemonic: String { made() }"),
            page("static let mnemonic = base + \"mnemonic\"")),
    ]

    static let strangersMore: [Form] = [
        form(
            "secure-entry", "a content type that keeps the system from filling in", typed("Old one"),
            typed("Telegram link"), around: .storyboard),
        form(
            "secret-in-log", "a page below another one", joined("static var mnemonic: String { made() }"),
            joined("static let mnemonic = Base.address + \"mnemonic\"")),
        form(
            "secret-in-log", "what is wrong with each field", faults("password"), faults("errors")),
        form(
            "hardcoded-secret", "a path of two words", "enum A { static let loginPassword = \"user/\(word)\" }",
            "enum A { static let loginPassword = \"user/loginPassword\" }"),
        form(
            "secure-entry", "the field of a screen in its model",
            "final class Entry: UIViewController { var tfPassword = UITextField() }",
            "final class EntryVM { var tfPassword = UITextField() }"),
        form(
            "secret-in-log", "what subclasses make", open("[\"password\": word]"), open("[\"name\": word]")),
        form(
            "secret-in-log", "a session in which one trains",
            "final class AccountService { func keep(sessionId: String) { print(sessionId) } }",
            "final class TrainingService { func keep(sessionId: String) { print(sessionId) } }"),
        form(
            "secret-in-log", "the headers of a request that was sent",
            request("Authorization", "accessToken"), request("Accept-Language", "locale"), around: .objectiveC),
    ]

    private static func joined(_ declaration: String) -> String {
        "enum Base { static var address: String { live ? one : two } }\nstruct Pages { \(declaration) }\nfinal class A { func go() { print(Pages.mnemonic) } }"
    }

    private static func faults(_ name: String) -> String {
        "struct Faults: Codable { var confirmPassword: String }\nstruct Reply: Codable { var errors: Faults; var password: String }\nfinal class A { func go(_ reply: Reply) { print(reply.\(name)) } }"
    }

    private static func typed(_ placeholder: String) -> String {
        "<viewController id=\"v\"><view><textField id=\"f\" placeholder=\"\(placeholder)\"><textInputTraits key=\"textInputTraits\" textContentType=\"password\"/></textField></view></viewController>"
    }

    private static func open(_ value: String) -> String {
        "class Service { func parameters() -> [String: Any]? { fatalError() }\n    func send() { print(parameters()) } }\nfinal class Enter: Service { override func parameters() -> [String: Any]? { return \(value) } }"
    }

    private static func request(_ key: String, _ value: String) -> String {
        "@implementation A\n- (void)enter:(NSString *)\(value) { [self.session.requestSerializer setValue:\(value) forHTTPHeaderField:@\"\(key)\"]; }\n- (void)note:(AFHTTPRequestOperation *)operation { NSLog(@\"%@\", operation.request.allHTTPHeaderFields); }\n@end"
    }

    private static let reply = "struct LoginReply: Codable { let accessToken: String }"

    private static func parsed(_ name: String) -> String {
        "NSError *error = nil;\n    NSDictionary *info = [NSJSONSerialization JSONObjectWithData:[note dataUsingEncoding:4] options:0 error:&error];\n    NSLog(@\"got %@\", \(name));\n    [self open:[info objectForKey:@\"secretKey\"]];"
    }

    private static func macro(_ body: String) -> String {
        "#define NOTES 1\n#if NOTES\n#define NOTE_ALL(level, fmt, ...) do { NSString *info = [NSString stringWithFormat:@\"%s(%d)\", __func__, __LINE__]; if (level == 1) { \(body); } } while(0)\n#else\n#define NOTE_ALL(level, fmt, ...)\n#endif\n#define AppNote(fmt, ...) NOTE_ALL(1, fmt, ##__VA_ARGS__)\n@implementation A\n- (void)enter:(NSString *)password { AppNote(@\"got %@\", password); }\n@end"
    }

    private static func headers(_ key: String, _ value: String) -> String {
        "@implementation A\n- (void)enter:(NSString *)\(value) { [self.session.requestSerializer setValue:\(value) forHTTPHeaderField:@\"\(key)\"]; }\n- (void)note { NSLog(@\"%@\", self.session.requestSerializer.HTTPRequestHeaders); }\n@end"
    }

    private static func loader(_ type: String) -> String {
        "final class Wire { func run\(type == "T" ? "<T: Codable>" : "")(done: @escaping (Result<\(type), any Error>) -> Void) {\n        AF.request(address).responseData { response in\n            switch response.result {\n            case .success(let bytes): print(String(data: bytes, encoding: .utf8)!)\n            case .failure: break\n            }\n        }\n    } }"
    }

    private static func delegate(_ selector: String) -> String {
        "@implementation A\n- (void)\(selector) didReceiveData:(NSData *)data { NSString *text = [[NSString alloc] initWithData:data encoding:4]; NSLog(@\"%@\", text); }\n@end"
    }

    private static func page(_ declaration: String) -> String {
        "struct Pages { static let base = \"https://a.example/\"\n    \(declaration) }\nfinal class A { func go() { print(Pages.mnemonic) } }"
    }

    private static let word = "Zq81!kfLt"
    private static let hex = "0xcc38546e9e659d15e6b4893f0ab32a06d103931a8230b0bd"

    static let strangersOthers: [Form] = [
        form(
            "hardcoded-secret", "what is given where nothing was typed",
            "final class A { func go() { enter(password: box.text ?? \"\(word)\") } }",
            "final class A { func go() { enter(password: box.text ?? \"none\") } }"),
        form(
            "hardcoded-secret", "a key for notifications",
            "enum A { static let sender = \"AAAA\(String(repeating: "Kd", count: 4)):APA91b\(String(repeating: "x7Q", count: 44))\" }",
            "enum A { static let sender = \"dPq1\(String(repeating: "Kd", count: 4)):APA91b\(String(repeating: "x7Q", count: 44))\" }"
        ),
        form(
            "hardcoded-secret", "a private key by a short word", "enum A { static let ownerPrikey = \"\(hex)\" }",
            "enum A { static let ownerPubkey = \"\(hex)\" }"),
        form(
            "hardcoded-secret", "a label in other letters", "enum A { static let password = \"\(word)\" }",
            "enum A { static let password = \"\u{41F}\u{430}\u{440}\u{43E}\u{43B}\u{430}:\" }"),
        form(
            "hardcoded-secret", "a key that a service gives everyone",
            "#define PAY_APPKEY @\"5b0fe262f43e481d740001f5\"",
            "#define UMENG_APPKEY @\"5b0fe262f43e481d740001f5\"", around: .objectiveC),
        form(
            "secure-entry", "a flag that names a window",
            "final class A: UIViewController { let box = BoxView(title: Texts.password) }",
            "final class A: UIViewController { let box = BoxView(isShown: model.showingPasswordDialog) }",
            other: "final class BoxView: UIView { let field = UITextField() }"),
        form(
            "secure-entry", "a style",
            "final class A: UIViewController { let passwordField = Plain(style: Styles.name) }",
            "final class A: UIViewController { let passwordField = Plain(style: Styles.password) }",
            other:
                "final class Plain: UITextField {}\nstruct Styles { static let name = Style<Plain> { $0.textColor = .red }\n    static let password = Style<Plain> { $0.isSecureTextEntry = true } }"
        ),
        form(
            "keychain-use", "a table of classes",
            "final class A { func access(_ own: Own) -> Access { return .accessibleAlways } }",
            "final class A { func access(_ own: Own) -> Access {\n        switch own {\n        case .accessibleAlways: return .accessibleAlways\n        case .accessibleWhenUnlocked: return .accessibleWhenUnlocked\n        }\n    } }"
        ),
        form(
            "field-not-cleared", "a field that chooses a coin", clearing(""),
            clearing("struct Token { var symbol = \"\"; var decimals = 1 }")),
    ]

    private static func clearing(_ declaration: String) -> String {
        "\(declaration)\nfinal class Screen: UIViewController { let singleTokenField = UITextField()\n    func act() { send(singleTokenField.text)\n        present(Next(), animated: true) } }"
    }
}
