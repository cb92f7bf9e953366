// SPDX-License-Identifier: Apache-2.0

/// Literals, the keychain, connections and fields.
extension LeakForms {
    private static func form(
        _ rule: String, _ name: String, _ leak: String, _ twin: String, around: Around = .body, other: String = ""
    ) -> Form {
        Form(name: name, rule: rule, leak: leak, twin: twin, around: around, other: other)
    }

    // MARK: Literals

    private static let key = "9f0c41b87ad2e6535c18"

    static let literals: [Form] = [
        form(
            "hardcoded-secret", "a header", "request.addValue(\"\(key)\", forHTTPHeaderField: \"X-API-Key\")",
            "request.addValue(\"\(key)\", forHTTPHeaderField: \"X-Request-Digest\")"),
        form(
            "hardcoded-secret", "a header of a library", "_ = HTTPHeader(name: \"X-Api-Secret\", value: \"\(key)\")",
            "_ = HTTPHeader(name: \"X-Revision\", value: \"\(key)\")"),
        form(
            "hardcoded-secret", "a header by subscript", "headers[\"X-API-KEY\"] = \"\(key)\"",
            "headers[\"X-REVISION\"] = \"\(key)\""),
        form(
            "hardcoded-secret", "a property that chooses",
            "enum Stage {\n    static var apiSecret: String {\n        switch now { case .live: return \"\(key)\"\n        case .test: return \"a\(key)\" }\n    }\n}",
            "enum Stage {\n    static var revision: String {\n        switch now { case .live: return \"\(key)\"\n        case .test: return \"a\(key)\" }\n    }\n}",
            around: .file),
        form(
            "hardcoded-secret", "a property that is one",
            "enum Stage { static var clientSecret: String { \"\(key)\" } }",
            "enum Stage { static var checksum: String { \"\(key)\" } }", around: .file),
        form(
            "hardcoded-secret", "a function", "enum Stage { static func privateKey() -> String { return \"\(key)\" } }",
            "enum Stage { static func digest() -> String { return \"\(key)\" } }", around: .file),
        form(
            "hardcoded-secret", "the key of an HMAC", "send(Tools.signed(note, with: \"\(key)\"))",
            "send(Tools.tagged(note, with: \"\(key)\"))",
            other:
                "enum Tools {\n    static func signed(_ text: String, with word: String) -> String {\n        let bytes = word.utf8\n        CCHmac(1, bytes, 20, text, 4, &out)\n        return out\n    }\n    static func tagged(_ text: String, with word: String) -> String { text + word }\n}"
        ),
        form(
            "hardcoded-secret", "a password under another label", "send(note, with: \"ACMEWALLET\")",
            "send(note, by: \"ACMEWALLET\")",
            other: "func send(_ a: String, with password: String) {}\nfunc send(_ a: String, by sender: String) {}"),
        form(
            "hardcoded-secret", "Objective-C's header",
            "[request addValue:@\"\(key)\" forHTTPHeaderField:@\"X-API-KEY\"];",
            "[request addValue:@\"\(key)\" forHTTPHeaderField:@\"X-REVISION\"];", around: .objectiveCBody),
    ]

    // MARK: The keychain

    private static func helper(_ accessibility: String) -> String {
        "enum Safe {\n    static func put(_ data: Data, for name: String) throws {\n        let add: [CFString: Any] = [kSecClass: kSecClassGenericPassword, kSecAttrAccount: name, kSecValueData: data, kSecAttrAccessible: \(accessibility)]\n        SecItemDelete(add as CFDictionary)\n        guard SecItemAdd(add as CFDictionary, nil) == errSecSuccess else { throw Failure() }\n    }\n}"
    }

    private static func item(_ value: String, _ accessibility: String) -> String {
        "let add: [CFString: Any] = [kSecClass: kSecClassGenericPassword, kSecValueData: Data(\(value).utf8), kSecAttrAccessible: \(accessibility)]\n        SecItemDelete(add as CFDictionary)\n        guard SecItemAdd(add as CFDictionary, nil) == errSecSuccess else { return }"
    }

