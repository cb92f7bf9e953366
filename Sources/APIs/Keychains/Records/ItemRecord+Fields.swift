// SPDX-License-Identifier: Apache-2.0

package import KeychainEngine
import Readers
import SecretMemory

#if canImport(FoundationEssentials)
package import FoundationEssentials
#else
package import Foundation
#endif

package typealias ItemRecord = KeychainEngine.ItemRecord

/// The fields of an item by name, for tools that show, find and move items. Apps use ``GenericPassword``,
/// ``CertificateItem`` and the others.
extension ItemRecord {
    /// The value of a field as text; nil if it has none.
    package subscript(field: ItemField) -> String? {
        switch attributes[field.attribute] {
        case .text(let text): field.shown(text)
        case .data(let bytes): String(decoding: bytes, as: UTF8.self)
        case .number(let number): field.shown(number)
        case .date(let seconds): field.kind == .date ? ItemField.shown(seconds) : nil
        case .none: nil
        }
    }

    /// Sets a field. Errors: `.noSuchAttribute` if the class has no such field, `.parameter` if it doesn't
    /// accept the value.
    package mutating func set(_ field: ItemField, _ text: String) throws(KeychainError) {
        let table = AttributeTable.of(itemClass)
        guard table[field.attribute] != nil, field.kind != .date || itemClass.isPassword else {
            throw KeychainError(.noSuchAttribute, "items of class \(itemClass.name) have no \(field.name)")
        }
        guard let given = field.given(text) else {
            throw KeychainError(.parameter, "\(field.name) does not take this value: \(field.expectation)")
        }
        attributes[field.attribute] = try table.coerce(given, for: field.attribute)
    }

    /// The authentication that each reading of the secret requires.
    package var accessControl: AccessConstraints {
        get { attributes.constraints }
        set { attributes.constraints = newValue }
    }

    /// Whether no field is set.
    package var isEmpty: Bool { attributes.isEmpty }

    /// The time at which the item was added; nil for one that is not stored.
    package var creationDate: Date? { date(.creationDate) }

    /// The time of the last change; nil for one that is not stored.
    package var modificationDate: Date? { date(.modificationDate) }

    /// The time at which a password expires; nil if none is set.
    package var expiryDate: Date? {
        itemClass.isPassword ? date(.endDate).flatMap { $0 == Date(timeIntervalSinceReferenceDate: 0) ? nil : $0 } : nil
    }

    /// Sets the time at which it expires; nil removes it.
    package mutating func setExpiry(_ date: Date?) {
        attributes[.endDate] = .date(date?.timeIntervalSinceReferenceDate ?? 0)
    }

    private func date(_ name: AttributeName) -> Date? {
        guard case .date(let seconds) = attributes[name] else { return nil }
        return Date(timeIntervalSinceReferenceDate: seconds)
    }
}

extension ItemField {
    /// The engine's value for a text; nil if the text is not a value of this kind.
    fileprivate func given(_ text: String) -> GivenValue? {
        switch kind {
        case .text: return .text(text)
        case .port: return text.first == "+" ? nil : UInt16(text).map { .number(Int64($0)) }
        case .transport:
            let code = Self.transports[text] ?? text
            return code.utf8.count == 4 ? .text(code) : nil
        case .accessibility: return Accessibility.named(text).map { .text($0.rawValue) }
        case .tag: return .data(Array(text.utf8))
        case .flag: return ["true": .boolean(true), "false": .boolean(false)][text]
        case .date: return (try? Date(text, strategy: .iso8601)).map { .date($0.timeIntervalSinceReferenceDate) }
        }
    }

    fileprivate var expectation: String {
        switch kind {
        case .text, .tag: "text"
        case .port: "a number from 0 to 65535"
        case .transport: "four characters, or one of \(Self.transports.keys.sorted().joined(separator: ", "))"
        case .accessibility: "one of \(Accessibility.allCases.map(\.name).joined(separator: ", "))"
        case .flag: "true or false"
        case .date: "a time like 2027-01-31T12:00:00Z"
        }
    }

    fileprivate func shown(_ text: String) -> String {
        kind == .accessibility ? Accessibility(rawValue: text)?.name ?? text : text
    }

    /// The number as text. 0 means "any", and is not shown.
    fileprivate func shown(_ number: Int64) -> String? {
        switch kind {
        case .flag: number == 1 ? "true" : "false"
        case .port, .transport: number == 0 ? nil : String(number)
        case .text, .tag, .accessibility, .date: String(number)
        }
    }

