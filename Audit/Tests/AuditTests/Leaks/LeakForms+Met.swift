// SPDX-License-Identifier: Apache-2.0

/// Forms of apps that were met last: classes that encode themselves, keys of one store, durations under a PIN's name,
/// answers of failed requests, items of a POST, hosts that are compared, and records of health.
extension LeakForms {
    private static func form(
        _ rule: String, _ name: String, _ leak: String, _ twin: String, around: Around = .file, other: String = "",
        otherPath: String = "App/Other.swift"
    ) -> Form {
        Form(name: name, rule: rule, leak: leak, twin: twin, around: around, other: other, otherPath: otherPath)
    }

    // MARK: Stores

    private static func folder(_ encoded: String) -> String {
        "final class Server: NSObject, NSCoding { var password: String?\n    func encode(with c: NSCoder) { c.encode(password, forKey: \"p\") } }\nfinal class Folder: NSObject, NSCoding { var server: Server?\n    var serverId: String?\n    func encode(with c: NSCoder) { c.encode(\(encoded), forKey: \"s\") } }\nfinal class Keeper { func keep(_ folder: Folder) { UserDefaults.standard.set(NSKeyedArchiver.archivedData(withRootObject: folder), forKey: \"v\") } }"
    }

    private static func encoded(_ declaration: String, _ type: String) -> String {
        "\(declaration)\nfinal class Memory { var entries: [\(type)] = []\n    func keep(to file: URL) { guard let bytes = try? JSONEncoder().encode(entries) else { return }\n        try? bytes.write(to: file, options: .atomic) } }"
    }

    private static func kinds(_ cases: String) -> String {
        encoded(
            "enum Kind: String, Codable { case \(cases) }\nstruct Entry: Codable { var kind: Kind\n    var text: String }",
            "Entry")
    }

    private static let event = "struct HealthEvent: Codable { var metric: String\n    var peak: Double }"

    private static func loaded(_ owner: String) -> String {
        "@implementation \(owner)\n- (void)open:(NSURLRequest *)ask {\n    [NSURLConnection sendAsynchronousRequest:ask queue:self.queue completionHandler:^(NSURLResponse *r, NSData *bytes, NSError *e) {\n        [bytes writeToFile:self.path atomically:YES];\n    }];\n}\n@end"
    }

    private static func header(_ name: String) -> String {
        "@implementation A\n- (void)note:(NSDictionary *)fields { NSString *crumb = [fields valueForKey:@\"\(name)\"];\n    [[NSUserDefaults standardUserDefaults] setObject:crumb forKey:@\"last\"]; }\n@end"
    }

    private static func filled(_ key: String) -> String {
        "@interface A : NSObject\n@property NSMutableDictionary *record;\n@end\n@implementation A\n- (void)enter:(NSString *)text { [Kit dict:self.record setObject:text forKey:@\"\(key)\"]; }\n- (void)keep { [[NSUserDefaults standardUserDefaults] setObject:self.record forKey:@\"v\"]; }\n@end"
    }

    static let metStores: [Form] = [
        form("secret-in-store", "a class that encodes itself", folder("server"), folder("serverId")),
        form(
            "secret-in-store", "a record of the system's health data",
            "import HealthKit\n" + encoded(event, "HealthEvent"),
            encoded(event.replacing("Health", with: "Server"), "ServerEvent")),
        form("secret-in-store", "kinds of illness", kinds("medication, surgery"), kinds("opened, closed")),
        form(
            "secret-in-store", "a patient's document that was loaded", loaded("LabReportsController"),
            loaded("BannersController"), around: .objectiveC,
            other: "struct Patient {}\nstruct PatientList {}\nstruct PatientRow {}"),
        form(
            "secret-in-store", "a dictionary that a helper fills", filled("password"), filled("nick"),
            around: .objectiveC),
        form("secret-in-store", "the cookie of a session", header("Set-Cookie"), header("Date"), around: .objectiveC),
        form(
            "secret-in-store", "what is made for trying",
            "final class A { func createFirstAccount(_ row: Row) { UserDefaults.standard.set(row.password, forKey: \"v\") } }",
            "final class A { func createTestAccounts(_ row: Row) { UserDefaults.standard.set(row.password, forKey: \"v\") } }"
        ),
        form(
            "secret-in-store", "a part of an element",
            "struct Row { var url: String\n    var password: String }\nfinal class A { var rows: [Row] = []\n    func go(_ index: Int) { UserDefaults.standard.set(rows[index].password, forKey: \"v\") } }",
            "struct Row { var url: String\n    var password: String }\nfinal class A { var rows: [Row] = []\n    func go(_ index: Int) { UserDefaults.standard.set(rows[index].url, forKey: \"v\") } }"
        ),
        form(
            "file-protection", "a configuration that a function makes", settings(""),
            settings("made.encryptionKey = keyOfVault()"), other: realm),
    ]

