// SPDX-License-Identifier: Apache-2.0

/// What no name tells: literals beside a key, in a form or a field, addresses that a log-in is joined to, views of
/// several lines, rows of forms, and screens that go.
extension LeakForms {
    private static func form(
        _ rule: String, _ name: String, _ leak: String, _ twin: String, around: Around = .body, other: String = ""
    ) -> Form {
        Form(name: name, rule: rule, leak: leak, twin: twin, around: around, other: other)
    }

    private static func literal(
        _ name: String, _ leak: String, _ twin: String, around: Around = .body, other: String = ""
    ) -> Form {
        form("hardcoded-secret", name, leak, twin, around: around, other: other)
    }

    private static let word = "Zq81!kfLt"
    private static let key = "9f0c41b87ad2e6535c18"
    private static let mixed = "XKPJdOgWOQudnXtM"

    static let company: [Form] = [
        literal(
            "a pair of a form", "send(\"app=shop&client_secret=\(word)&grant=code&user=\\(note)\")",
            "send(\"app=shop&client_name=\(word)&grant=code&user=\\(note)\")"),
        literal(
            "the last pair of a form", "send(\"app=shop&client_secret=\(word)\")",
            "send(\"app=shop&client_secret=\(word)\\(note)\")"),
        literal(
            "a pair that a service gives everyone", "send(\"https://a.example/x?api_key=\(key)\")",
            "send(\"https://maps.example/x?api_key=\(key)\")"),
        literal(
            "a pair that is signed", "let raw = \"id=\\(note)&key=\(mixed)\"\n        send(raw.md5())",
            "let raw = \"id=\\(note)&key=\(mixed)\"\n        send(raw)"),
        literal(
            "Objective-C's pair of a format",
            "NSString *raw = [NSString stringWithFormat:@\"id=%@&key=\(mixed)\", note];\n    [self send:[Hash md5:raw]];",
            "NSString *raw = [NSString stringWithFormat:@\"id=%@&key=%@\", note, note];\n    [self send:[Hash md5:raw]];",
            around: .objectiveCBody),
        literal(
            "what is hashed alone", "send(Hash.md5(\"\(key)\"))", "send(Hash.tag(\"\(key)\"))"),
        literal(
            "Objective-C's hash of a literal", "[self send:[Hash md5:@\"\(key)\"]];",
            "[self send:[Hash md5:@\"avatars.of.members\"]];", around: .objectiveCBody),
        literal(
            "Objective-C's value of a key", "[query setObject:@\"\(key)\" forKey:@\"api_key\"];",
            "[query setObject:@\"\(key)\" forKey:@\"revision\"];", around: .objectiveCBody),
        literal(
            "a value of a key", "query.setValue(\"\(key)\", forKey: \"api_key\")",
            "query.setValue(\"\(key)\", forKey: \"revision\")"),
        literal(
            "a field that is filled in",
            "serverField.text = \"https://a.example\"\n        passwordField.text = \"DemoWelcome\"",
            "serverLabel.text = \"https://a.example\"\n        passwordLabel.text = \"DemoWelcome\""),
        literal(
            "Objective-C's field that is filled in",
            "self.userField.text = @\"demo\";\n    self.passwordField.text = @\"DemoWelcome\";",
            "self.userField.text = @\"demo\";\n    self.passwordField.text = @\"********\";", around: .objectiveCBody),
        literal(
            "a parameter's default", "final class Box { init(defaultPassword: String = \"ACMEFOUNDATION\") {} }",
            "final class Box { init(defaultCurrency: String = \"ACMEFOUNDATION\") {} }", around: .file),
        literal(
            "a parameter's default that is empty", "func open(with password: String = \"Zq81kfPw\") {}",
            "func open(with password: String = \"\") {}", around: .file),
        literal(
            "a protocol's requirement",
            "protocol Sender { func send(_ box: Box, with password: String) }\nextension Sender { func send(_ box: Box) { send(box, with: \"ACMEFOUNDATION\") } }",
            "protocol Sender { func send(_ box: Box, with network: String) }\nextension Sender { func send(_ box: Box) { send(box, with: \"ACMEFOUNDATION\") } }",
            around: .file),
        literal(
            "Objective-C's key of a cipher",
            "#define gWord @\"a7fr$(Z;*3j03.I%V\"\n@implementation A\n- (void)seal { const void *raw = (const void *)[gWord UTF8String]; CCCrypt(kCCEncrypt, kCCAlgorithmAES, kCCOptionPKCS7Padding, raw, 16, iv, text, 16, out, 16, &moved); }\n@end",
            "#define gWord @\"a7fr$(Z;*3j03.I%V\"\n@implementation A\n- (void)seal { const void *raw = (const void *)[gWord UTF8String]; CCCrypt(kCCEncrypt, kCCAlgorithmAES, kCCOptionPKCS7Padding, key, 16, iv, raw, 16, out, 16, &moved); }\n@end",
            around: .objectiveC),
        literal(
            "a key of a cipher under another name",
            "let grain = \"pw2x9dKz1qLm77tu\"\nfunc seal(_ text: Data) throws -> Data { try AES.GCM.seal(text, using: SymmetricKey(data: Data(grain.utf8))).combined }",
            "let grain = \"pw2x9dKz1qLm77tu\"\nfunc seal(_ text: Data, _ kept: Data) throws -> Data { note(grain); return try AES.GCM.seal(text, using: SymmetricKey(data: kept)).combined }",
            around: .file),
        literal(
            "a token of one user",
            "let accessToken = \"eyJhbGciOiJIUzI1NiJ9.eyJyb2xlIjoidXNlcjEyMyIsInN1YiI6IjQ3MTE3MTQ3MTEifQ.c2lnbmVkLWJ5LXRoZS1zZXJ2ZXI0Nzcx\"\n        send(accessToken)",
            "let accessToken = \"eyJhbGciOiJIUzI1NiJ9.eyJyb2xlIjoiYW5vbiIsInN1YiI6IjQ3MTE3MTQ3MTE0NzExIn0.c2lnbmVkLWJ5LXRoZS1zZXJ2ZXI0Nzcx\"\n        send(accessToken)"
        ),
        literal(
            "what is no media type", "let apiKey = \"9f0c41b87ad2e653/5c18+a1\"\n        send(apiKey)",
            "let apiKey = \"application/vnd.a9f0c41b87ad2e653+json\"\n        send(apiKey)"),
    ]