    static let keychain: [Form] = [
        form(
            "keychain-use", "a password", item("password", "kSecAttrAccessibleAfterFirstUnlock"),
            item("password", "kSecAttrAccessibleWhenUnlocked")),
        form(
            "keychain-use", "a token may have to be readable",
            item("password", "kSecAttrAccessibleAfterFirstUnlockThisDeviceOnly"),
            item("accessToken", "kSecAttrAccessibleAfterFirstUnlockThisDeviceOnly")),
        form(
            "keychain-use", "a helper", "try Safe.put(Data(), for: \"app.master_key\")",
            "try Safe.put(Data(), for: \"app.session\")", other: helper("kSecAttrAccessibleAfterFirstUnlock")),
        form(
            "keychain-use", "a helper by a value", "try Safe.put(Data(password.utf8), for: \"a\")",
            "try Safe.put(Data(note.utf8), for: \"a\")", other: helper("kSecAttrAccessibleAfterFirstUnlock")),
        form(
            "keychain-use", "a wrapper's option",
            "guard KeychainSwift().set(password, forKey: \"p\", withAccess: .accessibleAfterFirstUnlock) else { return }",
            "guard KeychainSwift().set(password, forKey: \"p\", withAccess: .accessibleWhenUnlocked) else { return }"),
        form(
            "keychain-use", "a wrapper's setting",
            "final class Safe {\n    let keychain = Keychain(service: \"a\").accessibility(.afterFirstUnlock)\n    func keep(_ password: String) throws { try keychain.set(password, key: \"password\") }\n}",
            "final class Safe {\n    let keychain = Keychain(service: \"a\").accessibility(.afterFirstUnlock)\n    func keep(_ lastSync: String) throws { try keychain.set(lastSync, key: \"last\") }\n}",
            around: .file),
        form(
            "keychain-use", "a wrapper's class method",
            "@implementation Safe\n- (void)start { [SAMKeychain setAccessibilityType:kSecAttrAccessibleAfterFirstUnlock]; }\n- (BOOL)keep:(NSString *)passphrase { return [SAMKeychain setPassword:passphrase forService:@\"a\" account:@\"b\"]; }\n@end",
            "@implementation Safe\n- (void)start { [SAMKeychain setAccessibilityType:kSecAttrAccessibleWhenUnlocked]; }\n- (BOOL)keep:(NSString *)passphrase { return [SAMKeychain setPassword:passphrase forService:@\"a\" account:@\"b\"]; }\n@end",
            around: .objectiveC),
        form(
            "keychain-use", "a wrapper's property",
            "let keychain = Keychain(service: \"a\")\n        keychain.accessibility = .afterFirstUnlock\n        try keychain.set(password, key: \"p\")",
            "let keychain = Keychain(service: \"a\")\n        keychain.accessibility = .whenUnlocked\n        try keychain.set(password, key: \"p\")"
        ),
        form(
            "keychain-use", "a dropped answer",
            "KeychainSwift().set(password, forKey: \"p\")", "KeychainSwift().set(note, forKey: \"device_id\")"),
    ]

    // MARK: Connections

    private static let signsIn = "struct SignIn { var password = \"\"; var accessToken = \"\" }"

    static let connections: [Form] = [
        form(
            "transport-security", "a base", "enum Settings { static let baseURL = \"http://api.shop.io\" }",
            "enum Settings { static let privacyURL = \"http://www.shop.io/privacy\" }", around: .file, other: signsIn),
        form(
            "transport-security", "a made base", "let apiRoot = URL(string: \"http://shop.io/api\")!",
            "let apiRoot = URL(string: \"http://localhost:8080/api\")!", around: .file, other: signsIn),
        form(
            "transport-security", "a socket's base",
            "enum Settings { static var socketHost: String { \"ws://live.shop.io\" } }",
            "enum Settings { static var socketHost: String { \"wss://live.shop.io\" } }", around: .file,
            other: signsIn),
        form(
            "transport-security", "a constant of Objective-C",
            "static NSString *const APIRootURL = @\"http://shop.io\";",
            "static NSString *const HelpPageURL = @\"http://shop.io\";", around: .objectiveC, other: signsIn),
        form(
            "transport-security", "a case of an enum",
            "enum Host: String { case live = \"https://api.shop.io/\", test = \"http://api2.shop.io/\" }\nlet client = Client(host: .test)",
            "enum Host: String { case live = \"https://api.shop.io/\", test = \"http://api2.shop.io/\" }\nlet client = Client(host: .live)",
            around: .file, other: signsIn),
        form(
            "transport-security", "a policy", "manager = Manager(policies: [\"a\": .disableEvaluation])",
            "manager = Manager(policies: [\"a\": .pinCertificates])"),
        form(
            "transport-security", "a library's switch", "manager.securityPolicy.allowInvalidCertificates = true",
            "manager.securityPolicy.allowInvalidCertificates = false"),
        form(
            "transport-security", "a socket's switch", "socket.disableSSLCertValidation = true",
            "socket.disableSSLCertValidation = false"),
    ]

