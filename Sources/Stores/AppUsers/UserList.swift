// SPDX-License-Identifier: Apache-2.0

import DataProtection
import Readers
import Sealing
import SecretMemory

/// The content of the file `directory`.
struct UserList: Equatable, Sendable {
    private static let guestFlag: UInt8 = 1

    /// In the order in which they were added.
    var users: [AppUser] = []

    func names(_ user: UserIdentifier) -> Bool { users.contains { $0.id == user } }

    mutating func remove(_ user: UserIdentifier) { users.removeAll { $0.id == user } }
}

extension UserList {
    /// Parses the encoding in `directory` and in marks. Throws `SealingError.malformed` for anything that `encoded`
    /// never produces.
    init(encoded bytes: [UInt8]) throws {
        var reader = ByteReader(bytes)
        let count = Int(try reader.integer(UInt32.self))
        guard count <= DirectoryFile.userLimit else { throw SealingError.malformed }
        var seen: Set<UniqueIdentifier> = []
        for _ in 0..<count {
            guard let id = UniqueIdentifier(bytes: try reader.read(16)) else { throw SealingError.malformed }
            let flags = try reader.integer(UInt8.self)
            let created = Double(bitPattern: try reader.integer())
            guard let name = String(validUTF8: try reader.prefixed(limit: DirectoryFile.nameLimit))
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

/// The encrypted list of users (Documentation/Formats/Users.md, `directory`).
struct DirectoryFile: Sendable {
    static let fileName = "directory"
    static let lockName = "directory.lock"
    static let userLimit = 10_000
    static let nameLimit = 256
    private static let header = Array("zamokusr".utf8) + [1, 0, 0, 0, 0, 0, 0, 0]
    private static let sizeLimit = 16 + Seal.overhead + 4 + userLimit * (29 + nameLimit) + block
    private static let block = 256

    let root: Home

    /// nil: there is none. Throws `UserListDamaged`.
    func read() throws -> UserList? {
        do { return try opened() } catch let error as SealingError { throw UserListDamaged(cause: error) }
    }

    private func opened() throws -> UserList? {
        guard let bytes = try root.readFile(Self.fileName, limit: Self.sizeLimit) else { return nil }
        guard bytes.count >= 16, bytes.count <= Self.sizeLimit, bytes[..<8].elementsEqual(Self.header[..<8]),
            bytes[8] > 0
        else { throw SealingError.malformed }
        guard bytes[8] == 1 else {
            throw AppUsersError(
                .newerFormat, "the directory of users was written by a newer version; nothing was changed")
        }
        let opened = try withKey {
            try Seal.open(Array(bytes[16...]), under: $0, authenticating: Array(bytes[..<16]))
        }
        var reader = ByteReader(try opened.exposingBytes(0..<opened.count) ?? [])
        return try UserList(encoded: try reader.prefixed(limit: Self.sizeLimit))
    }

    /// Durable when this returns. The caller holds the lock.
    func write(_ list: UserList) throws {
        var padded = ByteWriter()
        padded.prefixed(list.encoded)
        padded.append(repeatElement(0, count: (Self.block - padded.bytes.count % Self.block) % Self.block))
        let plaintext = try SecretBytes(copying: padded.bytes)
        let sealed = try withKey { try Seal.seal(plaintext, under: $0, authenticating: Self.header) }
        try root.replaceFile(Self.fileName, with: Self.header + sealed)
    }

    private func withKey<R: ~Copyable>(_ body: (borrowing SecretBytes) throws -> R) throws -> R {
        try root.keybag.withMetadataKey(.none) { try body(try KeyDerivation.expand(from: $0, label: .userDirectory)) }
    }
}

/// The list of users exists but is damaged.
struct UserListDamaged: Error {
    let cause: any Error
}
