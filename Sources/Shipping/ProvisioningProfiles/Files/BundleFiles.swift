// SPDX-License-Identifier: Apache-2.0

import Files
import Foundation

/// The files of a bundle, in a folder or in an archive, by their paths relative to it.
protocol BundleFiles: AnyObject {
    /// Opens a file; nil where there is none.
    func open(_ path: String) throws(ProfileError) -> (any ByteSource)?

    /// The names of the bundles with one of these extensions directly inside a folder, in order; empty where the
    /// folder is not there.
    func bundles(in folder: String, extensions: Set<String>) throws(ProfileError) -> [String]

    /// How many bytes were read so far.
    var bytesRead: UInt64 { get }
}

final class FolderFiles: BundleFiles {
    private let root: String
    private let hooks = FileHooks()
    /// Not counted: nothing but the files opened is read anyway.
    let bytesRead: UInt64 = 0

    init(_ root: String) { self.root = root }

    func open(_ path: String) throws(ProfileError) -> (any ByteSource)? {
        try reached(path, .read).map { (file) throws(ProfileError) in try FileBytes(file) }
    }

    func bundles(in folder: String, extensions: Set<String>) throws(ProfileError) -> [String] {
        let place = try reached(folder, .folder)
        let entries = (try? place?.entries()) ?? []
        let found = entries.compactMap { String(validating: $0, as: UTF8.self) }
            .filter { extensions.contains(($0 as NSString).pathExtension) }.sorted()
        guard found.count <= AppBundle.maximumNestedBundles else {
            throw ProfileError(.tooLarge, "\(found.count) bundles in \(folder)")
        }
        for name in found { _ = try reached("\(folder)/\(name)", .folder) }
        return found
    }

    /// What lies there, reached from the root by no link; nil where there is nothing.
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
    private let names: [String]

    init(_ file: FileBytes) throws(ProfileError) {
        self.file = file
        archive = try ZipArchive(file)
        names = archive.entries.keys.sorted()
    }

    var bytesRead: UInt64 { file.bytesRead }

    func open(_ path: String) throws(ProfileError) -> (any ByteSource)? {
        guard let entry = archive.entries[path], !entry.isFolder else { return nil }
        return try archive.open(entry)
    }

    func bundles(in folder: String, extensions: Set<String>) throws(ProfileError) -> [String] {
        let prefix = "\(folder)/"
        var found: [String] = []
        for name in names where name.hasPrefix(prefix) {
            let inside = name.dropFirst(prefix.count)
            guard let end = inside.firstIndex(of: "/") else { continue }
            let bundle = String(inside[..<end])
            if bundle != found.last, extensions.contains((bundle as NSString).pathExtension) { found.append(bundle) }
        }
        guard found.count <= AppBundle.maximumNestedBundles else {
            throw ProfileError(.tooLarge, "\(found.count) bundles in \(folder)")
        }
        return found
    }
}