    private static let realm =
        "import RealmSwift\nfinal class Login: Object { @Persisted var password: String }\nfinal class A { let realm = try! Realm(configuration: Box.settings())\n    func keep(_ row: Login, _ password: String) { row.password = password\n        try? realm.write { realm.add(row) } } }"

    private static func settings(_ key: String) -> String {
        "import RealmSwift\nenum Box { static func settings() -> Realm.Configuration { var made = Realm.Configuration()\n        \(key)\n        return made } }"
    }

    // MARK: Logs

    private static func session(_ name: String) -> String {
        "final class Session { private let box = UserDefaults.standard\n    var accessToken: String? { get { box.string(forKey: \"a\") } set { box.set(newValue, forKey: \"a\") } }\n    var role: String? { box.string(forKey: \"r\") } }\nfinal class A { let session = Session()\n    func go() { print(session.\(name)) } }"
    }

    private static func reset(_ use: String) -> String {
        "final class A { func go() { ask { done, pinCode in\n        print(pinCode)\n        \(use)\n    } } }"
    }

    private static func given(_ type: String) -> String {
        "final class Service { func ask(_ done: @escaping (Bool, \(type)) -> Void) { done(true, made()) } }\nfinal class A { let service = Service()\n    func go() { service.ask { isDone, pinCode in print(pinCode) } } }"
    }

    private static func answered(_ failing: String, _ other: String) -> String {
        "final class A { func login(_ request: URLRequest) { URLSession.shared.dataTask(with: request) { data, response, error in\n        if let error { \(failing) } else { \(other) }\n    }.resume() } }"
    }

    private static let body = "print(String(data: data!, encoding: .utf8)!)"

    private static func form(under key: String) -> String {
        "NSString *part = [[NSUserDefaults standardUserDefaults] objectForKey:@\"\(key)\"];\n    NSString *form = [NSString stringWithFormat:@\"%@=%@&kind=2\", @\"\(key)\", part];\n    NSLog(@\"sending %@\", form);"
    }

    private static func pairs(under key: String) -> String {
        "NSString *part = [[NSUserDefaults standardUserDefaults] objectForKey:@\"\(key)\"];\n    NSDictionary *fields = [[NSDictionary alloc] initWithObjectsAndKeys:part, @\"\(key)\", note, @\"shown\", nil];\n    NSLog(@\"FIELDS %@\", fields);"
    }

    private static func asked(_ path: String) -> String {
        "NSString *address = [NSString stringWithFormat:@\"%@%@%@\", kRoot, @\"\(path)\", note];\n    [[Hub shared] postOrGet:address form:nil done:^(id answer) {\n        NSLog(@\"got %@\", answer);\n    }];"
    }

