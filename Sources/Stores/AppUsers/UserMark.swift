// SPDX-License-Identifier: Apache-2.0

import DataProtection
import Sealing
import SecretMemory

/// An operation on a user that another process may have to finish (Documentation/Formats/Users.md, `marks/`). No user's
/// data is destroyed without a mark that names the user.
enum UserMark: Hashable, Sendable {
    /// The home is being created or filled. No list names the user, and the home has not been usable yet.
    case adding
    /// The user is being destroyed.
    case removing
    /// A switch is leaving the guest. The guest is destroyed unless `current` still names them.
    case leaving
    /// The home is complete, and the list is to name the user. From here on the user counts as added, regardless of
    /// the list.
    case added(AppUser)

    var isGoing: Bool { self == .removing || self == .leaving }
}

/// The marks of a directory.
struct MarkFiles: Sendable {
    private static let header = Array("zamokmrk".utf8) + [1, 0, 0, 0, 0, 0, 0, 0]
    private static let size = 16
    /// The size of a mark with a user, regardless of the length of the name.
    private static let sizeWithUser = 512

    let root: Home

    /// All readable marks. An unreadable mark is ignored and destroys no user.
    func all() throws -> [UserIdentifier: UserMark] {
        var found: [UserIdentifier: UserMark] = [:]
        for unique in try root.markedUsers() {
            let user = UserIdentifier(unique)
            found[user] = try? read(user)
        }
        return found
    }

    private func read(_ user: UserIdentifier) throws -> UserMark? {
        guard let bytes = try root.readMark(of: user.unique) else { return nil }
        guard bytes.count >= Self.header.count, bytes.starts(with: Self.header) else { throw SealingError.malformed }
        let opened = try withKey {
            try Seal.open(Array(bytes[Self.header.count...]), under: $0, authenticating: bound(to: user))
        }
        return try Self.mark(try opened.exposingBytes(0..<opened.count) ?? [], of: user)
    }

    /// Parses a mark's content.
    private static func mark(_ bytes: [UInt8], of user: UserIdentifier) throws -> UserMark {
        switch (bytes.first, bytes.count) {
        case (1, size): return .adding
        case (2, size): return .removing
        case (3, size): return .leaving
        case (4, sizeWithUser):
            var reader = ByteReader(Array(bytes[size...]))
            let list = try UserList(encoded: try reader.prefixed(limit: sizeWithUser))
            guard list.users.count == 1, let added = list.users.first, added.id == user else {
                throw SealingError.malformed
            }
            return .added(added)
        default: throw SealingError.malformed
        }
    }

    private static func bytes(_ mark: UserMark) -> [UInt8] {
        func padded(_ bytes: [UInt8], _ count: Int) -> [UInt8] {
            bytes + [UInt8](repeating: 0, count: max(0, count - bytes.count))
        }
        switch mark {
        case .adding: return padded([1], size)
        case .removing: return padded([2], size)
        case .leaving: return padded([3], size)
        case .added(let user):
            var writer = ByteWriter()
            writer.append(padded([4], size))
            writer.prefixed(UserList(users: [user]).encoded)
            return padded(writer.bytes, sizeWithUser)
        }
    }

    /// Durable when this returns. The caller holds the directory's lock.
    func write(_ mark: UserMark, of user: UserIdentifier) throws {
        let plaintext = try SecretBytes(copying: Self.bytes(mark))
        let sealed = try withKey { try Seal.seal(plaintext, under: $0, authenticating: bound(to: user)) }
        try root.writeMark(Self.header + sealed, of: user.unique)
    }

    func remove(_ user: UserIdentifier) throws { try root.removeMark(of: user.unique) }

    private func bound(to user: UserIdentifier) -> [UInt8] { Self.header + user.unique.bytes }

    private func withKey<R: ~Copyable>(_ body: (borrowing SecretBytes) throws -> R) throws -> R {
        try root.keybag.withMetadataKey(.none) { try body(try KeyDerivation.expand(from: $0, label: .userMark)) }
    }
}