    fileprivate static func shown(_ seconds: Double) -> String? {
        seconds == 0 ? nil : Date(timeIntervalSinceReferenceDate: seconds).formatted(.iso8601)
    }

    private static let transports = [
        "ftp": "ftp ", "ftps": "ftps", "http": "http", "https": "htps", "imap": "imap", "imaps": "imps", "irc": "irc ",
        "ldap": "ldap", "ldaps": "ldps", "pop3": "pop3", "pop3s": "pops", "smb": "smb ", "smtp": "smtp", "ssh": "ssh ",
        "telnet": "teln",
    ]

    /// The URL scheme for one of Apple's codes; nil if there is none.
    package static func scheme(ofTransport code: String) -> String? { transports.first { $0.value == code }?.key }
}

extension ItemRecord {
    /// The record of a typed item. The fields of `record` take precedence over the item's.
    package init<Item: KeychainItem>(_ item: Item, with record: ItemRecord? = nil) {
        self.init(Item.itemClass)
        attributes = item.content.attributes.merging(record?.attributes ?? [:]) { $1 }
        secret = item.content.secret
        certificate = item.content.certificate
        persistentReference = item.content.reference
    }

    /// The item without its secret. The bytes of a certificate stay: its fields are parsed from them.
    package var withoutSecret: ItemRecord {
        var record = self
        record.certificate = itemClass == .certificate ? secret ?? certificate : nil
        record.secret = nil
        return record
    }

    /// The parsed fields of a certificate; nil for other items, and if its bytes were not requested.
    private var facts: CertificateFacts? {
        guard itemClass == .certificate else { return nil }
        return (secret ?? certificate).flatMap { try? [UInt8](exposing: $0) }.flatMap { CertificateFacts($0) }
    }
}

extension ItemRecord {
    /// The fields parsed from a certificate or key, by name: `subject`, `issuer`, `valid-from`, `valid-until`,
    /// `serial-number`, `public-key-hash` (both hexadecimal), `key-class`, `key-type`, `key-size`. Empty for passwords.
    package var details: [(name: String, value: String)] {
        guard itemClass != .genericPassword, itemClass != .internetPassword else { return [] }
        let facts = facts
        let rows: [(String, String?)] = [
            ("subject", facts?.summary), ("issuer", facts?.issuer),
            ("valid-from", facts?.validity?.lowerBound.formatted(.iso8601)),
            ("valid-until", facts?.validity?.upperBound.formatted(.iso8601)),
            ("serial-number", hexadecimal(.serialNumber)),
            ("public-key-hash", hexadecimal(.publicKeyHash) ?? hexadecimal(.applicationLabel)),
            ("key-class", number(.keyClass).flatMap(KeyItem.KeyClass.init).map { "\($0)" }),
            ("key-type", number(.type).flatMap(KeyItem.KeyType.init)?.name),
            ("key-size", number(.keySize).flatMap { $0 == 0 ? nil : String($0) }),
        ]
        return rows.compactMap { name, value in value.map { (name, $0) } }
    }

    /// An item that was found with its secret, in PEM: a certificate, a key, or both of an identity. Nil
    /// for other items.
    ///
    /// Errors: `.damaged`, `.notAvailable` (after fork), `.unimplemented` for a private key in a TPM.
    package func pem() throws(KeychainError) -> String? {
        let content = ItemContent(self)
        switch itemClass {
        case .certificate: return try CertificateItem(content: content).pem()
        case .key: return try KeyItem(content: content).pem()
        case .identity:
            let identity = IdentityItem(content: content)
            guard let certificate = try identity.certificate.pem(), let key = try identity.key.pem() else { return nil }
            return certificate + key
        case .genericPassword, .internetPassword, .syncRecord: return nil
        }
    }

    private func hexadecimal(_ name: AttributeName) -> String? {
        guard case .data(let bytes) = attributes[name], !bytes.isEmpty else { return nil }
        return String(hexadecimal: bytes)
    }

    private func number(_ name: AttributeName) -> Int64? {
        guard case .number(let number) = attributes[name] else { return nil }
        return number
    }
}

extension KeyItem.KeyType {
    fileprivate var name: String {
        switch self {
        case .rsa: "rsa"
        case .ellipticCurve: "elliptic-curve"
        case .ed25519: "ed25519"
        case .x25519: "x25519"
        }
    }
}

extension ItemClass {
    /// Whether items of this class are passwords.
    package var isPassword: Bool { self == .genericPassword || self == .internetPassword }
}
