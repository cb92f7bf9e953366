// SPDX-License-Identifier: Apache-2.0

/// What an algorithm identifier of `SecKeyAlgorithm` asks for; nil for identifiers that are not known.
///
/// The identifiers are Apple's: `algid:` and words between colons.
package struct KeyAlgorithm: Equatable, Sendable {
    package enum Hash: String, Sendable {
        case sha1 = "SHA1"
        case sha224 = "SHA224"
        case sha256 = "SHA256"
        case sha384 = "SHA384"
        case sha512 = "SHA512"
    }

    /// Whether the caller hands over the message or its digest.
    package enum Input: Equatable, Sendable { case message, digest }

    package enum Padding: Equatable, Sendable { case pkcs1v15, pss }

    package enum SignatureForm: Equatable, Sendable {
        /// DER, X9.62.
        case x962
        /// r || s, RFC 4754.
        case rfc4754
    }

    package enum Operation: Equatable, Sendable {
        case rsaSignature(Padding, Input, Hash)
        /// No hash named: the bytes are taken as the digest.
        case ecdsaSignature(SignatureForm, Input, Hash?)
        case rsaEncryption(OAEPHash?)
        /// A hash: the X9.63 key derivation with it; none: the shared secret itself.
        case keyExchange(Hash?)
        /// Known to Apple, and not to swift-crypto.
        case unsupported
    }

    /// The hash of OAEP.
    package enum OAEPHash: String, Sendable {
        case sha1 = "SHA1"
        case sha256 = "SHA256"
    }

    package let operation: Operation

    package init?(_ identifier: String) {
        let words = identifier.split(separator: ":", omittingEmptySubsequences: false).map(String.init)
        guard words.count >= 3, words[0] == "algid" else { return nil }
        let rest = Array(words[3...])
        switch (words[1], words[2]) {
        case ("sign", "RSA"): operation = Self.rsaSignature(rest)
        case ("sign", "ECDSA"): operation = Self.ecdsaSignature(rest)
        case ("encrypt", "RSA"): operation = Self.rsaEncryption(rest)
        case ("encrypt", _): operation = .unsupported
        case ("keyexchange", "ECDH"), ("keyexchange", "ECDHC"): operation = Self.keyExchange(rest)
        case ("keyexchange", _), ("sign", _): operation = .unsupported
        default: return nil
        }
    }

    private static func rsaSignature(_ words: [String]) -> Operation {
        guard let parts = words.first?.split(separator: "-"), parts.count == 2, words.count >= 2,
            let input = input(parts[0]), let hash = Hash(rawValue: words[1]), hash != .sha224
        else { return .unsupported }
        switch parts[1] {
        case "PKCS1v15": return .rsaSignature(.pkcs1v15, input, hash)
        case "PSS": return .rsaSignature(.pss, input, hash)
        default: return .unsupported
        }
    }

    private static func ecdsaSignature(_ words: [String]) -> Operation {
        if words == ["RFC4754"] { return .ecdsaSignature(.rfc4754, .digest, nil) }
        guard let parts = words.first?.split(separator: "-"), parts.count == 2, let input = input(parts[0]) else {
            return .unsupported
        }
        let form: SignatureForm = parts[1] == "X962" ? .x962 : .rfc4754
        guard words.count > 1 else { return input == .digest ? .ecdsaSignature(form, .digest, nil) : .unsupported }
        guard let hash = Hash(rawValue: words[1]) else { return .unsupported }
        // A digest of SHA-224 is only bytes to ECDSA; hashing with it is what swift-crypto has not.
        return hash == .sha224 && input == .message ? .unsupported : .ecdsaSignature(form, input, hash)
    }

    private static func rsaEncryption(_ words: [String]) -> Operation {
        if words == ["PKCS1"] { return .rsaEncryption(nil) }
        guard words.count == 2, words[0] == "OAEP", let hash = OAEPHash(rawValue: words[1]) else { return .unsupported }
        return .rsaEncryption(hash)
    }

    private static func keyExchange(_ words: [String]) -> Operation {
        if words.isEmpty { return .keyExchange(nil) }
        guard words.count == 2, words[0] == "KDFX963", let hash = Hash(rawValue: words[1]), hash != .sha224 else {
            return .unsupported
        }
        return .keyExchange(hash)
    }

    private static func input(_ word: Substring) -> Input? {
        switch word {
        case "message": .message
        case "digest": .digest
        default: nil
        }
    }
}