    static let metLogs: [Form] = [
        form("secret-in-log", "another key of a store", session("accessToken"), session("role")),
        form(
            "secret-in-log", "a duration under a PIN's name", reset("keep(pinCode)"),
            reset("let wait = pinCode.asDuration()")),
        form(
            "secret-in-log", "a signed request of another one",
            "final class Session { func check(jwt: String, publicKey: Key) { print(jwt) } }",
            "final class Session { func verifyRequestObject(jwt: String, publicKey: Key) { print(jwt) } }"),
        form("secret-in-log", "a number under a PIN's name", given("String"), given("Int")),
        form("secret-in-log", "the answer of a failed request", answered("", body), answered(body, "")),
        form(
            "secret-in-log", "a form with a session", form(under: "sessionid"), form(under: "roomid"),
            around: .objectiveCBody),
        form(
            "secret-in-log", "fields with a session", pairs(under: "sessionid"), pairs(under: "roomid"),
            around: .objectiveCBody),
        form(
            "secret-in-log", "an answer about health", asked("ehr/records/"), asked("news/latest/"),
            around: .objectiveCBody),
    ]

    // MARK: Others

    private static func client(_ body: String) -> String {
        "final class Client { func send(_ request: Request) { var parts = URLComponents()\n        parts.queryItems = request.queryItems\n        var call = URLRequest(url: parts.url!)\n        \(body)\n        run(call) } }"
    }

    private static let list =
        "final class Items { static var session: [URLQueryItem] { [URLQueryItem(name: \"session_token\", value: Vault.sessionToken)] } }\n"

    private static func path(_ constant: String) -> String {
        "final class A { func go(_ typed: String) { send(Paths.members + Paths.\(constant) + typed) } }"
    }

    private static func trust(_ condition: String) -> String {
        "final class A: NSObject { func urlSession(_ s: URLSession, didReceive challenge: URLAuthenticationChallenge, completionHandler: @escaping (Int, URLCredential?) -> Void) {\n        if \(condition) { completionHandler(0, URLCredential(trust: challenge.protectionSpace.serverTrust!)) }\n    } }\nfunc isValid(_ trust: SecTrust) -> Bool { SecTrustEvaluateWithError(trust, nil) }"
    }

    private static let host = "challenge.protectionSpace.host == home"
    private static let valid = "isValid(challenge.protectionSpace.serverTrust!)"

    private static func exception(_ host: String) -> String {
        "<key>NSAppTransportSecurity</key><dict><key>NSExceptionDomains</key><dict><key>\(host)</key><dict><key>NSExceptionAllowsInsecureHTTPLoads</key><true/></dict></dict></dict>"
    }

    private static let word32 = "ThirtyTwoCharactersOfAConstant12"

    private static func field(_ flag: String) -> String {
        "class InputBase: UITextField { var hidesSecureText = false\n    func make() { self.isSecureTextEntry = hidesSecureText } }\nfinal class InputBox: InputBase {}\nfinal class Screen: UIViewController { private lazy var newPasswordField: InputBox = {\n        let box = InputBox()\n        \(flag)\n        return box\n    }() }"
    }

    private static func stage(_ stage: String) -> String {
        "let stage = \"\(stage)\"\nenum Root { static var apiURL: String { var root = \"https://api.shopping.com/v1\"\n        if stage == \"TEST\" { root = \"http://api.shopping.com/v1\" }\n        return root } }\nfinal class Screen: UIViewController { @IBOutlet weak var passwordField: UITextField! }"
    }

    private static func digest(_ others: String) -> String {
        "final class Server { func judge(_ request: Request, password: String) -> String { let first = Insecure.MD5.hash(data: Data(password.utf8))\n        return join(first, \(others)) } }"
    }

    private static func alert(_ title: String) -> String {
        "final class Asker { func askText(title: String, done: (String) -> Void) { let box = UIAlertController(title: title, message: nil, preferredStyle: .alert)\n        box.addTextField { field in field.addTarget(self, action: #selector(changed), for: .editingChanged) }\n        show(box) } }\nfinal class Screen { let asker = Asker()\n    func go() { var text = \"\"\n        text = \"\(title)\"\n        asker.askText(title: text) { typed in send(typed) } } }"
    }

