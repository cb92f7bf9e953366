// SPDX-License-Identifier: Apache-2.0

/// What looks like a secret's place and is none by its class, its company or its purpose, and secrets that only their
/// company tells: codes, macros, formats that are constants, fields of alerts.
extension LeakForms {
    private static func form(
        _ rule: String, _ name: String, _ leak: String, _ twin: String, around: Around = .file, other: String = ""
    ) -> Form {
        Form(name: name, rule: rule, leak: leak, twin: twin, around: around, other: other)
    }

    private static func field(
        _ outlet: String, owner: String = "FormController", attributes: String = "", beside: String = ""
    ) -> String {
        "<viewController id=\"c\" customClass=\"\(owner)\"><view key=\"view\"><subviews>\(beside)<textField id=\"f\"\(attributes)><rect key=\"frame\" x=\"15\" y=\"134\" width=\"290\" height=\"30\"/><textInputTraits key=\"textInputTraits\"/></textField></subviews></view><connections><outlet property=\"\(outlet)\" destination=\"f\" id=\"o\"/></connections></viewController>"
    }

    private static let classes = """
        import UIKit
        class WordField: UITextField {
            required init?(coder: NSCoder) { super.init(coder: coder); prepare() }
            private func prepare() { autocorrectionType = .no; spellCheckingType = .no }
        }
        class SmallWordField: WordField {}
        class OtherField: UITextField {
            func prepare(_ field: UITextField) { field.autocorrectionType = .no }
        }
        """
    private static let caption =
        "<label text=\"Enter the username and password for your blog:\"><rect key=\"frame\" x=\"15\" y=\"70\" width=\"290\" height=\"56\"/></label>"

    static let othersFields: [Form] = [
        form(
            "keyboard-cache", "a class that switches autocorrection off",
            field("mnemonicField", attributes: " customClass=\"OtherField\""),
            field("mnemonicField", attributes: " customClass=\"WordField\""), around: .storyboard, other: classes),
        form(
            "keyboard-cache", "a superclass that switches autocorrection off",
            field("mnemonicField"), field("mnemonicField", attributes: " customClass=\"SmallWordField\""),
            around: .storyboard, other: classes),
        form(
            "secure-entry", "a PIN code of an address",
            field("pinCodeField", owner: "LockController", attributes: " placeholder=\"Pin code\""),
            field("pinCodeField", owner: "DeliveryController", attributes: " placeholder=\"Pin code\""),
            around: .storyboard),
        form(
            "secure-entry", "the letters of a picture",
            field("f", owner: "SmsController", attributes: " placeholder=\"验证码\""),
            field("f", owner: "PictureCodeController", attributes: " placeholder=\"验证码\""), around: .storyboard),
        form(
            "secure-entry", "a label over two fields", field("f", beside: caption),
            field("f", attributes: " placeholder=\"Username\"", beside: caption), around: .storyboard),
        form(
            "secure-entry", "a hidden field",
            "final class Screen: UIView { let passcodeField = UITextField()\n    func load() { passcodeField.isHidden = isOff } }",
            "final class Screen: UIView { let passcodeField = UITextField()\n    func load() { passcodeField.isHidden = true } }"
        ),
        form(
            "secure-entry", "a card that tells who one is",
            "final class Screen: UIView { let bankCardCodeField = UITextField() }",
            "final class Screen: UIView { let idCardCodeField = UITextField() }"),
        form(
            "secure-entry", "a key of a screen that encrypts",
            "final class CryptoController: UIViewController { let keyTextField = UITextField() }",
            "final class PianoController: UIViewController { let keyTextField = UITextField() }"),
        form(
            "keyboard-cache", "an alert's token",
            "func ask() { sheet.addTextField { box in box.placeholder = \"Token\" } }",
            "func ask() { sheet.addTextField { box in box.placeholder = \"Token\"; box.autocorrectionType = .no } }"),
        form(
            "keyboard-cache", "an alert's token in old Swift",
            "func ask() { sheet.addTextFieldWithConfigurationHandler { (box) in box.placeholder = \"Token\" } }",
            "func ask() { sheet.addTextFieldWithConfigurationHandler { (box) in box.placeholder = \"Token name\" } }"),
        form(
            "field-not-cleared", "a field that success empties",
            "final class Screen: UIViewController { @IBOutlet weak var passwordField: UITextField!\n    func act() { send(success: { user in self.go() }, failure: { _ in self.passwordField.text = \"\" }); performSegue(withIdentifier: \"a\", sender: self) } }",
            "final class Screen: UIViewController { @IBOutlet weak var passwordField: UITextField!\n    func act() { send(success: { user in self.tidy() }, failure: { _ in }); performSegue(withIdentifier: \"a\", sender: self) }\n    func tidy() { passwordField.text = \"\" } }"
        ),
    ]

