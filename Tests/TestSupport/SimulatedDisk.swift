// SPDX-License-Identifier: Apache-2.0

import Foundation

/// Files and names, each as they are for a running program and as they are on the disk.
struct SimulatedDisk {
    /// What a path names: a folder, or a file by its place in `files`.
    enum Node: Equatable {
        case folder
        case file(Int)
    }

    /// A change of names that a sync of one of its folders saves.
    private enum Change {
        case add(String, Node)
        case remove(String)
        case move(String, String, Node)
        case exchange(String, Node, String, Node)

        func touches(_ folder: String) -> Bool {
            switch self {
            case .add(let path, _), .remove(let path): SimulatedDisk.parent(path) == folder
            case .move(let old, let new, _), .exchange(let old, _, let new, _):
                [old, new].map(SimulatedDisk.parent).contains(folder)
            }
        }

        /// The same, after its folder went from `old` to `new`.
        func moved(from old: String, to new: String) -> Change {
            func path(_ path: String) -> String { path.hasPrefix(old + "/") ? new + path.dropFirst(old.count) : path }
            return switch self {
            case .add(let added, let node): .add(path(added), node)
            case .remove(let removed): .remove(path(removed))
            case .move(let from, let to, let node): .move(path(from), path(to), node)
            case .exchange(let one, let node, let other, let otherNode):
                .exchange(path(one), node, path(other), otherNode)
            }
        }
    }

    private let root: String
    private var files: [SimulatedFile] = []
    private var names: [String: Node] = [:]
    private var namesOnDisk: [String: Node] = [:]
    private var unsynced: [Change] = []
    private var places: [WriteLog.File: Int] = [:]

    init(root: String) { self.root = root }

    /// Begins with a copy of the folder, all of it on the disk.
    mutating func load(_ copy: URL) throws {
        for name in try FileManager.default.subpathsOfDirectory(atPath: copy.path) {
            let url = copy.appendingPathComponent(name)
            var isFolder: ObjCBool = false
            guard unsafe FileManager.default.fileExists(atPath: url.path, isDirectory: &isFolder) else { continue }
            if isFolder.boolValue {
                names["\(root)/\(name)"] = .folder
            } else {
                names["\(root)/\(name)"] = .file(files.count)
                files.append(SimulatedFile(onDisk: try Data(contentsOf: url)))
            }
        }
        namesOnDisk = names
    }

    mutating func apply(_ record: WriteLog.Record) {
        switch record.kind {
        case .create:
            places[record.file] = files.count
            change(.add(record.path, .file(files.count)))
            files.append(SimulatedFile(onDisk: Data()))
        case .write: files[place(of: record)].change(.write(record.offset, record.data))
        case .truncate: files[place(of: record)].change(.truncate(record.offset))
        case .allocate: files[place(of: record)].change(.grow(record.offset + record.count))
        case .sync, .syncData: sync(record)
        case .rename: change(.move(record.path, record.newPath, names[record.path] ?? .file(place(of: record))))
        case .exchange:
            guard let one = names[record.path], let other = names[record.newPath] else { break }
            change(.exchange(record.path, other, record.newPath, one))
        case .link: change(.add(record.newPath, names[record.path] ?? .file(place(of: record))))
        case .unlink, .removeFolder: change(.remove(record.path))
        case .makeFolder: change(.add(record.path, .folder))
        case .send: break
        }
    }

    private mutating func sync(_ record: WriteLog.Record) {
        guard record.path == root || names[record.path] == .folder else {
            files[place(of: record)].sync()
            return
        }
        let synced = unsynced.filter { $0.touches(record.path) }
        unsynced.removeAll { $0.touches(record.path) }
        for change in synced {
            SimulatedDisk.apply(change, to: &namesOnDisk)
            guard case .move(let old, let new, _) = change else { continue }
            unsynced = unsynced.map { $0.moved(from: old, to: new) }
        }
    }

    private mutating func change(_ change: Change) {
        SimulatedDisk.apply(change, to: &names)
        unsynced.append(change)
    }

    private static func apply(_ change: Change, to names: inout [String: Node]) {
        switch change {
        case .add(let path, let node): names[path] = node
        case .remove(let path): names[path] = nil
        // Of files only. Each name then is that file's, also where the disk has not seen it before.
        case .exchange(let one, let node, let other, let otherNode): (names[one], names[other]) = (node, otherNode)
        case .move(let old, let new, let node):
            let below = names.filter { $0.key.hasPrefix(old + "/") }
            names[old] = nil
            for path in names.keys where path.hasPrefix(new + "/") { names[path] = nil }
            names[new] = node
            for (path, node) in below {
                names[path] = nil
                names[new + path.dropFirst(old.count)] = node
            }
        }
    }

    /// The file of a record: known by an earlier record, or by its name, or made without a call that was seen.
    private mutating func place(of record: WriteLog.Record) -> Int {
        if let place = places[record.file] { return place }
        if case .file(let place) = names[record.path] {
            places[record.file] = place
            return place
        }
        places[record.file] = files.count
        files.append(SimulatedFile(onDisk: Data()))
        if !record.path.hasSuffix(" (deleted)") { change(.add(record.path, .file(files.count - 1))) }
        return files.count - 1
    }

    private static func parent(_ path: String) -> String {
        path.lastIndex(of: "/").map { String(path[..<$0]) } ?? ""
    }

    /// What paths hold after a loss of power; nil for folders.
    func entries(keeping survivors: WriteReplay.Survivors) -> [String: Data?] {
        var random = SurvivorChoice(survivors)
        var left = namesOnDisk
        for change in unsynced.prefix(random.prefix(of: unsynced.count)) { SimulatedDisk.apply(change, to: &left) }
        var contents: [Int: Data] = [:]
        return left.sorted { $0.key < $1.key }.reduce(into: [:]) { found, entry in
            switch entry.value {
            case .folder: found[entry.key] = .some(nil)
            case .file(let place):
                let content = contents[place] ?? files[place].left(by: &random)
                contents[place] = content
                found[entry.key] = content
            }
        }
    }

    /// Makes the folder `target` of them, for its owner alone. What lies in a folder that was lost is lost with it.
    func write(_ entries: [String: Data?], to target: URL) throws {
        let manager = FileManager.default
        let folderMode: [FileAttributeKey: Any] = [.posixPermissions: 0o700]
        try manager.createDirectory(at: target, withIntermediateDirectories: true, attributes: folderMode)
        for (path, content) in entries.sorted(by: { $0.key < $1.key }) where path.hasPrefix(root + "/") {
            let copy = target.path + path.dropFirst(root.count)
            guard manager.fileExists(atPath: SimulatedDisk.parent(copy)) else { continue }
            if let content {
                _ = manager.createFile(atPath: copy, contents: content, attributes: [.posixPermissions: 0o600])
            } else {
                try manager.createDirectory(atPath: copy, withIntermediateDirectories: false, attributes: folderMode)
            }
        }
    }
}