    // MARK: Addresses

    private static let account = "struct Account: Codable { var token: String; var password: String }"

    static let addresses: [Form] = [
        form(
            "transport-security", "a base that a log-in is joined to",
            "let newPlace = \"http://a.shopping.org/v1\"\nstruct Paths { static let enter = newPlace + \"/login\" }",
            "let newPlace = \"http://a.shopping.org/v1\"\nstruct Paths { static let enter = newPlace + \"/lists\" }",
            around: .file, other: account),
        form(
            "transport-security", "a log-in on a private network",
            "let newURL = \"http://192.168.8.20/a/api/v1\"\nstruct Paths { static let enter = newURL + \"/login\" }",
            "let newURL = \"http://127.0.0.1/a/api/v1\"\nstruct Paths { static let enter = newURL + \"/login\" }",
            around: .file, other: account),
        form(
            "transport-security", "an address that is typed",
            "final class ServerClient { func open(_ address: String) { if !address.contains(\"http\") { load(\"http://\" + address) } } }",
            "final class ServerClient { func open(_ address: String) { if !address.contains(\"http\") { load(\"https://\" + address) } } }",
            around: .file, other: account),
        form(
            "transport-security", "an address with a page",
            "final class ServerClient { func open(_ host: String) { load(\"http://\\(host)\") } }",
            "final class PageView { func open(_ website: String) { load(\"http://\\(website)\") } }",
            around: .file, other: account),
        form(
            "transport-security", "Objective-C's request",
            "NSString *post = [[NSString alloc] initWithFormat:@\"mail=%@&password=%@\", note, password];\n    NSURL *url = [NSURL URLWithString:@\"http://a.shopping.org/in\"];\n    NSMutableURLRequest *request = [[NSMutableURLRequest alloc] init];\n    [request setURL:url];\n    [request setHTTPBody:[post dataUsingEncoding:NSUTF8StringEncoding]];",
            "NSString *post = [[NSString alloc] initWithFormat:@\"note=%@\", note];\n    NSURL *url = [NSURL URLWithString:@\"http://a.shopping.org/in\"];\n    NSMutableURLRequest *request = [[NSMutableURLRequest alloc] init];\n    [request setURL:url];\n    [request setHTTPBody:[post dataUsingEncoding:NSUTF8StringEncoding]];",
            around: .objectiveCBody),
        form(
            "secret-in-url", "a property that is a URL",
            "enum Paths { static let socket = \"wss://a.example/live?token=\\(Session.accessToken)\" }",
            "enum Paths { static let socket = \"wss://a.example/live?page=\\(Session.page)\" }", around: .file),
        form(
            "secret-in-url", "a route's payload", route(verb: "GET"), route(verb: "POST"), around: .file),
        form(
            "secret-in-url", "query items that become a body",
            "final class Client {\n    func enter(password: String) { make([URLQueryItem(name: \"password\", value: password)]) }\n    func make(_ items: [URLQueryItem]) { parts.queryItems = items; load(parts.url) }\n}",
            "final class Client {\n    func enter(password: String) { make([URLQueryItem(name: \"password\", value: password)]) }\n    func make(_ items: [URLQueryItem]) { parts.queryItems = items; request.httpBody = parts.query?.data(using: .utf8) }\n}",
            around: .file),
        form(
            "secret-in-url", "a token for push messages",
            "load(\"https://a.example/x?member_type=1&token=\\(entry())\")",
            "load(\"https://a.example/x?device_type=1&token=\\(entry())\")"),
    ]

