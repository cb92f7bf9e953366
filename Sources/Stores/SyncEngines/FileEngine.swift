// SPDX-License-Identifier: Apache-2.0

public import SyncLog

/// An engine in a folder, which may be shared: an entry is a file that is linked to its place, which fails where one is.
public struct FileEngine: SyncEngine {
    let folder: String

    /// Uses a folder that exists.
    public init(folder: String) { self.folder = folder }

    func path(_ account: Digest32, _ rest: String) -> String { "\(folder)/\(account.hexadecimal)/\(rest)" }

    /// Creates the entry, synced before it is linked.
    public func append(
        _ bytes: [UInt8], at place: UInt64, of account: Digest32
    ) async throws(SyncEngineError) -> AppendAnswer {
        try Disk.create(path(account, "log"), place.digits(16), bytes) ? .done : .taken
    }

    /// Reads the files of the log, of each at most 1 MiB and a byte.
    public func read(
        _ account: Digest32, from place: UInt64, limit: Int
    ) async throws(SyncEngineError) -> [StoredEntry] {
        let folder = path(account, "log")
        let names = try Disk.names(folder).filter { $0.utf8.count == 16 && $0.allSatisfy(\.isHexDigit) }
        let places = names.compactMap { UInt64($0, radix: 16) }.filter { $0 >= place }.sorted().prefix(limit)
        var found: [StoredEntry] = []
        for place in places {
            guard let bytes = try Disk.read("\(folder)/\(place.digits(16))", most: SyncLimits.entry + 1) else {
                continue
            }
            found.append(StoredEntry(place: place, bytes: bytes))
        }
        return found
    }

    /// Looks again and again, less and less often.
    public func wait(
        _ account: Digest32, after place: UInt64, patience: Duration
    ) async throws(SyncEngineError) -> Bool {
        let end = ContinuousClock.now + patience
        var pause = Duration.milliseconds(5)
        while true {
            if try Disk.exists(path(account, "log/\((place + 1).digits(16))")) { return true }
            if ContinuousClock.now >= end { return false }
            guard (try? await Task.sleep(for: min(pause, end - ContinuousClock.now))) != nil else { return false }
            pause = min(pause * 2, .seconds(1))
        }
    }

    /// Creates or replaces a file beside the log.
    public func put(
        _ bytes: [UInt8], at key: SideKey, of account: Digest32
    ) async throws(SyncEngineError) -> AppendAnswer {
        var parts = key.path.split(separator: "/")
        let name = String(parts.removeLast())
        let folder = path(account, parts.joined(separator: "/"))
        if key.isReplaced {
            try Disk.replace(folder, name, bytes)
            return .done
        }
        return try Disk.create(folder, name, bytes) ? .done : .taken
    }

    /// Removes files of the log and of snapshots.
    public func remove(_ account: Digest32, below place: UInt64) async throws(SyncEngineError) {
        for (folder, isTree) in [("log", false), ("snapshots", true)] {
            let names = try Disk.names(path(account, folder)).filter { $0.utf8.count == 16 }
            for name in names {
                guard let own = UInt64(name, radix: 16), own < place else { continue }
                try Disk.remove(path(account, "\(folder)/\(name)"), isTree: isTree)
            }
        }
    }

    /// Reads a file beside the log.
    public func get(_ key: SideKey, of account: Digest32) async throws(SyncEngineError) -> [UInt8]? {
        try Disk.read(path(account, key.path), most: SyncLimits.entry + 1)
    }
}
