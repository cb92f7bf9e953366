// SPDX-License-Identifier: Apache-2.0

package import Files

/// A file that is to be read.
struct WalkedFile: Sendable {
    let file: OpenFile
    let status: FileStatus
    let location: FileLocation
    /// Which other users reach the folder that it is in.
    let reach: Reach
}

/// Which other users pass through all folders down to a file.
struct Reach: Sendable {
    var group = true
    var others = true

    func through(_ permissions: UInt32) -> Reach {
        Reach(group: group && permissions & 0o010 != 0, others: others && permissions & 0o001 != 0)
    }
}

/// Goes through folders in the order of their names. It follows no link, opens regular files of this user only, and
/// enters each folder once.
struct Walk {
    /// The deepest folder below a named one.
    static let deepest = 200

    let includesPackages: Bool
    private(set) var counts = WalkCounts()
    private var seen: Set<FileIdentity> = []
    private let hooks: FileHooks

    init(includesPackages: Bool, hooks: FileHooks = FileHooks()) {
        (self.includesPackages, self.hooks) = (includesPackages, hooks)
    }

    /// Goes through what a path names: a folder, or a file. A path that is itself a link is followed.
    mutating func start(_ path: FileLocation, _ emit: (WalkedFile) -> Void) {
        do {
            guard let (opened, status) = try OpenFile.named(path) else {
                return counts.refuse(path, "neither a regular file nor a folder")
            }
            let reach = Self.reach(of: path)
            if status.kind == .folder {
                folder(opened, status, path, reach, depth: 0, emit)
            } else {
                file(opened, status, path, reach, isNamed: true, emit)
            }
        } catch {
            counts.refuse(path, error.text)
        }
    }

    /// What the folders above a named path permit; unknown ones permit all.
    private static func reach(of path: FileLocation) -> Reach {
        guard path.isAbsolute else { return Reach() }
        var reach = Reach()
        var place = path.folder
        for _ in 0..<64 {
            if let status = try? OpenFile.open(place, mode: .folder, hooks: FileHooks()).status() {
                reach = reach.through(status.permissions)
            }
            if place.bytes == [UInt8(ascii: "/")] { break }
            place = place.folder
        }
        return reach
    }

    private mutating func file(
        _ file: OpenFile, _ status: FileStatus, _ path: FileLocation, _ reach: Reach, isNamed: Bool = false,
        _ emit: (WalkedFile) -> Void
    ) {
        guard status.isOurs else {
            counts.others += 1
            if isNamed { counts.refuse(path, "it belongs to another user") }
            return
        }
        emit(WalkedFile(file: file, status: status, location: path, reach: reach))
    }

    private mutating func folder(
        _ folder: OpenFile, _ status: FileStatus, _ path: FileLocation, _ reach: Reach, depth: Int,
        _ emit: (WalkedFile) -> Void
    ) {
        guard seen.insert(status.identity).inserted else { return }
        counts.folders += 1
        let names: FolderNames
        do { names = try FolderNames(of: folder) } catch { return counts.refuse(path, error.text) }
        if names.isCut { counts.refuse(path, "it has more than \(FolderNames.most) names") }
        let inside = reach.through(status.permissions)
        for index in 0..<names.count {
            let name = names[index]
            let place = path.appending(name)
            do {
                guard let found = try OpenFile.status(of: FileLocation(bytes: name), hooks, in: folder) else {
                    continue
                }
                switch found.kind {
                case .file:
                    guard found.isOurs else {
                        counts.others += 1
                        continue
                    }
                    guard found.size > 0 else { continue }
                    let opened = try OpenFile.open(
                        FileLocation(bytes: name), mode: .look, hooks: hooks, in: folder, named: place)
                    let status = try opened.status()
                    guard status.kind == .file else { continue }
                    file(opened, status, place, inside, emit)
                case .folder: try enter(name, place, status, folder, inside, depth, emit)
                case .link: counts.links += 1
                case .other: counts.special += 1
                }
            } catch {
                counts.refuse(place, error.text)
            }
        }
    }