    private static let word = "Zq81kfLt9x"
    private static let key = "4b596bede18150db341c9b1a71e1549bb69e3669805895ff"

    static let othersCode: [Form] = [
        form(
            "hardcoded-secret", "code that tries",
            "enum Keys { static func testKey() { let privateKey = \"\(key)\"; use(privateKey) }\n    static func open() { testKey() } }",
            "enum Keys { static func testKey() { let privateKey = \"\(key)\"; use(privateKey) } }"),
        form(
            "secret-in-log", "a log of code that tries",
            "enum Keys { static func testKey() { let password = read(); print(password) }\n    static func open() { testKey() } }",
            "enum Keys { static func testKey() { let password = read(); print(password) } }"),
        form(
            "hardcoded-secret", "a list of stand-ins",
            "struct List: View { @State private var rooms = [Room(id: 1, password: \"1234\")] }",
            "struct List: View { @State private var dummyRooms = [Room(id: 1, password: \"1234\")] }"),
        form(
            "hardcoded-secret", "Objective-C's label of what is read",
            "[Store setPassword:@\"\(word)\" forUser:note];", "[Store passwordForService:@\"\(word)\" account:note];",
            around: .objectiveCBody),
        form(
            "insecure-archive", "an archive in old Swift",
            "func open(_ data: NSData) { list = NSKeyedUnarchiver.unarchiveObjectWithData(data) as? [Alias] }",
            "func open(_ data: NSData) { list = Archive.unarchiveObjectWithData(data) as? [Alias] }"),
        form(
            "secret-in-store", "a value beside a token",
            "final class Gate { func enter() { let (ticket, memberId) = redeem()\n        UserDefaults.standard.set(ticket, forKey: \"a\") }\n    func redeem() -> (String, String) { (accessToken, name) } }",
            "final class Gate { func enter() { let (ticket, memberId) = redeem()\n        UserDefaults.standard.set(memberId, forKey: \"a\") }\n    func redeem() -> (String, String) { (accessToken, name) } }"
        ),
        form(
            "secret-in-store", "a value beside a part that says what it is",
            "final class Gate { func enter() { let (newToken, patient) = redeem()\n        UserDefaults.standard.set(newToken, forKey: \"a\") }\n    func redeem() -> (String, String) { (accessToken, name) } }",
            "final class Gate { func enter() { let (newToken, patient) = redeem()\n        UserDefaults.standard.set(patient, forKey: \"a\") }\n    func redeem() -> (String, String) { (accessToken, name) } }"
        ),
        form(
            "secret-in-log", "a PIN code of a delivery",
            "final class LockView { var pinField = Box()\n    func act() { print(\"got\", pinCodeField.text) } }",
            "final class ProductView { var pinField = Box()\n    func act() { print(\"got\", pinCodeField.text) } }"),
        form(
            "secret-in-log", "a code of a request with a phone number",
            "struct SignUpRequest { var phone: String; var code: String }\nfinal class Gate { func enter(_ dto: SignUpRequest) { print(dto.code) } }",
            "struct CountryRequest { var phone: String; var code: String }\nfinal class Gate { func enter(_ dto: CountryRequest) { print(dto.code) } }"
        ),
        form(
            "secret-in-log", "a monitor of requests",
            "final class Monitor: EventMonitor { func requestDidResume(_ request: Request) { debugPrint(request) } }",
            "final class Monitor: EventMonitor { func requestDidResume(_ request: Request) { debugPrint(request.id) } }"
        ),
        form(
            "secret-in-log", "the address of each request", requests(verb: "GET"), requests(verb: "POST"),
            around: .objectiveC),
    ]

