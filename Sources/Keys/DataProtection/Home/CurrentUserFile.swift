// SPDX-License-Identifier: Apache-2.0

import Sealing
import SecretMemory

/// The file `current` of a root home: the user that processes start with (Documentation/Formats/Users.md).
enum CurrentUserFile {
    static let fileName = "current"
    static let size = 64
    private static let header = Array("zamokcur".utf8) + [1, 0, 0, 0, 0, 0, 0, 0]
    private static let nobody = [UInt8](repeating: 0, count: 16)

    /// The content of the file, before it is verified.
    enum Claim: Equatable {
        case root
        case user(UniqueIdentifier)
    }

    /// `key`: the metadata key of class none of the root home.
    static func encode(_ user: UniqueIdentifier?, under key: borrowing SecretBytes) throws -> [UInt8] {
        let body = header + (user?.bytes ?? nobody)
        return body + (try KeyDerivation.authenticationCode(for: body, under: try codeKey(key)))
    }

    /// Nil: not such a file. Newer versions are refused with `.newerFormat`.
    static func claim(_ bytes: [UInt8]) throws -> Claim? {
        guard bytes.count >= 9, bytes.starts(with: header.prefix(8)), bytes[8] > 0 else { return nil }
        guard bytes[8] == header[8] else { throw KeybagFault.newer }
        guard bytes.count == size, bytes.starts(with: header) else { return nil }
        let user = Array(bytes[16..<32])
        return user == nobody ? .root : UniqueIdentifier(bytes: user).map(Claim.user)
    }

    static func isAuthentic(_ bytes: [UInt8], under key: borrowing SecretBytes) throws -> Bool {
        try KeyDerivation.isValid(Array(bytes.suffix(32)), for: Array(bytes.dropLast(32)), under: try codeKey(key))
    }

    private static func codeKey(_ key: borrowing SecretBytes) throws -> SecretBytes {
        try KeyDerivation.expand(from: key, label: .currentUser)
    }
}