    // MARK: Fields in code

    private static func hint(_ secure: String) -> String {
        "final class HintView: UIView {\n    private let input = UITextField()\n    init(hint: String) { super.init(frame: .zero); input.placeholder = hint; \(secure) }\n}"
    }

    static let fields: [Form] = [
        form(
            "secure-entry", "the app's own view",
            hint("") + "\nfinal class Form: UIViewController {\n    lazy var entry = HintView(hint: \"Password\")\n}",
            hint("input.isSecureTextEntry = true")
                + "\nfinal class Form: UIViewController {\n    lazy var entry = HintView(hint: \"Password\")\n}",
            around: .file),
        form(
            "secure-entry", "the app's own view by its name",
            hint("")
                + "\nfinal class Form: UIViewController {\n    var passwordView: HintView!\n    func load() { passwordView = HintView(hint: \"...\") }\n}",
            hint("")
                + "\nfinal class Form: UIViewController {\n    var nameView: HintView!\n    func load() { nameView = HintView(hint: \"...\") }\n}",
            around: .file),
        form(
            "secure-entry", "the app's own view in Objective-C",
            "@interface HintView : UIView\n@property UITextField *input;\n@end\n@implementation HintView\n- (instancetype)initWithHint:(NSString *)hint { _input = [[UITextField alloc] init]; return self; }\n@end\n@implementation Form\n- (void)load { self.passwordView = [[HintView alloc] initWithHint:Localised(@\"enter password\")]; }\n@end",
            "@interface HintView : UIView\n@property UITextField *input;\n@end\n@implementation HintView\n- (instancetype)initWithHint:(NSString *)hint { _input = [[UITextField alloc] init]; return self; }\n@end\n@implementation Form\n- (void)load { self.nameView = [[HintView alloc] initWithHint:Localised(@\"enter name\")]; }\n@end",
            around: .objectiveC),
        form(
            "secure-entry", "a component that can be secure",
            "struct InputField: View {\n    let title: String\n    @Binding var text: String\n    var isSecure = false\n    var body: some View { if isSecure { SecureField(title, text: $text) } else { TextField(title, text: $text) } }\n}\nstruct Form: View {\n    @State var password = \"\"\n    var body: some View { InputField(title: \"Password\", text: $password) }\n}",
            "struct InputField: View {\n    let title: String\n    @Binding var text: String\n    var isSecure = false\n    var body: some View { if isSecure { SecureField(title, text: $text) } else { TextField(title, text: $text) } }\n}\nstruct Form: View {\n    @State var password = \"\"\n    var body: some View { InputField(title: \"Password\", text: $password, isSecure: true) }\n}",
            around: .file),
        form(
            "secure-entry", "an alert with a formatted placeholder",
            "alert.addTextField { $0.placeholder = String(format: \"%@ (%@)\", Texts.password, Texts.optional) }",
            "alert.addTextField { $0.placeholder = String(format: \"%@ (%@)\", Texts.room, Texts.optional) }"),
        form(
            "secure-entry", "an alert that is made secure by an extension",
            "alert.addTextField { field in field.placeholder = \"Password\"; field.style() }",
            "alert.addTextField { field in field.placeholder = \"Password\"; field.hide() }",
            other:
                "extension UITextField {\n    func style() { textColor = .red }\n    func hide() { isSecureTextEntry = true }\n}"
        ),
        form(
            "secure-entry", "the text before it",
            "struct Form: View {\n    @State var text = \"\"\n    var body: some View { HStack { Text(\"Passcode\"); TextField(\"\", text: $text) } }\n}",
            "struct Form: View {\n    @State var text = \"\"\n    var body: some View { HStack { Text(\"Passcode\"); TextField(\"Name\", text: $text) } }\n}",
            around: .file),
        form(
            "secure-entry", "the title of its section",
            "struct Form: View {\n    @State var text = \"\"\n    var body: some View { Section(header: Text(\"API secret\")) { TextField(\"\", text: $text) } }\n}",
            "struct Form: View {\n    @State var text = \"\"\n    var body: some View { Section(header: Text(\"Name\")) { TextField(\"\", text: $text) } }\n}",
            around: .file),
        form(
            "secure-entry", "a text that an enum chooses",
            "enum Kind { case mail, secret; var hint: String { switch self { case .mail: \"Mail\"\n    case .secret: \"Password\" } } }\nfinal class Cell: UITableViewCell {\n    let field = UITextField()\n    func fill(_ kind: Kind) { field.placeholder = kind.hint }\n}",
            "enum Kind { case mail, secret; var hint: String { switch self { case .mail: \"Mail\"\n    case .secret: \"Password\" } } }\nfinal class Cell: UITableViewCell {\n    let field = UITextField()\n    func fill(_ kind: Kind) { field.placeholder = kind.hint; field.isSecureTextEntry = kind == .secret }\n}",
            around: .file),
        form(
            "secure-entry", "a function that makes it",
            "let pwd = makeField(placeholder: \"Password\", isSecure: false)\n        view.addSubview(pwd)",
            "let pwd = makeField(placeholder: \"Password\", isSecure: true)\n        view.addSubview(pwd)",
            other:
                "func makeField(placeholder: String, isSecure: Bool) -> UITextField {\n    let field = UITextField()\n    field.placeholder = placeholder\n    field.isSecureTextEntry = isSecure\n    return field\n}"
        ),
        form(
            "secure-entry", "an alert's title",
            "let alert = UIAlertController(title: \"Enter your password\", message: nil, preferredStyle: .alert)\n        alert.addTextField(configurationHandler: nil)",
            "let alert = UIAlertController(title: \"Enter your name\", message: nil, preferredStyle: .alert)\n        alert.addTextField(configurationHandler: nil)"
        ),
        form(
            "secure-entry", "an old alert",
            "UIAlertView *alert = [[UIAlertView alloc] initWithTitle:@\"Enter password\" message:nil delegate:self cancelButtonTitle:@\"No\" otherButtonTitles:@\"Yes\", nil];\n    alert.alertViewStyle = UIAlertViewStylePlainTextInput;",
            "UIAlertView *alert = [[UIAlertView alloc] initWithTitle:@\"Enter password\" message:nil delegate:self cancelButtonTitle:@\"No\" otherButtonTitles:@\"Yes\", nil];\n    alert.alertViewStyle = UIAlertViewStyleSecureTextInput;",
            around: .objectiveCBody),
        form(
            "secure-entry", "a field of its own class",
            "class AppField: UITextField {\n    convenience init(placeholder: String) { self.init(frame: .zero); self.placeholder = placeholder }\n}\nfinal class Form: UIViewController { let second = AppField(placeholder: \"Confirm password\") }",
            "class AppField: UITextField {\n    convenience init(placeholder: String) { self.init(frame: .zero); self.placeholder = placeholder }\n}\nfinal class Form: UIViewController { let second = AppField(placeholder: \"Confirm name\") }",
            around: .file),
        form(
            "secure-entry", "a PIN beside a code",
            "struct Form: View {\n    @State var newPIN = \"\"\n    var body: some View { TextField(\"4 digits\", text: $newPIN).textContentType(.oneTimeCode).keyboardType(.numberPad) }\n}",
            "struct Form: View {\n    @State var smsCode = \"\"\n    var body: some View { TextField(\"6 digits\", text: $smsCode).keyboardType(.numberPad) }\n}",
            around: .file),
        form(
            "secure-entry", "Objective-C's alert of a constant",
            "[alert addTextFieldWithConfigurationHandler:^(UITextField *f) { f.placeholder = [NSString stringWithFormat:@\"%@ (%@)\", PASSWORD_TEXT(), OPTIONAL_TEXT()]; }];",
            "[alert addTextFieldWithConfigurationHandler:^(UITextField *f) { f.placeholder = [NSString stringWithFormat:@\"%@ (%@)\", ROOM_TEXT(), OPTIONAL_TEXT()]; }];",
            around: .objectiveCBody),
        form(
            "keyboard-cache", "a text view in code",
            "final class Import: UIViewController { let mnemonicTextView = UITextView() }",
            "final class Import: UIViewController {\n    let mnemonicTextView: UITextView = {\n        let view = UITextView()\n        view.autocorrectionType = .no\n        return view\n    }()\n}",
            around: .file),
    ]