    static let metOthers: [Form] = [
        form(
            "secret-in-url", "items of a POST", list + client(""),
            list
                + client(
                    "if request.method == .post { parts.queryItems = []; call.httpBody = form(request.queryItems) }")
        ),
        form(
            "secret-in-url", "a query that a constant begins", path("smsCode"), path("page"),
            other:
                "enum Paths { static let members = \"members/\"\n    static let smsCode = \"?confirmationCode=\"\n    static let page = \"?page=\" }"
        ),
        form("transport-security", "a host that is compared", trust(host), trust(valid)),
        form(
            "transport-security", "a host or a check", trust("\(host) || \(valid)"), trust("\(host) && \(valid)")),
        form(
            "transport-security", "an exception for an address", exception("2001:db8::7"), exception("fe80::7"),
            around: .settings),
        form(
            "keychain-use", "a flag in the keychain",
            "import KeychainSwift\nfinal class A { func go(_ note: String) { KeychainSwift().set(note, forKey: \"awake\") } }",
            "import KeychainSwift\nfinal class A { func go(_ note: String) { KeychainSwift().set(true, forKey: \"awake\") } }"
        ),
        form(
            "secure-entry", "an older Swift",
            "final class Screen: UIViewController { let passwordBox = UITextField()\n    override func viewDidLoad() { passwordBox.enabled = true } }",
            "final class Screen: UIViewController { let passwordBox = UITextField()\n    override func viewDidLoad() { passwordBox.secureTextEntry = true } }"
        ),
        form(
            "secure-entry", "a hint for a password",
            "final class Screen: UIViewController { let newPassword = UITextField() }",
            "final class Screen: UIViewController { let tipPassword = UITextField() }"),
        form("secure-entry", "an alert of a helper", alert("Your password"), alert("Your name")),
        form("secure-entry", "a class with a flag that is off", field(""), field("box.hidesSecureText = true")),
        form(
            "transport-security", "a branch that is never taken", stage("TEST"), stage("LIVE")),
        form(
            "weak-cryptography", "HTTP Digest", digest("note"), digest("nonce, cnonce, qop")),
        form(
            "field-not-cleared", "the name of a pet",
            "final class Screen: UIViewController { let passwordField = UITextField()\n    func act() { send(passwordField.text)\n        present(Next(), animated: true) } }",
            "final class Screen: UIViewController { let petsNameField = UITextField()\n    func act() { send(petsNameField.text)\n        present(Next(), animated: true) } }"
        ),
        form(
            "hardcoded-secret", "a sample that nothing names",
            "final class Dots: UIView { private let userPasscode = \"000000\"\n    func check(_ text: String) -> Bool { text == userPasscode } }",
            "final class Dots: UIView { private let userPasscode = \"000000\"\n    func check(_ text: String) -> Bool { text == \"\" } }"
        ),
        form(
            "hardcoded-secret", "the key of a type that encrypts",
            "enum Crypt { static let DEFAULT_KEY = \"\(word32)\" }",
            "enum Menu { static let DEFAULT_KEY = \"\(word32)\" }"),
        form(
            "hardcoded-secret", "a constant that a cipher is given",
            "static NSString *sheetEntry = @\"sixteen-chars-01\";\n@implementation A\n- (void)go { [Cipher sealAES:self.note key:sheetEntry]; }\n@end",
            "static NSString *sheetEntry = @\"sixteen-chars-01\";\n@implementation A\n- (void)go { [Table find:self.note key:sheetEntry]; }\n@end",
            around: .objectiveC),
        form(
            "hardcoded-secret", "a credential in a sample",
            "final class Loader { func go() { load(\"credentialData\") } }",
            "final class PreviewLoader { func go() { load(\"credentialData\") } }",
            other:
                "{\"payload\": \"eyJhbGciOiJIUzI1NiIsInR5cCI6IkpXVCJ9.eyJzdWIiOiIxMjM0NTY3ODkwIn0.dozjgNryP4J3jVmNHl0w5N_XgL0n3I9PlFUP0THsR8U\"}",
            otherPath: "App/credentialData.json"),
    ]
}
