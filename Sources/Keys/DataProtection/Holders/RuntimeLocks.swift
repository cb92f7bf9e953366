// SPDX-License-Identifier: Apache-2.0

/// How a lock reaches other processes where the home is read-only: tokens in the user's runtime folder, for all homes
/// of this user at once (Documentation/Formats/Keybag.md, `zamok-locks`).
struct RuntimeLocks: Sendable {
    static let fileName = "zamok-locks"
    private static let size = 2 * LockToken.size + 1

    let location: HomeLocation

    /// The content of the file.
    struct Tokens: Equatable, Sendable {
        let lock: [UInt8]
        let leave: [UInt8]
        /// Whether the file was made by a lock, and not by a process that keeps keys.
        let isOfLock: Bool

        fileprivate var bytes: [UInt8] { lock + leave + [isOfLock ? 1 : 0] }
    }

    /// Whether groups of `role` that were valid at `earlier` are now void. A file that appeared or disappeared together
    /// with its folder is no lock.
    static func isLock(_ role: KeyGroup.Role, from earlier: Tokens?, to now: Tokens?) -> Bool {
        guard let now else { return false }
        guard let earlier else { return now.isOfLock }
        return role == .complete ? now.lock != earlier.lock : now.leave != earlier.leave
    }

    /// The current content of the file; nil if there is none.
    func read() -> Tokens? { folder().flatMap(read) }

    /// Like `read`, but makes the file if there is a folder for it.
    func prepare() -> Tokens? {
        guard let folder = folder() else { return nil }
        if let known = read(folder) { return known }
        try? write(Tokens(lock: Self.random(), leave: Self.random(), isOfLock: false), folder)
        return read(folder)
    }

    /// Makes every group of these roles void, in every home of this user. Throws if there is no folder for the file.
    func void(_ roles: [KeyGroup.Role]) throws {
        guard let path = location.runtimePath() else {
            throw DataProtectionError(.notLocked, "there is no runtime folder; set XDG_RUNTIME_DIR")
        }
        let folder = try HomeFolder(at: path, in: location.files)
        let former = read(folder)
        let leaves = roles.contains(.firstUnlock)
        try write(
            Tokens(
                lock: Self.random(), leave: leaves ? Self.random() : former?.leave ?? Self.random(),
                isOfLock: former?.isOfLock ?? true), folder)
    }

    private func folder() -> HomeFolder? {
        location.runtimePath().flatMap { try? HomeFolder(at: $0, in: location.files) }
    }

    private func read(_ folder: HomeFolder) -> Tokens? {
        let size = LockToken.size
        guard let bytes = try? folder.read(Self.fileName, limit: Self.size), bytes.count == Self.size
        else { return nil }
        return Tokens(lock: Array(bytes[..<size]), leave: Array(bytes[size..<2 * size]), isOfLock: bytes[2 * size] != 0)
    }

    private func write(_ tokens: Tokens, _ folder: HomeFolder) throws {
        try folder.replaceBesideOthers(Self.fileName, with: tokens.bytes)
    }

    private static func random() -> [UInt8] { LockToken.random().bytes }
}