    private static func requests(verb: String) -> String {
        "@implementation A\n- (void)enter:(NSString *)accessToken { [self.session \(verb):url parameters:@{@\"access_token\": accessToken} progress:nil success:done failure:nil]; }\n- (void)note:(NSURLSessionDataTask *)task { NSLog(@\"%@\", task.currentRequest.URL); }\n@end"
    }

    private static func query(_ selector: String, _ pairs: String) -> String {
        "#define READ_(k) [[NSUserDefaults standardUserDefaults] objectForKey:k]\n#define APPTOKEN @\"apptoken\"\n#define APPNAME @\"appname\"\n@implementation Client\n+ (void)\(selector) {\n    NSDictionary *args = @{\(pairs)};\n    [self.session GET:url parameters:args progress:nil success:done failure:nil];\n}\n@end"
    }

    private static func formatted(_ format: String, _ value: String) -> String {
        "static NSString* const kPath = @\"\(format)\";\n@implementation A\n- (void)enter:(NSString *)\(value) { NSString *path = [NSString stringWithFormat:kPath, note, [\(value) stringByEncodingCharacters]]; [self send:path method:kPut]; }\n@end"
    }

    static let othersRequests: [Form] = [
        form(
            "secret-in-url", "a macro that reads the preferences",
            query("load:(NSString *)member", "@\"member\": member, @\"apptoken\": READ_(APPTOKEN)"),
            query("load:(NSString *)member", "@\"member\": member, @\"appname\": READ_(APPNAME)"), around: .objectiveC),
        form(
            "secret-in-url", "a format that is a constant",
            formatted("/members/%d.json?video_token=%@", "videoToken_").replacing("videoToken_", with: "accessToken"),
            formatted("/members/%d.json?byline=%@", "byline"), around: .objectiveC),
        form(
            "secret-in-url", "a code beside a phone number",
            "enum Route { func make() { load([URLQueryItem(name: \"phone\", value: to), URLQueryItem(name: \"code\", value: entry)]) } }",
            "enum Route { func make() { load([URLQueryItem(name: \"country\", value: to), URLQueryItem(name: \"code\", value: entry)]) } }"
        ),
        form(
            "secret-in-url", "Objective-C's code beside a number",
            query(
                "registerWithMobile:(NSString *)mobile code:(NSString *)code error:(Block)error",
                "@\"account\": mobile, @\"code\": code"),
            query(
                "registerWithCountry:(NSString *)country code:(NSString *)code error:(Block)error",
                "@\"account\": country, @\"code\": code"), around: .objectiveC),
        form(
            "secret-in-url", "the letters of a picture",
            query("verifyWithPhone:(NSString *)phone otpCode:(NSString *)otpCode", "@\"a\": otpCode"),
            query("verifyWithPhone:(NSString *)phone imageCode:(NSString *)imageCode", "@\"a\": imageCode"),
            around: .objectiveC),
        form(
            "secret-in-url", "a token of a device",
            "final class Hooks { func make() { let entryToken = Cache.loginToken()\n        load(\"https://a.example/hook/\\(entryToken)\") } }",
            "final class Hooks { func make() { let deviceToken = Cache.loginToken()\n        load(\"https://a.example/hook/\\(deviceToken)\") } }",
            other:
                "enum Cache { static func loginToken() -> String { let accessToken = read(); return accessToken } }"),
    ]
}