    private static func route(verb: String) -> String {
        "enum Route {\n    case enter(accessToken: String)\n    var method: Method { switch self { case .enter: return .\(verb) } }\n    var request: URLRequest { switch self { case let .enter(accessToken): return ParameterEncoding.URL.encode(plain, parameters: [\"code\": accessToken]).0 } }\n}"
    }

    // MARK: Views of several lines, and rows

    private static func textView(_ outlet: String, _ traits: String = "") -> String {
        "<viewController id=\"c\" customClass=\"KeyController\"><view key=\"view\"><subviews><textView id=\"f\"><rect key=\"frame\" x=\"90\" y=\"75\" width=\"214\" height=\"90\"/><textInputTraits key=\"textInputTraits\"\(traits)/></textView></subviews></view><connections><outlet property=\"\(outlet)\" destination=\"f\" id=\"o\"/></connections></viewController>"
    }

    private static func cell(_ owner: String) -> String {
        "<collectionViewCell id=\"c\" customClass=\"\(owner)\"><view key=\"contentView\"><subviews><textView id=\"f\"><rect key=\"frame\" x=\"9\" y=\"7\" width=\"214\" height=\"90\"/><textInputTraits key=\"textInputTraits\"/></textView></subviews></view><connections><outlet property=\"wordsTextView\" destination=\"f\" id=\"o\"/></connections></collectionViewCell>"
    }

    private static func factory(_ name: String) -> String {
        "@interface Form : UIViewController\n@property (nonatomic, strong) YYTextView *\(name);\n@end\n@implementation Form\n- (void)load { _\(name) = [self createTextView]; }\n- (YYTextView *)createTextView { YYTextView *made = [[YYTextView alloc] init]; return made; }\n@end"
    }

