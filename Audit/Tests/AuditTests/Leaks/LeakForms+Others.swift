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
}
