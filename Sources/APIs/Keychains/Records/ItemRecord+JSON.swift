// SPDX-License-Identifier: Apache-2.0

package import KeychainEngine
import SecretMemory

#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

extension ItemRecord {
    /// A record from a JSON object, as the command's `--json` prints it.
    ///
    /// The members are:
    /// - `class`. Without it `server` decides.
    /// - The names of ``ItemField``, or Apple's names for them.
    /// - `value` with `encoding` `text` or `base64`.
    /// - `asks-for`: the access control, `passcode` or `password`.
    /// - `created` and `modified` (RFC 3339).
    /// - `reference`, which is ignored, since an added item is a new one.
    ///
    /// Any other member is refused, so that nothing is silently dropped.
    ///
    /// Errors: `.parameter`, `.noSuchClass`, `.noSuchAttribute`.
    package init(json: some Sequence<UInt8>) throws(KeychainError) {
        let members: [String: Scalar]
        do {
            members = try JSONDecoder().decode([String: Scalar].self, from: Data(json))
        } catch {
            throw KeychainError(
                .parameter, "it is not a JSON object with texts, numbers, true and false alone", cause: error)
        }
        self.init(try Self.itemClass(of: members))
        for (name, value) in members where !Self.others.contains(name) {
            guard let field = ItemField(name: name) else {
                throw KeychainError(.noSuchAttribute, "the member \"\(name)\" is not known")
            }
            try set(field, value.text)
        }
        if let name = members["asks-for"]?.text {
            guard let constraints = AccessConstraints.named(name) else {
                throw KeychainError(.parameter, "\"asks-for\" is neither \"passcode\" nor \"password\"")
            }
            accessControl = constraints
        }
        secret = try Self.secret(of: members)
        for (name, attribute) in [("created", AttributeName.creationDate), ("modified", .modificationDate)] {
            guard let value = members[name] else { continue }
            guard let date = try? Date(value.text, strategy: .iso8601) else {
                throw KeychainError(.parameter, "\"\(name)\" is not a time like 2026-01-31T12:00:00Z")
            }
            attributes[attribute] = .date(date.timeIntervalSinceReferenceDate)
        }
    }

    /// Members that are not fields.
    private static let others: Set = ["class", "value", "encoding", "created", "modified", "reference", "asks-for"]

    private static func itemClass(of members: [String: Scalar]) throws(KeychainError) -> ItemClass {
        guard let name = members["class"]?.text else {
            let isOfServer = members.keys.contains { ItemField(name: $0) == .server }
            return isOfServer ? .internetPassword : .genericPassword
        }
        guard let found = ItemClass.named(name) else {
            throw KeychainError(.noSuchClass, "there is no item class of this name")
        }
        guard found == .genericPassword || found == .internetPassword else {
            throw KeychainError(.parameter, "items of class \(found.name) can't be written as fields and a value")
        }
        return found
    }

    private static func secret(of members: [String: Scalar]) throws(KeychainError) -> Secret? {
        guard let value = members["value"]?.text else { return nil }
        let bytes: [UInt8]
        switch members["encoding"]?.text ?? "text" {
        case "text": bytes = Array(value.utf8)
        case "base64":
            guard let data = Data(base64Encoded: value) else {
                throw KeychainError(.parameter, "\"value\" is not Base64")
            }
            bytes = Array(data)
        default: throw KeychainError(.parameter, "\"encoding\" is neither \"text\" nor \"base64\"")
        }
        do {
            return try Secret(copying: bytes)
        } catch {
            throw KeychainError(error)
        }
    }
}

/// A value that a member may have.
private struct Scalar: Decodable {
    let text: String

    init(from decoder: any Decoder) throws {
        let value = try decoder.singleValueContainer()
        if let text = try? value.decode(String.self) {
            self.text = text
        } else if let flag = try? value.decode(Bool.self) {
            text = flag ? "true" : "false"
        } else {
            text = String(try value.decode(Int64.self))
        }
    }
}
