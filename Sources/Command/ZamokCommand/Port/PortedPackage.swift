// SPDX-License-Identifier: Apache-2.0

import Foundation
import Readers

/// What a package for Apple's systems lacks on Linux. Its files are read as text, and each is checked.
struct PortedPackage {
    /// One change that a file needs.
    struct Need: Equatable {
        let path: String
        /// 0: the file as a whole.
        let line: Int
        let what: String
    }

    private(set) var needs: [Need] = []
    /// The number of needs beyond the limit.
    private(set) var moreNeeds = 0
    /// What manifests lack, as sentences.
    private(set) var manifestNeeds: [String] = []
    /// Folders of targets whose files use Security but import only Foundation. Each needs one line.
    private(set) var targetsWithoutLine: [String] = []
    private(set) var fileCount = 0
    /// Files and folders that were not read, and why.
    private(set) var unreadable: [String] = []

    /// The maximum number of source files. A folder with more is probably not a package.
    private static let fileLimit = 50_000
    private static let depthLimit = 64
    private static let sizeLimit = 4 << 20
    private static let needLimit = 10_000
    private static let passedOver: Set = [".build", ".git", "Pods", "Carthage", "DerivedData", "node_modules"]

    static let line = "@_exported import Security"

    /// The needs of all files of a target.
    private struct Target {
        var needsLine = false
        var hasLine = false
        var products: Set<String> = []
    }

    /// `root`: a folder. Throws if it is not a folder, or contains no Swift file.
    init(_ root: String) throws {
        guard Self.type(root) == .typeDirectory else {
            throw CommandFailure(exitStatus: ExitStatus.notRun, message: "\(root.printable) is not a folder")
        }
        var files: [String] = []
        try find("", in: root, depth: 0, &files)
        guard !files.isEmpty || !unreadable.isEmpty else {
            throw CommandFailure(
                exitStatus: ExitStatus.notRun, message: "there is no Swift file below \(root.printable)")
        }
        let places = Self.places(files, in: root)
        var targets: [String: Target] = [:]
        for path in files.sorted() {
            guard let bytes = NamedFile.regular(root + "/" + path, atMost: Self.sizeLimit),
                let text = String(validUTF8: bytes)
            else {
                unreadable.append(
                    "\(path.printable): could not be read as UTF-8 of at most \(Self.sizeLimit >> 20) MiB")
                continue
            }
            fileCount += 1
            // The manifest runs during the build and belongs to no target.
            guard Self.name(path) != "Package.swift" else { continue }
            let source = PortedSource(text)
            let room = max(0, Self.needLimit - needs.count)
            needs += source.needs.prefix(room).map { Need(path: path, line: $0.line, what: $0.what) }
            moreNeeds += max(0, source.needs.count - room)
            let name = Self.target(of: path, places)
            var target = targets[name] ?? Target()
            target.needsLine = target.needsLine || source.callsSecurityUnseen
            target.hasLine = target.hasLine || source.exportsSecurity
            target.products.formUnion(source.products)
            targets[name] = target
        }
        findManifestNeeds(targets, files, root)
        targetsWithoutLine = targets.filter { $0.value.needsLine && !$0.value.hasLine }.keys.sorted()
    }

    /// A module compiles only if the manifest names its product. For a folder inside a package, the manifest above it
    /// is used.
    private mutating func findManifestNeeds(_ targets: [String: Target], _ files: [String], _ root: String) {
        var manifests: [String: PortedManifest] = [:]
        for path in files where Self.name(path) == "Package.swift" {
            manifests[Self.folder(path)] = PortedManifest(NamedFile.regular(root + "/" + path, atMost: Self.sizeLimit))
        }
        let above = manifests.isEmpty ? Self.manifestAbove(root) : nil
        var lacking: [String: Set<String>] = [:]
        for (folder, target) in targets.sorted(by: { $0.key < $1.key }) where !target.products.isEmpty {
            let steps = folder.split(separator: "/").map(String.init)
            let own = (0...steps.count).reversed().first { manifests[steps.prefix($0).joined(separator: "/")] != nil }
            guard let count = own, let manifest = manifests[steps.prefix(count).joined(separator: "/")] else {
                if let above, above.hasPackage, target.products.allSatisfy(above.names) { continue }
                lacking[above == nil ? "" : "..", default: []].formUnion(target.products)
                continue
            }
            let place = (steps.prefix(count) + ["Package.swift"]).joined(separator: "/")
            if !manifest.hasPackage { lacking[place] = [] }
            let below = steps.dropFirst(count).joined(separator: "/")
            for product in target.products.sorted() where !manifest.gives(product, to: below) {
                manifestNeeds.append(
                    "\(place.printable): the target in \(folder.printable) needs \(PortedManifest.dependency(product))")
            }
        }
        for (place, products) in lacking.sorted(by: { $0.key < $1.key }) {
            let sentence =
                place.hasSuffix("Package.swift")
                ? "\(place.printable): the package zamok is missing: .package(name: \"zamok\", path: PATH-OF-ZAMOK)"
                : "\(place.isEmpty ? "there is no Package.swift here" : "the Package.swift above lacks something"); what builds this needs of zamok: \(products.sorted().joined(separator: ", "))"
            manifestNeeds.append(sentence)
        }
    }

