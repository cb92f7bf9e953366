// SPDX-License-Identifier: Apache-2.0

/// What kind of secret a name tells of.
package enum SecretKind: String, Sendable, Codable {
    case password, pin, token, oneTimeCode, key, card, secret
}

/// The words that make the name of a variable, a key or a field tell of a secret, and the words that take it back.
package enum SecretWords {
    /// Of an identifier or a storage key: `newPassword`, `access_token`; nil for `passwordHint`, `isPasswordSet`, `token_count`.
    package static func kind(ofName name: String) -> SecretKind? {
        let parts = words(of: name)
        guard !parts.contains(where: takeBack.contains) else { return nil }
        let joined = parts.joined()
        return table.first { joined.contains($0.0) }?.1
    }

    /// Of a text that people read: a placeholder, a header, a title.
    package static func kind(ofText text: String) -> SecretKind? { kind(ofName: text) }

    /// The words of `newPassword_field2`: new, password, field, 2.
    static func words(of name: String) -> [String] {
        var result: [String] = []
        var current = ""
        var last: Character = " "
        for character in name {
            let starts = character.isUppercase && !last.isUppercase || character.isNumber != last.isNumber
            if starts, !current.isEmpty {
                result.append(current)
                current = ""
            }
            if character.isLetter || character.isNumber {
                current.append(contentsOf: character.lowercased())
            } else if !current.isEmpty {
                result.append(current)
                current = ""
            }
            last = character
        }
        if !current.isEmpty { result.append(current) }
        return result
    }

    private static let takeBack: Set<String> = [
        "hint", "placeholder", "count", "size", "length", "is", "has", "should", "did", "can", "enabled", "visible",
        "error", "label", "title", "button",
        "id", "identifier", "type", "date", "expiry", "expires", "policy", "strength", "push", "device",
    ]
    private static let table: [(String, SecretKind)] = [
        ("password", .password), ("passwd", .password), ("passphrase", .password), ("passcode", .pin),
        ("pincode", .pin), ("cvv", .card),
        ("cardnumber", .card), ("accesstoken", .token), ("refreshtoken", .token), ("token", .token),
        ("privatekey", .key), ("secret", .secret),
        ("apikey", .key),
    ]
}

extension SecretKind {
    /// `a password`.
    package var article: String { rawValue.article }
}
