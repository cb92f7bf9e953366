// SPDX-License-Identifier: Apache-2.0

/// The files of a folder, and how to get their bytes.
package struct FileTree: Sendable {
    package private(set) var files: [ProjectFile] = []
    package private(set) var skipped: [Skipped] = []
    /// Folders that nobody wrote by hand, and what the configuration excludes: neither is looked into.
    package private(set) var passedOver: [String] = []
    package private(set) var excluded = 0
    /// Links to what lies in the folder too: examined where it stands, if it is.
    private var links: [(path: String, target: String)] = []
    /// What files are taken to hold instead of what they hold.
    private var texts: [String: [UInt8]] = [:]

    /// Folders that hold nothing which was written by hand.
    private static let foldersOfOthers: Set<String> = [
        ".git", ".build", ".swiftpm", "DerivedData", "node_modules", "xcuserdata", ".hg", ".svn",
    ]
    /// Deeper folders are skipped and counted.
    private static let deepest = 64
    private static let mostFiles = 200_000

    private init() {}

    init(sources: [(path: String, text: String)]) {
        for (path, text) in sources {
            let bytes = Array(text.utf8)
            files.append(ProjectFile(path: path, absolute: path, size: bytes.count, origin: Origins.origin(of: path)))
            texts[path] = bytes
        }
    }

    /// Whether a file is worth a place in a tree: it is read, or says whose code others are.
    package static func isOfUse(_ path: String) -> Bool {
        let name = path.split(separator: "/").last ?? ""
        return ProjectFile.isRead(String(name)) || Origins.isOfUse(name)
    }

    package static func walk(_ root: String, options: ProjectModel.Options) -> FileTree {
        var tree = FileTree()
        var root = root
        while root.count > 1, root.hasSuffix("/") { root.removeLast() }
        switch Disk.entry(root, followingLinks: true) {
        case .folder:
            tree.walk(root, below: "", depth: 0, options: options, root: Disk.resolved(root) ?? root)
            Origins.refine(
                &tree.files, head: { Disk.head(of: $0.absolute) },
                text: { file in Disk.bytes(of: file.absolute, most: 1 << 20).map { String(decoding: $0, as: UTF8.self) }
                })
            tree.files.sort { $0.path < $1.path }
            for index in tree.files.indices {
                if let origin = options.origin(tree.files[index].path) { tree.files[index].origin = origin }
            }
            tree.judgeLinks(options)
        case .file(let size):
            let name = String(root[(root.lastIndex(of: "/").map { root.index(after: $0) } ?? root.startIndex)...])
            tree.files.append(ProjectFile(path: name, absolute: root, size: size, origin: .own))
        case .link, .other: tree.skipped.append(Skipped(path: root, reason: "it is neither a file nor a folder"))
        case nil:
            tree.skipped.append(Skipped(path: root, reason: "there is no such file or folder, or it can't be read"))
        }
        return tree
    }

    private mutating func walk(
        _ folder: String, below path: String, depth: Int, options: ProjectModel.Options, root: String
    ) {
        guard depth < Self.deepest, let (names, others) = Disk.names(in: folder) else {
            skipped.append(
                Skipped(path: path, reason: depth < Self.deepest ? "the folder can't be read" : "folders nest too deep")
            )
            return
        }
        for name in others {
            skipped.append(Skipped(path: path.isEmpty ? name : path + "/" + name, reason: "its name is no UTF-8"))
        }
        var known = Set<String>()
        for name in names {
            // A name that is another's but for Unicode's normal form is told from it by its escapes.
            let shown = known.insert(name).inserted ? name : Self.escaped(name)
            let relative = path.isEmpty ? shown : path + "/" + shown
            guard !options.leaveOut(relative) else {
                excluded += 1
                continue
            }
            guard !Self.foldersOfOthers.contains(name) else {
                if Disk.entry(folder + "/" + name) == .folder { passedOver.append(relative) }
                continue
            }
            guard files.count < Self.mostFiles else {
                skipped.append(Skipped(path: relative, reason: "there are more than \(Self.mostFiles) files"))
                return
            }
            let absolute = folder + "/" + name
            switch Disk.entry(absolute) {
            case .folder: walk(absolute, below: relative, depth: depth + 1, options: options, root: root)
            case .file(let size):
                files.append(
                    ProjectFile(path: relative, absolute: absolute, size: size, origin: Origins.origin(of: relative)))
            case .link: judgeLink(relative, absolute, root: root)
            case .other where ProjectFile.isRead(name):
                skipped.append(Skipped(path: relative, reason: "it is neither a file nor a folder"))
            case .other: break
            case nil: skipped.append(Skipped(path: relative, reason: "it can't be read"))
            }
        }
    }

    /// `cafe\u{301}.swift`
    private static func escaped(_ name: String) -> String {
        name.unicodeScalars.map { $0.isASCII ? String($0) : "\\u{\(String($0.value, radix: 16))}" }.joined()
    }

    /// What a link in the folder points to is examined where it stands; what it would bring in from elsewhere is not.
    private mutating func judgeLink(_ path: String, _ absolute: String, root: String) {
        let target = Disk.resolved(absolute)
        if let target, target == root || target.hasPrefix(root + "/") {
            links.append((path, String(target.dropFirst(root.utf8.count + 1))))
            return
        }
        let isFolder = target.flatMap { Disk.entry($0) } == .folder
        guard isFolder || ProjectFile.isRead(String(path.split(separator: "/").last ?? "")) else { return }
        skipped.append(
            Skipped(
                path: path,
                reason: target == nil
                    ? "the link leads nowhere, or in a circle" : "the link leads out of the examined folder"))
    }

    /// Links whose target isn't examined where it stands, for its ending or because it is taken for somebody else's.
    private mutating func judgeLinks(_ options: ProjectModel.Options) {
        for (path, target) in links where !target.isEmpty && options.examines(Origins.origin(of: path)) {
            let isExamined: Bool
            if ProjectFile.isRead(String(path.split(separator: "/").last ?? "")) {
                isExamined = ProjectFile.isRead(target) && file(target).map { options.examines($0.origin) } == true
            } else {
                let parts = target.split(separator: "/").map(String.init)
                isExamined =
                    !parts.contains(where: Self.foldersOfOthers.contains)
                    && options.examines(Origins.origin(of: target + "/a.swift"))
            }
            guard !isExamined else { continue }
            skipped.append(
                Skipped(path: path, reason: "the link leads to \(target), which isn't examined under that name"))
        }
        links = []
    }

    /// The same tree with other contents of some files.
    package func with(_ texts: [String: [UInt8]]) -> FileTree {
        var tree = self
        tree.texts.merge(texts) { _, new in new }
        for index in tree.files.indices {
            if let text = texts[tree.files[index].path] { tree.files[index].size = text.count }
        }
        return tree
    }

    /// Where a file of the tree is for the system.
    package func absolute(_ path: String) -> String? { file(path)?.absolute }

    private func file(_ path: String) -> ProjectFile? {
        var low = 0
        var high = files.count
        while low < high {
            let middle = (low + high) / 2
            if files[middle].path < path { low = middle + 1 } else { high = middle }
        }
        return low < files.count && files[low].path == path ? files[low] : nil
    }

    /// A file's bytes by its path.
    package func contents(of path: String, most: Int) -> [UInt8]? {
        file(path).flatMap { contents(of: $0, most: most) }
    }

    /// The same as text.
    package func text(of path: String, most: Int) -> SourceText? { contents(of: path, most: most).map(SourceText.init) }
    package func text(of file: ProjectFile, most: Int) -> SourceText? {
        contents(of: file, most: most).map(SourceText.init)
    }

    /// A file's bytes where they are those that places count; nil for one in another form than UTF-8, which is left as it is.
    package func changeable(_ path: String, most: Int) -> [UInt8]? {
        text(of: path, most: most).flatMap { $0.isConverted ? nil : $0.bytes }
    }

    package func contents(of file: ProjectFile, most: Int) -> [UInt8]? {
        if let bytes = texts[file.path] { return bytes }
        return file.size <= most ? Disk.bytes(of: file.absolute, most: most) : nil
    }
}