    // MARK: Fields of storyboards

    private static func scene(
        _ owner: String, title: String, label: String, outlet: String = "", element: String = "textField",
        traits: String = ""
    ) -> String {
        let connection =
            outlet.isEmpty
            ? "" : "<connections><outlet property=\"\(outlet)\" destination=\"f\" id=\"o\"/></connections>"
        return
            "<viewController id=\"c\" customClass=\"\(owner)\"><view key=\"view\"><subviews><label text=\"\(label)\" id=\"l\"><rect key=\"frame\" x=\"16\" y=\"75\" width=\"70\" height=\"30\"/></label><\(element) id=\"f\"><rect key=\"frame\" x=\"90\" y=\"75\" width=\"214\" height=\"30\"/><textInputTraits key=\"textInputTraits\"\(traits)/></\(element)></subviews></view><navigationItem key=\"navigationItem\" title=\"\(title)\" id=\"n\"/>\(connection)</viewController>"
    }

    static let interfaces: [Form] = [
        form(
            "secure-entry", "a label beside it", scene("Form", title: "Account", label: "New password"),
            scene("Form", title: "Account", label: "New name"), around: .storyboard),
        form(
            "secure-entry", "a lock code", scene("Form", title: "", label: "Lock code"),
            scene("Form", title: "", label: "图形验证码"), around: .storyboard),
        form(
            "hardcoded-secret", "the text of a secure field",
            "<textField id=\"f\" text=\"hunter2024\"><textInputTraits key=\"textInputTraits\" secureTextEntry=\"YES\"/></textField>",
            "<textField id=\"f\" text=\"Password\"><textInputTraits key=\"textInputTraits\" secureTextEntry=\"YES\"/></textField>",
            around: .storyboard),
        form(
            "secure-entry", "the scene's title", scene("Form", title: "Change password", label: "New :"),
            scene("Form", title: "Change password", label: "E-mail"), around: .storyboard),
        form(
            "secure-entry", "a label beside the view round it",
            "<viewController id=\"c\"><stackView key=\"view\"><subviews><label text=\"Password\" id=\"l\"><rect key=\"frame\" x=\"0\" y=\"0\" width=\"300\" height=\"20\"/></label><view id=\"v\"><rect key=\"frame\" x=\"0\" y=\"24\" width=\"300\" height=\"44\"/><subviews><textField id=\"f\"><rect key=\"frame\" x=\"8\" y=\"0\" width=\"280\" height=\"44\"/><textInputTraits key=\"textInputTraits\"/></textField></subviews></view></subviews></stackView></viewController>",
            "<viewController id=\"c\"><stackView key=\"view\"><subviews><label text=\"Name\" id=\"l\"><rect key=\"frame\" x=\"0\" y=\"0\" width=\"300\" height=\"20\"/></label><view id=\"v\"><rect key=\"frame\" x=\"0\" y=\"24\" width=\"300\" height=\"44\"/><subviews><textField id=\"f\"><rect key=\"frame\" x=\"8\" y=\"0\" width=\"280\" height=\"44\"/><textInputTraits key=\"textInputTraits\"/></textField></subviews></view></subviews></stackView></viewController>",
            around: .storyboard),
        form(
            "secure-entry", "an outlet round it", scene("Form", title: "", label: "", outlet: "passwordInputView"),
            scene("Form", title: "", label: "", outlet: "passwordInputView", traits: " secureTextEntry=\"YES\""),
            around: .storyboard),
        form(
            "keyboard-cache", "a word of a phrase", scene("ConfirmRecoveryViewController", title: "", label: "Word 2"),
            scene("CrosswordViewController", title: "", label: "Word 2"), around: .storyboard),
        form(
            "keyboard-cache", "an outlet of a word",
            scene("RepeatPhraseViewController", title: "", label: "", outlet: "secondWord"),
            scene(
                "RepeatPhraseViewController", title: "", label: "", outlet: "secondWord",
                traits: " autocorrectionType=\"no\""),
            around: .storyboard),
        form(
            "keyboard-cache", "a text view by its outlet",
            scene("ImportController", title: "", label: "", outlet: "mnemonicTextView", element: "textView"),
            scene("ImportController", title: "", label: "", outlet: "noteTextView", element: "textView"),
            around: .storyboard),
    ]
}