    static let views: [Form] = [
        form(
            "keyboard-cache", "a key in a view of several lines", textView("privateKeyTextView"),
            textView("privateKeyTextView", " autocorrectionType=\"no\""), around: .storyboard),
        form(
            "secure-entry", "a key in a field of one line",
            textView("privateKeyField").replacing("textView", with: "textField"), textView("privateKeyField"),
            around: .storyboard),
        form(
            "keyboard-cache", "the words of a cell", cell("MemorizingWordsCell"), cell("CrosswordCell"),
            around: .storyboard),
        form(
            "keyboard-cache", "a library's view of a factory", factory("mnemonicTextView"), factory("noteTextView"),
            around: .objectiveC),
        form(
            "keyboard-cache", "a hint of a library's view",
            factory("firstTextView").replacing(
                "createTextView];",
                with: "createTextView]; _firstTextView.placeholderText = Localised(@\"recovery phrase\");"),
            factory("firstTextView").replacing(
                "createTextView];", with: "createTextView]; _firstTextView.placeholderText = Localised(@\"remark\");"),
            around: .objectiveC),
        form(
            "keyboard-cache", "an editor for a key",
            "struct Form: View {\n    @State var privateKey = \"\"\n    var body: some View { TextEditor(text: $privateKey) }\n}",
            "struct Form: View {\n    @State var privateKey = \"\"\n    var body: some View { TextEditor(text: $privateKey).autocorrectionDisabled() }\n}",
            around: .file),
        form(
            "secure-entry", "a row of XLForm",
            "id row = [XLFormRowDescriptor formRowDescriptorWithTag:@\"secretKey\" rowType:XLFormRowDescriptorTypeURL];",
            "id row = [XLFormRowDescriptor formRowDescriptorWithTag:@\"secretKey\" rowType:XLFormRowDescriptorTypePassword];",
            around: .objectiveCBody),
        form(
            "secure-entry", "a row of Eureka", "form +++ TextRow(\"a\") { $0.title = \"Password\" }",
            "form +++ PasswordRow(\"a\") { $0.title = \"Password\" }"),
        form(
            "secure-entry", "a card that pays",
            textView("numberField", " keyboardType=\"numberPad\"").replacing(
                "textView id=\"f\"", with: "textField id=\"f\" placeholder=\"Card number\""
            ).replacing("/textView", with: "/textField"),
            textView("numberField", " keyboardType=\"numberPad\"").replacing(
                "textView id=\"f\"", with: "textField id=\"f\" placeholder=\"Patient card number\""
            ).replacing("/textView", with: "/textField"),
            around: .storyboard),
    ]

    // MARK: Screens that go

    private static func screen(_ act: String, field: String = "passwordField", more: String = "") -> String {
        "final class Screen: UIViewController {\n    @IBOutlet weak var \(field): UITextField!\n    \(more)\n    func act() { \(act) }\n}"
    }

    static let screens: [Form] = [
        form(
            "field-not-cleared", "a screen under another",
            screen("navigationController?.pushViewController(Next(), animated: true)"),
            screen("navigationController?.popViewController(animated: true)"), around: .file),
        form(
            "field-not-cleared", "a screen that shows the next",
            screen("present(Main(), animated: true)"), screen("dismiss(animated: true)"), around: .file),
        form(
            "field-not-cleared", "an alert over a screen that goes",
            screen("present(Main(), animated: true); dismiss(animated: true)"),
            screen("present(UIAlertController(title: \"a\"), animated: true); dismiss(animated: true)"), around: .file),
        form(
            "field-not-cleared", "a screen that is replaced",
            screen("performSegue(withIdentifier: \"next\", sender: self)"),
            screen("window.rootViewController = Main()"), around: .file),
        form(
            "field-not-cleared", "another object gets the text",
            screen("sender.word = passwordField.text; dismiss(animated: true)"),
            screen("sender.send(passwordField.text); dismiss(animated: true)"), around: .file),
        form(
            "field-not-cleared", "a card beside its code",
            screen("", field: "cardNumberField", more: "var cvvField = UITextField()"),
            screen("", field: "cardNumberField"), around: .file),
        form(
            "field-not-cleared", "a code that is used once", screen("", field: "pinField"),
            screen("", field: "otpCodeField"), around: .file),
        form(
            "field-not-cleared", "a number of a person", screen("", field: "masterPasswordField"),
            screen("", field: "nationalIdField"), around: .file),
        form(
            "field-not-cleared", "a field that is never made",
            "@interface Screen : UIViewController { UITextField *_passwordField; }\n@end\n@implementation Screen\n- (void)load { _passwordField = [[UITextField alloc] init]; }\n@end",
            "@interface Screen : UIViewController { UITextField *_passwordField; }\n@end\n@implementation Screen\n- (void)load { [self show]; }\n@end",
            around: .objectiveC),
    ]
}
