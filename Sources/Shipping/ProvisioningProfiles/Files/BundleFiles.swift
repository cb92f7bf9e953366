// SPDX-License-Identifier: Apache-2.0

import Files
import Foundation
import Readers

/// The files of a bundle, in a folder or in an archive, by relative path.
protocol BundleFiles: AnyObject {
    /// Opens a file; nil if there is none.
    func open(_ path: String) throws(ProfileError) -> (any ByteSource)?

    /// The paths of the bundles with one of these extensions directly inside the folder `name` of `root`, in order.
    /// Empty if the folder doesn't exist. Case is ignored: to the Mac and to an archive's reader the names are
    /// the same.
    func bundles(in root: String, _ name: String, extensions: Set<String>) throws(ProfileError) -> [String]

    /// The number of bytes read so far.
    var bytesRead: UInt64 { get }
}

final class FolderFiles: BundleFiles {
    private let root: String
    private let hooks = FileHooks()
    /// Not counted: only the opened files are read.
    let bytesRead: UInt64 = 0

    init(_ root: String) { self.root = root }

    func open(_ path: String) throws(ProfileError) -> (any ByteSource)? {
        try reached(path, .read).map { (file) throws(ProfileError) in try FileBytes(file) }
    }

    func bundles(in root: String, _ name: String, extensions: Set<String>) throws(ProfileError) -> [String] {
        let folders = try names(in: root, mayBeOdd: true).filter { $0.lowercased() == name.lowercased() }
        var found: [String] = []
        for folder in folders.map({ "\(root)/\($0)" }) {
            let names = try names(in: folder, mayBeOdd: false).filter { $0.hasExtension(of: extensions) }
            found += names.map { "\(folder)/\($0)" }
        }
        guard found.count <= AppBundle.maximumNestedBundles else {
            throw ProfileError(.tooLarge, "\(found.count) bundles in \(root)/\(name)")
        }
        for bundle in found { _ = try reached(bundle, .folder) }
        return found
    }

    /// Sorted; empty if there is no folder. Names beside bundles must be UTF-8, or a bundle could be missed.
    private func names(in folder: String, mayBeOdd: Bool) throws(ProfileError) -> [String] {
        let entries = (try? reached(folder, .folder)?.entries()) ?? []
        let names = entries.compactMap { String(validUTF8: $0) }
        guard mayBeOdd || names.count == entries.count else {
            throw ProfileError(.bundle, "a name in \(folder) is not UTF-8")
        }
        return names.sorted()
    }

    /// Opens what is at `path`, without following links below the root; nil if there is nothing.
    private func reached(_ path: String, _ mode: OpenFile.Mode) throws(ProfileError) -> OpenFile? {
        do throws(FileError) {
            let place = try hooks.hold(folder: FileLocation(root)).appending(path)
            do throws(FileError) { return try OpenFile.openIfPresent(place, mode: mode, hooks: hooks) } catch {
                guard error.isNoFolder else { throw error }
                guard try OpenFile.status(of: place, hooks)?.kind == .link else { return nil }
                throw FileError.link(place)
            }
        } catch {
            guard error.isLink else { throw ProfileError(.io, "\(path) can't be opened: \(error.text)") }
            throw ProfileError(.bundle, "\(path) is reached through a symbolic link")
        }
    }
}

final class ArchiveFiles: BundleFiles {
    private let archive: ZipArchive
    private let file: FileBytes
    /// The names in lower case, sorted, each with its original spelling.
    private let names: [(small: String, name: String)]

    init(_ file: FileBytes) throws(ProfileError) {
        self.file = file
        archive = try ZipArchive(file)
        names = archive.entries.keys.map { ($0.lowercased(), $0) }.sorted { $0.0 < $1.0 }
    }

    var bytesRead: UInt64 { file.bytesRead }

    func open(_ path: String) throws(ProfileError) -> (any ByteSource)? {
        guard let entry = archive.entries[path], !entry.isFolder else { return nil }
        return try archive.open(entry)
    }

    func bundles(in root: String, _ name: String, extensions: Set<String>) throws(ProfileError) -> [String] {
        let folder = root.isEmpty ? "\(name)/" : "\(root)/\(name)/"
        let prefix = folder.lowercased()
        let first = names.partitioningIndex { $0.small >= prefix }
        var found: [String] = []
        for name in names[first...].prefix(while: { $0.small.hasPrefix(prefix) }).map(\.name) {
            let inside = name.dropFirst(folder.count)
            guard let end = inside.firstIndex(of: "/") else { continue }
            let bundle = String(name[..<end])
            if bundle != found.last, bundle.hasExtension(of: extensions) { found.append(bundle) }
        }
        guard found.count <= AppBundle.maximumNestedBundles else {
            throw ProfileError(.tooLarge, "\(found.count) bundles in \(folder)")
        }
        return found
    }
}

extension String {
    fileprivate func hasExtension(of extensions: Set<String>) -> Bool {
        extensions.contains(PathText(self).pathExtension.lowercased())
    }
}

extension Array {
    /// The first element for which `holds` is true, or the end if there is none. It must then be true for all
    /// later elements.
    fileprivate func partitioningIndex(where holds: (Element) -> Bool) -> Int {
        var (low, high) = (0, count)
        while low < high {
            let middle = (low + high) / 2
            if holds(self[middle]) { high = middle } else { low = middle + 1 }
        }
        return low
    }
}