    private static func manifestAbove(_ root: String) -> PortedManifest? {
        var url = URL(fileURLWithPath: root).standardizedFileURL
        for _ in 0..<depthLimit where url.path != "/" {
            url.deleteLastPathComponent()
            if let bytes = NamedFile.regular(url.path + "/Package.swift", atMost: sizeLimit) {
                return PortedManifest(bytes)
            }
        }
        return nil
    }

    /// Adds the Swift files below a folder, with paths relative to the root. Links to folders are reported and not
    /// followed, because they could form a cycle.
    private mutating func find(_ folder: String, in root: String, depth: Int, _ found: inout [String]) throws {
        let names = try? FileManager.default.contentsOfDirectory(atPath: root + "/" + folder)
        guard let names, depth <= Self.depthLimit else {
            unreadable.append("\(folder.printable): could not be read")
            return
        }
        for name in names.sorted() where !Self.passedOver.contains(name) {
            let path = folder.isEmpty ? name : folder + "/" + name
            let type = Self.type(root + "/" + path)
            if type == .typeDirectory {
                try find(path, in: root, depth: depth + 1, &found)
            } else if type == .typeSymbolicLink, Self.type(root + "/" + path + "/") == .typeDirectory {
                unreadable.append("\(path.printable): a link to a folder, not followed; name that folder by itself")
            } else if name.hasSuffix(".swift") {
                found.append(path)
            }
            guard found.count <= Self.fileLimit else {
                throw CommandFailure(
                    exitStatus: ExitStatus.notRun,
                    message: "there are more than \(Self.fileLimit) Swift files; name one package")
            }
        }
    }

    private static func type(_ path: String) -> FileAttributeType? {
        (try? FileManager.default.attributesOfItem(atPath: path))?[.type] as? FileAttributeType
    }

    private static func name(_ path: String) -> String { String(path.split(separator: "/").last ?? "") }

    private static func folder(_ path: String) -> String {
        path.split(separator: "/").dropLast().joined(separator: "/")
    }

    /// The locations of targets: folders with a manifest, folders that a manifest names, and folders named `Sources` or
    /// `Tests` that contain files directly.
    private struct TargetFolders {
        var packages: Set<String> = []
        var targets: Set<String> = []
    }

    private static func places(_ files: [String], in root: String) -> TargetFolders {
        var places = TargetFolders()
        for path in files {
            let folder = folder(path)
            if ["Sources", "Tests"].contains(name(folder)) { places.targets.insert(folder) }
            guard name(path) == "Package.swift" else { continue }
            places.packages.insert(folder)
            let text = String(decoding: NamedFile.regular(root + "/" + path, atMost: sizeLimit) ?? [], as: UTF8.self)
            for part in text.split(separator: "path:").dropFirst() {
                let words = part.split(separator: "\"", maxSplits: 2, omittingEmptySubsequences: false)
                guard words.count == 3, words[0].allSatisfy(\.isWhitespace) else { continue }
                let steps = words[1].split(separator: "/").filter { $0 != "." }
                places.targets.insert((folder.isEmpty ? steps : [Substring(folder)] + steps).joined(separator: "/"))
            }
        }
        return places
    }

    /// The folder of the file's target: the outermost target folder above it. Otherwise it is, below the nearest
    /// manifest or the root, `Sources/NAME`, `Tests/NAME` or the first folder.
    private static func target(of path: String, _ places: TargetFolders) -> String {
        let folders = path.split(separator: "/").dropLast().map(String.init)
        func joined(_ count: Int) -> String { folders.prefix(count).joined(separator: "/") }
        if let count = (0...folders.count).first(where: { $0 > 0 && places.targets.contains(joined($0)) }) {
            return joined(count)
        }
        let above = (0...folders.count).last { places.packages.contains(joined($0)) } ?? 0
        let count = above < folders.count && ["Sources", "Tests"].contains(folders[above]) ? 2 : 1
        let target = joined(above + count)
        return target.isEmpty ? "." : target
    }

    /// Writes a file with the line into each target that needs it. Nothing is overwritten: existing files of that name
    /// are in `left`.
    func writeLines(_ root: String) -> (written: [String], left: [String]) {
        var done: (written: [String], left: [String]) = ([], [])
        for target in targetsWithoutLine {
            let path = (target == "." ? "" : target + "/") + "Security+Exported.swift"
            let text = "// On Apple's systems Foundation brings Security with it; here this line does.\n\(Self.line)\n"
            do {
                try Data(text.utf8).write(to: URL(fileURLWithPath: root + "/" + path), options: .withoutOverwriting)
                done.written.append(path)
            } catch {
                done.left.append(path)
            }
        }
        return done
    }
}
