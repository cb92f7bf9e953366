// SPDX-License-Identifier: Apache-2.0

/// The files of a folder, and how to get their bytes.
struct FileTree {
    var files: [ProjectFile] = []
    var skipped: [Skipped] = []
    private var texts: [String: [UInt8]] = [:]

    /// Folders that hold nothing which was written by hand.
    private static let passedOver: Set<String> = [
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

    static func walk(_ root: String, options: ProjectModel.Options) -> FileTree {
        var tree = FileTree()
        var root = root
        while root.count > 1, root.hasSuffix("/") { root.removeLast() }
        switch Disk.entry(root, followingLinks: true) {
        case .folder: tree.walk(root, below: "", depth: 0, options: options)
        case .file(let size):
            let name = String(root[(root.lastIndex(of: "/").map { root.index(after: $0) } ?? root.startIndex)...])
            tree.files.append(ProjectFile(path: name, absolute: root, size: size, origin: .own))
        case .other: tree.skipped.append(Skipped(path: root, reason: "it is neither a file nor a folder"))
        case nil:
            tree.skipped.append(Skipped(path: root, reason: "there is no such file or folder, or it can't be read"))
        }
        return tree
    }

    private mutating func walk(_ folder: String, below path: String, depth: Int, options: ProjectModel.Options) {
        guard depth < Self.deepest, let names = Disk.names(in: folder) else {
            skipped.append(
                Skipped(path: path, reason: depth < Self.deepest ? "the folder can't be read" : "folders nest too deep")
            )
            return
        }
        for name in names where !Self.passedOver.contains(name) {
            let relative = path.isEmpty ? name : path + "/" + name
            guard !options.leaveOut(relative) else { continue }
            guard files.count < Self.mostFiles else {
                skipped.append(Skipped(path: relative, reason: "there are more than \(Self.mostFiles) files"))
                return
            }
            let absolute = folder + "/" + name
            switch Disk.entry(absolute) {
            case .folder: walk(absolute, below: relative, depth: depth + 1, options: options)
            case .file(let size):
                files.append(
                    ProjectFile(path: relative, absolute: absolute, size: size, origin: Origins.origin(of: relative)))
            // A link, a socket, a pipe: what a link points to is examined where it stands.
            case .other: break
            case nil: skipped.append(Skipped(path: relative, reason: "it can't be read"))
            }
        }
    }

    func contents(of file: ProjectFile, most: Int) -> [UInt8]? {
        if let bytes = texts[file.path] { return bytes }
        return file.size <= most ? Disk.read(file.absolute, most: most) : nil
    }
}
