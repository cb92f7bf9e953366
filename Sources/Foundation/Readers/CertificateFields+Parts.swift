// SPDX-License-Identifier: Apache-2.0

#if Keychain
import SwiftASN1

// Parts of a certificate by their object identifiers, in dotted notation, for code that shows them.

extension CertificateFields.Extension {
    package var identifier: String { "\(type)" }
}

extension CertificateFields {
    /// The extensions, without those that can't be read.
    package var parsedExtensions: [Extension] { extensions.compactMap { try? Extension(derEncoded: $0) } }

    /// The text parts of a name, in the order of the name.
    package static func texts(ofName name: [UInt8]) -> [(identifier: String, text: String)] {
        let parts = (try? DistinguishedName(derEncoded: name))?.parts ?? []
        return parts.compactMap { part in part.text.map { ("\(part.type)", $0) } }
    }

    /// The names in subjectAltName: kinds 1 (mail address), 2 (host) and 6 (URI) are texts, 7 (IP address) is bytes.
    package static func names(inAlternativeName value: ArraySlice<UInt8>) -> [(kind: UInt, bytes: [UInt8])] {
        guard let node = try? DER.parse(value), node.identifier == .sequence, let names = try? node.parts() else {
            return []
        }
        return names.compactMap { name in
            guard name.identifier.tagClass == .contextSpecific, let bytes = try? name.bytes() else { return nil }
            return (name.identifier.tagNumber, Array(bytes))
        }
    }

    /// The bits of keyUsage as one number, with the first bit lowest; nil for any other value. Issuers may set bits
    /// after the last significant one.
    package static func bits(ofKeyUsage value: ArraySlice<UInt8>) -> Int? {
        guard let node = try? DER.parse(value), node.identifier == .bitString, let content = try? node.bytes(),
            (2...3).contains(content.count), let unused = content.first, unused < 8
        else { return nil }
        let bytes = content.dropFirst()
        var result = 0
        for index in 0..<(bytes.count * 8 - Int(unused))
        where bytes[bytes.startIndex + index / 8] & (0x80 >> (index % 8)) != 0 { result |= 1 << index }
        return result
    }
}
#endif
