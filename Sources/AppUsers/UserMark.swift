// SPDX-License-Identifier: Apache-2.0

import DataProtection
import Sealing
import SecretMemory

/// What was begun with a user and may have to be brought to its end by somebody else (Documentation/Formats/Users.md, `marks/`). Nothing of a
/// user is destroyed without one that names them.
enum UserMark: UInt8, Sendable {
    /// The home is being made or filled; the list does not name the user yet.
    case adding = 1
    /// The user is being destroyed.
    case removing = 2
    /// A guest is being left, and destroyed unless `current` still names them.
    case leaving = 3
}

/// The marks of a directory.
struct MarkFiles: Sendable {
    private static let header = Array("zamokmrk".utf8) + [1, 0, 0, 0, 0, 0, 0, 0]
    private static let size = 16

    let root: Home

    /// All that can be read. One that can't be says nothing, and destroys nobody.
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
        guard bytes.count == Self.header.count + Self.size + Seal.overhead, bytes.starts(with: Self.header) else {
            throw SealingError.malformed
        }
        let opened = try withKey {
            try Seal.open(Array(bytes[Self.header.count...]), under: $0, authenticating: bound(to: user))
        }
        let kind = try opened.withBytes { $0.bigEndian(at: 0, as: UInt8.self) }
        guard let kind, let mark = UserMark(rawValue: kind) else { throw SealingError.malformed }
        return mark
    }

    /// Durable when this returns. The directory's lock is held by the caller.
    func write(_ mark: UserMark, of user: UserIdentifier) throws {
        let plaintext = try SecretBytes(copying: [mark.rawValue] + [UInt8](repeating: 0, count: Self.size - 1))
        let sealed = try withKey { try Seal.seal(plaintext, under: $0, authenticating: bound(to: user)) }
        try root.writeMark(Self.header + sealed, of: user.unique)
    }

    func remove(_ user: UserIdentifier) throws { try root.removeMark(of: user.unique) }

    private func bound(to user: UserIdentifier) -> [UInt8] { Self.header + user.unique.bytes }

    private func withKey<R: ~Copyable>(_ body: (borrowing SecretBytes) throws -> R) throws -> R {
        try root.keybag.withMetadataKey(.none) { try body(try KeyDerivation.expand(from: $0, label: .userMark)) }
    }
}
