// SPDX-License-Identifier: Apache-2.0

package import KeychainEngine
package import Keychains
import Readers
package import SecretMemory

/// Replaces names in a text, `zamok://SERVICE/ACCOUNT`, by secrets.
package struct References {
    private let keychain: Keychain

    package init(_ keychain: Keychain) { self.keychain = keychain }

    /// The secret of a name. Errors: `.itemNotFound`, `.locked` and others, with the name.
    package func secret(of name: ItemName) throws(KeychainError) -> Secret { try item(name).secret }

    /// Like `secret(of:)`, with the item's reference.
    package func item(
        _ name: ItemName
    ) throws(KeychainError) -> (reference: PersistentReference, secret: Secret) {
        do throws(KeychainError) {
            let record = try name.only(in: keychain, reading: true)
            guard let reference = record.persistentReference,
                let secret = try keychain.record(reference, includingSecret: true).secret
            else {
                throw KeychainError(
                    .itemNotFound,
                    "the item \(name.shown) has no secret; to give it one: zamok set \(name.shown.shellWord)")
            }
            return (reference, secret)
        } catch {
            // The messages of these errors already contain the name.
            guard ![.itemNotFound, .parameter].contains(error.code) else { throw error }
            throw KeychainError(error.code, "\(name.shown): \(error.message)", cause: error)
        }
    }

    /// A variable of a program's environment.
    package struct Variable: Sendable {
        /// The variable's name.
        package let name: String
        fileprivate let source: Source
        /// Whether its value is the secret of an item.
        package var isOfItem: Bool { if case .item = source { true } else { false } }

        fileprivate enum Source {
            case item(ItemName)
            case text(Secret)
        }
    }

    /// The value of a variable. Errors: those of `secret(of:)`.
    package func value(of variable: Variable) throws(KeychainError) -> Secret {
        switch variable.source {
        case .item(let name): try secret(of: name)
        case .text(let text): text
        }
    }

    /// Parses `NAME=SERVICE[/ACCOUNT]` or `NAME=zamok://...` of a command line. Nil: it is neither.
    package static func variable(_ word: String) -> Variable? {
        guard let (variable, value) = named(word), !value.isEmpty, let name = ItemName(word: value) else { return nil }
        return Variable(name: variable, source: .item(name))
    }

    /// Parses `NAME=VALUE`. A variable's name is any text without an equals sign, but not an empty one. Nil: it is
    /// neither.
    package static func named(_ word: String) -> (name: String, value: String)? {
        guard let equals = word.firstIndex(of: "="), equals > word.startIndex else { return nil }
        return (String(word[..<equals]), String(word[word.index(after: equals)...]))
    }

    /// The variables of an environment file, with lines `NAME=zamok://...` or `NAME=text`.
    /// `#` begins a comment. A line may begin with `export `, and the value may be quoted.
    package static func variables(inFile text: String) throws(KeychainError) -> [Variable] {
        var found: [Variable] = []
        for (number, name, value) in try EnvironmentText.lines(text) {
            if let item = ItemName(reference: value) {
                found.append(Variable(name: String(name), source: .item(item)))
            } else if value.hasPrefix(ItemName.scheme) {
                throw KeychainError(.parameter, "line \(number) of the environment file: no item is named")
            } else {
                do {
                    found.append(Variable(name: String(name), source: .text(try Secret(copying: Array(value.utf8)))))
                } catch {
                    throw KeychainError(error)
                }
            }
        }
        return found
    }

    /// The text with each reference replaced by its secret. A reference is `{{zamok://SERVICE/ACCOUNT}}` or bare.
    /// Reads all secrets before it returns anything.
    package func filled(_ template: Secret) throws -> [Secret] {
        let bytes = try [UInt8](exposing: template)
        var parts: [Secret] = []
        var begin = 0
        while let found = bytes[begin...].firstRange(of: Array(ItemName.scheme.utf8)) {
            let end = bytes[found.upperBound...].firstIndex { !Self.isOfReference($0) } ?? bytes.count
            var (before, after) = (found.lowerBound, end)
            let opening = bytes[begin..<before].lastIndex { $0 != UInt8(ascii: " ") }
            let closing = bytes[end...].firstIndex { $0 != UInt8(ascii: " ") }
            if let opening, let closing, opening > begin, closing + 1 < bytes.count,
                bytes[opening - 1...opening] == Self.brackets("{"), bytes[closing...closing + 1] == Self.brackets("}")
            {
                (before, after) = (opening - 1, closing + 2)
            }
            guard let name = ItemName(reference: String(decoding: bytes[found.lowerBound..<end], as: UTF8.self)) else {
                throw KeychainError(.parameter, "a reference in the template names no item")
            }
            parts += [try Secret(copying: bytes[begin..<before]), try secret(of: name)]
            begin = after
        }
        return parts + [try Secret(copying: bytes[begin...])]
    }

    private static func brackets(_ sign: Unicode.Scalar) -> ArraySlice<UInt8> {
        [UInt8(ascii: sign), UInt8(ascii: sign)]
    }

    /// Whether a byte belongs to a reference: RFC 3986's unreserved characters, separators, percent
    /// signs and non-ASCII.
    private static func isOfReference(_ byte: UInt8) -> Bool {
        switch byte {
        case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
            UInt8(ascii: "0")...UInt8(ascii: "9"), 0x80...:
            true
        default: Array("-._~/%@:+".utf8).contains(byte)
        }
    }
}