    private mutating func enter(
        _ name: [UInt8], _ place: FileLocation, _ parent: FileStatus, _ folder: OpenFile, _ reach: Reach, _ depth: Int,
        _ emit: (WalkedFile) -> Void
    ) throws(FileError) {
        if SkippedFolder.isStore(name, in: place.folder) { return }
        if !includesPackages, SkippedFolder.isPackages(name, place) {
            counts.packages += 1
            return
        }
        guard depth < Self.deepest else { return counts.refuse(place, "it is deeper than \(Self.deepest) folders") }
        let opened = try OpenFile.open(FileLocation(bytes: name), mode: .folder, hooks: hooks, in: folder, named: place)
        let status = try opened.status()
        if status.device != parent.device {
            switch SkippedFolder.system(try opened.fileSystemType()) {
            case .local: break
            case .none: return
            case .remote: return counts.refuse(place, "it is on a network or FUSE file system; name it to look into it")
            }
        }
        self.folder(opened, status, place, reach, depth: depth + 1, emit)
    }
}

/// What a walk met besides files that were read.
package struct WalkCounts: Sendable {
    /// A path that was not read, and the reason.
    package struct Unread: Sendable, Equatable {
        package let path: FileLocation
        package let reason: String
    }

    package var folders = 0
    /// Files of other users.
    package var others = 0
    package var links = 0
    /// Pipes, sockets and devices.
    package var special = 0
    /// Folders of downloaded packages.
    package var packages = 0
    /// The first of those that could not be read; `moreUnread`: how many more there are.
    package var unread: [Unread] = []
    package var moreUnread = 0
    static let mostUnread = 1000

    mutating func refuse(_ path: FileLocation, _ reason: String) {
        guard unread.count < Self.mostUnread else {
            moreUnread += 1
            return
        }
        unread.append(Unread(path: path, reason: reason))
    }
}

/// Folders in which no file of the user is.
enum SkippedFolder {
    private static let packageFolders: Set<String> = [
        "node_modules", "bower_components", "site-packages", "dist-packages", "__pycache__", ".rustup", "Pods",
        ".pub-cache", "_cacache", "jspm_packages", ".yarn-cache",
    ]
    /// Folders with this one above them.
    private static let nested: Set<String> = [
        ".cargo/registry", ".cargo/git", "pkg/mod", ".gradle/caches", ".gradle/wrapper", ".m2/repository",
        ".nuget/packages", "vendor/bundle", ".ivy2/cache", ".pnpm-store/v3",
        ".bun/install", ".deno/deps", ".conda/pkgs", ".opam/download-cache", ".stack/snapshots", ".swiftpm/cache",
        ".cache/pip", ".cache/uv", ".cache/yarn", ".cache/go-build",
    ]

    /// Folders of packages that were downloaded: what their authors published, with keys of tests.
    static func isPackages(_ name: [UInt8], _ place: FileLocation) -> Bool {
        let text = String(decoding: name, as: UTF8.self)
        return packageFolders.contains(text)
            || nested.contains("\(String(decoding: place.folder.name, as: UTF8.self))/\(text)")
    }

    /// Objects of git and of its relatives: compressed, or large.
    static func isStore(_ name: [UInt8], in folder: FileLocation) -> Bool {
        let text = String(decoding: name, as: UTF8.self)
        guard text == "objects" || text == "lfs" || text == "annex" else { return false }
        let parent = String(decoding: folder.name, as: UTF8.self)
        return parent == ".git" || parent.hasSuffix(".git") || parent == "lfs"
    }

    enum System { case local, remote, none }

    private static let without: Set<UInt32> = [
        0x9FA0, 0x6265_6572, 0x27_E0EB, 0x6367_7270, 0x1CD1, 0x6462_6720, 0x7472_6163, 0x7363_6673, 0xCAFE_4A11,
        0x6165_676C, 0xDE5E_81E4, 0x6265_6570, 0x1980_0202,
        0x9584_58F6, 0xF97C_FF8C, 0x4249_4E4D, 0x6573_5543, 0x0187, 0x6E73_6673,
    ]
    private static let networks: Set<UInt32> = [
        0x6969, 0xFF53_4D42, 0xFE53_4D42, 0x6573_5546, 0x00C3_6400, 0x0102_1997, 0x5346_414F, 0x7375_7245,
    ]

    /// By the type that statfs(2) gives.
    static func system(_ type: UInt32) -> System {
        without.contains(type) ? .none : networks.contains(type) ? .remote : .local
    }
}
