// SPDX-License-Identifier: Apache-2.0

import DataProtection
public import Files

/// The files among the given paths that have several names (hard links), and those names (`ProtectedFileStore.links`).
/// Pass it as `allLinks` to a call that replaces a file: the call then replaces all its names or none.
public struct FileLinks: Sendable {
    fileprivate var files: [FileLocation: FileIdentity] = [:]
    fileprivate var names: [FileIdentity: [FileLocation]] = [:]

    /// The names of the file at `path`; only `path` if no other given path is a name of the file.
    public func names(of path: FileLocation) -> [FileLocation] {
        files[path].flatMap { names[$0] } ?? [path]
    }
}

/// A name in a folder, regardless of the path that leads there.
private struct FolderAndName: Hashable {
    let folder: FileIdentity
    let name: [UInt8]

    init?(_ held: FileLocation) throws {
        guard let folder = try held.heldFolder?.status().identity else { return nil }
        self.folder = folder
        name = held.name
    }
}

extension ProtectedFileStore {
    /// Finds which of these paths are names of one file. Inaccessible paths are left out; the call that uses them
    /// reports the error.
    public func links(among paths: [FileLocation]) -> FileLinks {
        var links = FileLinks()
        var places: Set<FolderAndName> = []
        for path in paths {
            guard let held = try? hooks.hold(path), let status = (try? OpenFile.status(of: held, hooks)) ?? nil,
                status.kind == .file, status.links > 1, let place = (try? FolderAndName(held)) ?? nil
            else { continue }
            links.files[path] = status.identity
            if places.insert(place).inserted { links.names[status.identity, default: []].append(path) }
        }
        return links
    }

    /// All names to be replaced together with `path`, each in its folder, which is held open. The first is `path`.
    func allNames(of path: FileLocation, _ links: FileLinks?) throws -> [FileLocation] {
        guard let links else { return [path] }
        let status = try OpenFile.status(of: path, hooks)
        var names = [path]
        var places = Set([try FolderAndName(path)])
        for name in links.names(of: path) {
            let held = try reaching(name) { $0 }
            guard try OpenFile.status(of: held, hooks)?.identity == status?.identity,
                places.insert(try FolderAndName(held)).inserted
            else { continue }
            names.append(held)
        }
        if let status, status.links > names.count {
            // A leftover file of a killed process counts as a name, too.
            for name in names { temporaries.leftovers.remove(in: name.folder) }
        }
        guard names.count > 1 else { return names }
        for name in names {
            try refuseRecord(name)
            guard try folders.indexed(name.folder) == nil else {
                throw ProtectedFileError(
                    .unsupported,
                    "\(name) is one of several names (hard links), and the index of its folder follows a file by one name; "
                        + "run: zamok files index \(name.folder.shellWord) --off")
            }
            try knownFolders.note(name.folder)
            try temporaries.note(name.folder)
        }
        return names
    }

    /// A file with several names has one class, but is in several folders, whose default classes must agree unless a
    /// class is given.
    func checkFolders(of names: [FileLocation], _ protection: ProtectionClass?) throws {
        guard names.count > 1 else { return }
        let classes = try names.map {
            try surroundings($0, hasClass: protection != nil, [], isMissing: false).protection
        }
        guard protection != nil || Set(classes).count == 1 else {
            throw ProtectedFileError(
                .invalidArgument,
                "\(names[0]) has names (hard links) in folders of different default classes; name the class that it is to have"
            )
        }
    }
}
