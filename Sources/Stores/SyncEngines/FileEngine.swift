// SPDX-License-Identifier: Apache-2.0

public import SyncLog

/// An engine in a folder, which may be shared. An entry is a file that is linked to its place; linking fails if the
/// place has one.
public struct FileEngine: SyncEngine {
    let folder: String

    /// Uses a folder that exists.
    public init(folder: String) { self.folder = folder }

    /// Splits a path below the account's folder into its folders and the last name.
    private func way(_ account: Digest32, _ path: String) -> (folders: [Substring], name: String) {
        var parts = "\(account.hexadecimal)/\(path)".split(separator: "/")
        let name = String(parts.removeLast())
        return (parts, name)
    }

    /// Creates the entry; its file is synced before it is linked.
    public func append(
        _ bytes: [UInt8], at place: UInt64, of account: Digest32
    ) async throws(SyncEngineError) -> AppendAnswer {
        let (folders, name) = way(account, "log/\(place.digits(16))")
        return try Disk.create(Disk.madeFolder(folder, folders), name, bytes) ? .done : .taken
    }

    /// Reads the files of the log, at most 1 MiB and one byte of each.
    public func read(
        _ account: Digest32, from place: UInt64, limit: Int
    ) async throws(SyncEngineError) -> [StoredEntry] {
        guard let folder = try Disk.folder(folder, way(account, "log/-").folders) else { return [] }
        let places = try Self.places(folder).filter { $0 >= place }.sorted().prefix(limit)
        var found: [StoredEntry] = []
        for place in places {
            guard let bytes = try Disk.read(folder, place.digits(16), most: SyncLimits.entry + 1) else {
                continue
            }
            found.append(StoredEntry(place: place, bytes: bytes))
        }
        return found
    }

    private static func places(_ folder: borrowing Disk.Folder) throws(SyncEngineError) -> [UInt64] {
        try Disk.names(folder).compactMap { name in
            guard let place = UInt64(name, radix: 16), place.digits(16) == name else { return nil }
            return place
        }
    }

    /// Counts the names of entries.
    public func count(
        _ account: Digest32, from place: UInt64, through last: UInt64
    ) async throws(SyncEngineError) -> Int {
        guard place <= last, let folder = try Disk.folder(folder, way(account, "log/-").folders) else { return 0 }
        return try Self.places(folder).count { place...last ~= $0 }
    }

    /// Polls, at growing intervals of up to one second.
    public func wait(
        _ account: Digest32, after place: UInt64, patience: Duration
    ) async throws(SyncEngineError) -> Bool {
        let (folders, name) = way(account, "log/\((place + 1).digits(16))")
        let end = ContinuousClock.now + patience
        var pause = Duration.milliseconds(5)
        while true {
            if let log = try Disk.folder(folder, folders), try Disk.exists(log, name) { return true }
            if ContinuousClock.now >= end { return false }
            guard (try? await Task.sleep(for: min(pause, end - ContinuousClock.now))) != nil else { return false }
            pause = min(pause * 2, .seconds(1))
        }
    }

    /// Creates or replaces a file beside the log.
    public func put(
        _ bytes: [UInt8], at key: SideKey, of account: Digest32
    ) async throws(SyncEngineError) -> AppendAnswer {
        let (folders, name) = way(account, key.path)
        let folder = try Disk.madeFolder(folder, folders)
        if key.isReplaced {
            try Disk.replace(folder, name, bytes)
            return .done
        }
        return try Disk.create(folder, name, bytes) ? .done : .taken
    }

    /// Removes files of the log and of snapshots.
    public func remove(_ account: Digest32, below place: UInt64) async throws(SyncEngineError) {
        for (part, isTree) in [("log/-", false), ("snapshots/-", true)] {
            guard let folder = try Disk.folder(folder, way(account, part).folders) else { continue }
            for name in try Disk.names(folder) where name.utf8.count == 16 {
                guard let own = UInt64(name, radix: 16), own < place else { continue }
                try Disk.remove(folder, name, isTree: isTree)
            }
        }
    }

    /// An account that was here has its folder. If the folder is missing, another disk is mounted than the one with
    /// the log.
    public func mustBeInPlace(_ account: Digest32) async throws(SyncEngineError) {
        let name = account.hexadecimal
        guard try Disk.folder(folder, [Substring(name)]) == nil else { return }
        throw SyncEngineError(
            .unreachable,
            "the folder \(folder) has nothing of this account: is its disk mounted? If what was there is lost for good, so that the machines are to put it back: mkdir \(folder)/\(name)"
        )
    }

    /// Reads a file beside the log.
    public func get(_ key: SideKey, of account: Digest32) async throws(SyncEngineError) -> [UInt8]? {
        let (folders, name) = way(account, key.path)
        guard let folder = try Disk.folder(folder, folders) else { return nil }
        return try Disk.read(folder, name, most: SyncLimits.entry + 1)
    }
}
