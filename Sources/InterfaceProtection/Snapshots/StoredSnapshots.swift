// SPDX-License-Identifier: Apache-2.0

#if canImport(FoundationEssentials)
public import FoundationEssentials
#else
public import Foundation
#endif

/// The pictures of an app's screens that iOS keeps in the app's own folder, for the app switcher.
///
/// A snapshot itself can't be prevented, only neutralised: what is photographed has to be the cover (`PrivacyScreen`), and
/// what was photographed before can be removed. The system takes new pictures whenever it likes.
public struct StoredSnapshots: Sendable {
    /// One picture, or another file that the system put beside it.
    public struct Snapshot: Sendable, Hashable {
        /// Where it is.
        public let url: URL
        /// Its size in bytes.
        public let size: Int
        /// When it was written.
        public let written: Date
    }

    /// A file that could not be looked at or removed. The others were.
    public struct Failure: Error, Sendable {
        /// Those files and why.
        public let failures: [(url: URL, cause: any Error)]
    }

    /// Where the system keeps them, below `Library`: up to iOS 13 and since.
    public static let folders = ["Caches/Snapshots", "SplashBoard/Snapshots"]

    /// More files than this are not looked at in one call.
    static let limit = 10_000

    private let library: URL

    /// The snapshots below `library`: the app's own unless told otherwise.
    public init(library: URL? = nil) { self.library = library ?? Self.ownLibrary }

    private static var ownLibrary: URL {
        FileManager.default.urls(for: .libraryDirectory, in: .userDomainMask).first
            ?? FileManager.default.homeDirectoryForCurrentUser.appending(path: "Library")
    }

    /// All files in both folders, the oldest first; none where there are no such folders. Symbolic links are not followed.
    public func find() throws -> [Snapshot] {
        var found: [Snapshot] = []
        for folder in Self.folders { try collect(in: library.appending(path: folder), depth: 8, into: &found) }
        return found.sorted { ($0.written, $0.url.path) < ($1.written, $1.url.path) }
    }

    /// Removes them all, and answers how many there were. Errors: `Failure`, after the others were removed.
    @discardableResult
    public func remove() throws -> Int {
        var failures: [(URL, any Error)] = []
        let found = try find()
        for snapshot in found {
            do { try FileManager.default.removeItem(at: snapshot.url) } catch { failures.append((snapshot.url, error)) }
        }
        guard failures.isEmpty else { throw Failure(failures: failures) }
        return found.count
    }

    private func collect(in folder: URL, depth: Int, into found: inout [Snapshot]) throws {
        let manager = FileManager.default
        guard depth > 0, try type(of: folder) == .typeDirectory else { return }
        for name in try manager.contentsOfDirectory(atPath: folder.path) where found.count < Self.limit {
            let url = folder.appending(path: name)
            let attributes = try manager.attributesOfItem(atPath: url.path)
            switch attributes[.type] as? FileAttributeType {
            case .typeDirectory?: try collect(in: url, depth: depth - 1, into: &found)
            case .typeRegular?:
                let size = (attributes[.size] as? UInt).map { Int(clamping: $0) } ?? 0
                let written = attributes[.modificationDate] as? Date ?? .distantPast
                found.append(Snapshot(url: url, size: size, written: written))
            default: break
            }
        }
    }

    /// The kind of file that `url` names, a link being a link; nil if there is none.
    private func type(of url: URL) throws -> FileAttributeType? {
        do {
            return try FileManager.default.attributesOfItem(atPath: url.path)[.type] as? FileAttributeType
        } catch let error as CocoaError where [.fileReadNoSuchFile, .fileNoSuchFile].contains(error.code) {
            return nil
        }
    }
}
