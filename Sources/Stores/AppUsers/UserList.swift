// SPDX-License-Identifier: Apache-2.0

import DataProtection
import Readers
import Sealing
import SecretMemory

/// What `directory` says.
struct UserList: Equatable, Sendable {
    private static let guestFlag: UInt8 = 1

    /// In the order in which they were added.
    var users: [AppUser] = []

    func names(_ user: UserIdentifier) -> Bool { users.contains { $0.id == user } }

    mutating func remove(_ user: UserIdentifier) { users.removeAll { $0.id == user } }
}

extension UserList {
    /// As `directory` and marks hold it. Throws `SealingError.malformed` for what `encoded` never makes.
    init(encoded bytes: [UInt8]) throws {
        var reader = ByteReader(bytes)
        let count = Int(try reader.integer(UInt32.self))
        guard count <= DirectoryFile.userLimit else { throw SealingError.malformed }
        var seen: Set<UniqueIdentifier> = []
        for _ in 0..<count {
            guard let id = UniqueIdentifier(bytes: try reader.read(16)) else { throw SealingError.malformed }
            let flags = try reader.integer(UInt8.self)
            let created = Double(bitPattern: try reader.integer())
            guard let name = String(validating: try reader.prefixed(limit: DirectoryFile.nameLimit), as: UTF8.self)
            else { throw SealingError.malformed }
            guard flags & ~Self.guestFlag == 0, CalendarTime.seconds.contains(created), seen.insert(id).inserted else {
                throw SealingError.malformed
            }
            let isGuest = flags & Self.guestFlag != 0
            users.append(AppUser(id: UserIdentifier(id), name: name, isGuest: isGuest, created: created))
        }
        try reader.end()
    }

    var encoded: [UInt8] {
        var content = ByteWriter()
        content.integer(UInt32(truncatingIfNeeded: users.count))
        for user in users {
            content.append(user.id.unique.bytes)
            content.integer(user.isGuest ? Self.guestFlag : 0)
            content.integer(user.created.bitPattern)
            content.prefixed(Array(user.name.utf8))
        }
        return content.bytes
    }
}
