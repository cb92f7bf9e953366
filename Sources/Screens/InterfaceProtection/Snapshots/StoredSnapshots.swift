// SPDX-License-Identifier: Apache-2.0

#if canImport(FoundationEssentials)
public import FoundationEssentials
#else
public import Foundation
#endif

/// The pictures of an app's screens that iOS keeps in the app's own folder for the app switcher.
///
/// A snapshot can't be prevented, only neutralised. It has to show the cover (`PrivacyScreen`), and earlier pictures
/// can be removed. The system takes new pictures at any time.
public struct StoredSnapshots: Sendable {
    /// One picture, or another file that the system stored beside it.
    public struct Snapshot: Sendable, Hashable {
        /// Its location.
        public let url: URL
        /// Its size in bytes.
        public let size: Int
        /// When it was written.
        public let written: Date
    }

    /// Some files could not be examined or removed. The others were.
    public struct Failure: Error, Sendable {
        /// Those files, each with the reason.
        public let failures: [(url: URL, cause: any Error)]
    }

    /// The system's folders for them, below `Library`: up to iOS 13, and since.
    public static let folders = ["Caches/Snapshots", "SplashBoard/Snapshots"]

    private let library: URL

    /// The snapshots below `library`, by default the app's own.
    public init(library: URL? = nil) { self.library = library ?? Self.ownLibrary }

    private static var ownLibrary: URL {
        FileManager.default.urls(for: .libraryDirectory, in: .userDomainMask).first
            ?? URL.homeDirectory.appending(path: "Library")
    }

    /// All files in both folders, at any depth, oldest first; none if the folders don't exist. Symbolic links are not
    /// followed. Errors: `Failure`.
    public func find() throws -> [Snapshot] {
        let (found, failures) = look()
        guard failures.isEmpty else { throw Failure(failures: failures) }
        return found.sorted { ($0.written, $0.url.path) < ($1.written, $1.url.path) }
    }

    /// Removes all snapshots, and returns their number. Errors: `Failure`, after the others were removed.
    @discardableResult
    public func remove() throws -> Int {
        var (found, failures) = look()
        for snapshot in found {
            do { try FileManager.default.removeItem(at: snapshot.url) } catch { failures.append((snapshot.url, error)) }
        }
        guard failures.isEmpty else { throw Failure(failures: failures) }
        return found.count
    }

    /// Examines everything: a file that can't be examined doesn't hide the rest.
    private func look() -> (found: [Snapshot], failures: [(url: URL, cause: any Error)]) {
        var found: [Snapshot] = []
        var failures: [(url: URL, cause: any Error)] = []
        var left = Self.folders.map { library.appending(path: $0) }
        while let url = left.popLast() {
            do {
                let attributes = try FileManager.default.attributesOfItem(atPath: url.path)
                switch attributes[.type] as? FileAttributeType {
                case .typeDirectory?:
                    left += try FileManager.default.contentsOfDirectory(atPath: url.path).map {
                        url.appending(path: $0)
                    }
                case .typeRegular?:
                    let size = (attributes[.size] as? UInt).map { Int(clamping: $0) } ?? 0
                    let written = attributes[.modificationDate] as? Date ?? .distantPast
                    found.append(Snapshot(url: url, size: size, written: written))
                default: break
                }
            } catch {
                // Removed meanwhile, or never there: nothing is left to find.
                let code = (error as? CocoaError)?.code
                if code != .fileReadNoSuchFile, code != .fileNoSuchFile { failures.append((url, error)) }
            }
        }
        return (found, failures)
    }
}
