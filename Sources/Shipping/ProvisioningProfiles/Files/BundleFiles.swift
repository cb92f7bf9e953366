// SPDX-License-Identifier: Apache-2.0

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
    /// Not counted: nothing but the files opened is read anyway.
    let bytesRead: UInt64 = 0

    init(_ root: String) { self.root = root }

    func open(_ path: String) throws(ProfileError) -> (any ByteSource)? {
        guard FileManager.default.fileExists(atPath: "\(root)/\(path)") else { return nil }
        try refuseLinks(path)
        return try OpenFile("\(root)/\(path)", followsLinks: false)
    }

    func bundles(in folder: String, extensions: Set<String>) throws(ProfileError) -> [String] {
        let names = (try? FileManager.default.contentsOfDirectory(atPath: "\(root)/\(folder)")) ?? []
        let found = names.filter { extensions.contains(($0 as NSString).pathExtension) }.sorted()
        guard found.count <= AppBundle.maximumNestedBundles else {
            throw ProfileError(.tooLarge, "\(found.count) bundles in \(folder)")
        }
        for name in found { try refuseLinks("\(folder)/\(name)") }
        return found
    }

    /// No part of the path inside the bundle may be a link.
    private func refuseLinks(_ path: String) throws(ProfileError) {
        var current = root
        for part in path.split(separator: "/") {
            current += "/\(part)"
            if (try? FileManager.default.destinationOfSymbolicLink(atPath: current)) != nil {
                throw ProfileError(.bundle, "\(path) is reached through a symbolic link")
            }
        }
    }
}

final class ArchiveFiles: BundleFiles {
    private let archive: ZipArchive
    private let file: OpenFile
    private let names: [String]

    init(_ file: OpenFile) throws(ProfileError) {
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
