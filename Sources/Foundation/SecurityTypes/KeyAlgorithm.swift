// SPDX-License-Identifier: Apache-2.0

/// The meaning of a `SecKeyAlgorithm` identifier; nil for unknown identifiers.
///
/// The identifiers are Apple's: `algid:`, then words separated by colons.
package struct KeyAlgorithm: Equatable, Sendable {
    package enum Hash: String, Sendable {
        case sha1 = "SHA1"
        case sha224 = "SHA224"
        case sha256 = "SHA256"
        case sha384 = "SHA384"
        case sha512 = "SHA512"
    }

    /// Whether the caller passes the message or its digest.
    package enum Input: Equatable, Sendable { case message, digest }

    package enum Padding: Equatable, Sendable { case pkcs1v15, pss, none }

    package enum EncryptionPadding: Equatable, Sendable {
        case pkcs1, none
        case oaep(Hash)
    }

    package enum SignatureForm: Equatable, Sendable {
        /// DER, X9.62.
        case x962
        /// r || s, RFC 4754.
        case rfc4754
    }

    package enum Operation: Equatable, Sendable {
        /// Without a hash: the bytes are taken as the digest, or without padding as the block.
        case rsaSignature(Padding, Input, Hash?)
        /// Without a hash: the bytes are taken as the digest.
        case ecdsaSignature(SignatureForm, Input, Hash?)
        case rsaEncryption(EncryptionPadding)
        /// An AES-GCM key encrypted with OAEP, then the message under that key.
        case rsaHybrid(Hash)
        /// An ephemeral key, then the message under AES-GCM. The key, and optionally the initialization vector, are
        /// derived with X9.63.
        case ecies(Hash, derivesIV: Bool)
        /// With a hash: the X9.63 key derivation. Without: the shared secret itself.
        case keyExchange(Hash?)
        /// Has the form of Apple's names, but is not one of them.
        case unsupported
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
        case ("encrypt", "ECIES"): operation = Self.ecies(rest)
        case ("encrypt", _): operation = .unsupported
        case ("keyexchange", "ECDH"), ("keyexchange", "ECDHC"): operation = Self.keyExchange(rest)
        case ("keyexchange", _), ("sign", _): operation = .unsupported
        default: return nil
        }
    }

    private static func rsaSignature(_ words: [String]) -> Operation {
        if words == ["raw"] { return .rsaSignature(.none, .digest, nil) }
        if words == ["digest-PKCS1v15"] { return .rsaSignature(.pkcs1v15, .digest, nil) }
        guard let parts = words.first?.split(separator: "-"), parts.count == 2, words.count >= 2,
            let input = input(parts[0]), let hash = Hash(rawValue: words[1])
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
        return .ecdsaSignature(form, input, hash)
    }

    private static func rsaEncryption(_ words: [String]) -> Operation {
        if words == ["PKCS1"] { return .rsaEncryption(.pkcs1) }
        if words == ["raw"] { return .rsaEncryption(.none) }
        guard words.count >= 2, words[0] == "OAEP", let hash = Hash(rawValue: words[1]) else { return .unsupported }
        if words.count == 2 { return .rsaEncryption(.oaep(hash)) }
        return words[2...] == ["AESGCM"] ? .rsaHybrid(hash) : .unsupported
    }

    /// On the supported curves, cofactor and standard exchange are the same.
    private static func ecies(_ words: [String]) -> Operation {
        guard words.count == 4, ["ECDH", "ECDHC"].contains(words[0]), words[1] == "KDFX963",
            let hash = Hash(rawValue: words[2]), ["AESGCM", "AESGCM-KDFIV"].contains(words[3])
        else { return .unsupported }
        return .ecies(hash, derivesIV: words[3] == "AESGCM-KDFIV")
    }

    private static func keyExchange(_ words: [String]) -> Operation {
        if words.isEmpty { return .keyExchange(nil) }
        guard words.count == 2, words[0] == "KDFX963", let hash = Hash(rawValue: words[1]) else {
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
