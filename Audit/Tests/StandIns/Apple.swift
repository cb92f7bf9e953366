// SPDX-License-Identifier: Apache-2.0

import Foundation

// What the remedies call of Apple's frameworks, declared and without a body, so that a compiler on any system checks
// them.

class UIView {
    func addSubview(_ view: UIView) {}
    func removeFromSuperview() {}
}
class UIWindow: UIView {}
class UIScene {}
class UIViewController { func viewDidDisappear(_ animated: Bool) {} }
enum UITextAutocorrectionType { case no }
enum UITextSpellCheckingType { case no }
class UITextField: UIView {
    var text: String?
    var placeholder: String?
    var isSecureTextEntry = false
    var autocorrectionType = UITextAutocorrectionType.no
    var spellCheckingType = UITextSpellCheckingType.no
}
class UIAlertController { func addTextField(configurationHandler: (UITextField) -> Void) {} }

final class UIPasteboard: Sendable {
    struct OptionsKey: Hashable {
        var name: String
        static var localOnly: Self { .init(name: "localOnly") }
        static var expirationDate: Self { .init(name: "expirationDate") }
    }
    static let general = UIPasteboard()
    func setItems(_ items: [[String: Any]], options: [OptionsKey: Any] = [:]) {}
}
struct UTType {
    var identifier: String
    static var utf8PlainText: Self { .init(identifier: "public.utf8-plain-text") }
}

struct Binding<Value> { var wrappedValue: Value }
@propertyWrapper struct State<Value> {
    var wrappedValue: Value
    var projectedValue: Binding<Value> { Binding(wrappedValue: wrappedValue) }
}
struct SecureField { init(_ title: String, text: Binding<String>) {} }
struct TextField {
    init(_ title: String, text: Binding<String>) {}
    func autocorrectionDisabled() -> TextField { self }
}

struct LogPrivacy {
    enum Mask { case hash, none }
    static var `private`: Self { .init() }
    static var `public`: Self { .init() }
    static func `private`(mask: Mask) -> Self { .init() }
}
struct LogMessage: ExpressibleByStringInterpolation {
    struct StringInterpolation: StringInterpolationProtocol {
        init(literalCapacity: Int, interpolationCount: Int) {}
        mutating func appendLiteral(_ text: String) {}
        mutating func appendInterpolation<T>(_ value: T, privacy: LogPrivacy = .private) {}
    }
    init(stringLiteral text: String) {}
    init(stringInterpolation text: StringInterpolation) {}
}
struct Logger { func info(_ message: LogMessage) {} }

typealias CFDictionary = [String: Any]
let (kSecClass, kSecClassGenericPassword, kSecAttrAccount) = ("class", "genp", "acct")
let (kSecAttrAccessible, kSecAttrAccessibleWhenUnlockedThisDeviceOnly, kSecValueData) = ("pdmn", "akpu", "v_Data")
let (errSecSuccess, errSecDuplicateItem): (Int32, Int32) = (0, -25_299)
let NSOSStatusErrorDomain = "NSOSStatusErrorDomain"
func SecItemAdd(_ attributes: CFDictionary, _ result: UnsafeMutablePointer<Any?>?) -> Int32 { 0 }
func SecItemUpdate(_ query: CFDictionary, _ attributes: CFDictionary) -> Int32 { 0 }

extension Data.WritingOptions { static var completeFileProtection: Self { [] } }
extension FileAttributeKey { static var protectionKey: Self { .init(rawValue: "protection") } }
struct FileProtectionType { static var complete: Self { .init() } }

struct URLRequest {
    init(url: URL) {}
    mutating func setValue(_ value: String?, forHTTPHeaderField field: String) {}
}

struct SymmetricKey {}
enum AES {
    enum GCM {
        struct SealedBox { var combined: Data? }
        static func seal(_ message: Data, using key: SymmetricKey) throws -> SealedBox { SealedBox(combined: message) }
    }
}
