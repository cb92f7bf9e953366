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

    /// Some files could not be looked at or removed. The others were.
    public struct Failure: Error, Sendable {
        /// Those files, each with the reason.
        public let failures: [(url: URL, cause: any Error)]
    }

    /// Where the system keeps them, below `Library`: up to iOS 13 and since.
    public static let folders = ["Caches/Snapshots", "SplashBoard/Snapshots"]

    private let library: URL

    /// The snapshots below `library`, which is the app's own by default.
    public init(library: URL? = nil) { self.library = library ?? Self.ownLibrary }

    private static var ownLibrary: URL {
        FileManager.default.urls(for: .libraryDirectory, in: .userDomainMask).first
            ?? FileManager.default.homeDirectoryForCurrentUser.appending(path: "Library")
    }

    /// All files in both folders, however deep, the oldest first; none where there are no such folders. Symbolic links are not followed.
    /// Errors: `Failure`.
    public func find() throws -> [Snapshot] {
        let (found, failures) = look()
        guard failures.isEmpty else { throw Failure(failures: failures) }
        return found.sorted { ($0.written, $0.url.path) < ($1.written, $1.url.path) }
    }

    /// Removes them all, and returns how many there were. Errors: `Failure`, after the others were removed.
    @discardableResult
    public func remove() throws -> Int {
        var (found, failures) = look()
        for snapshot in found {
            do { try FileManager.default.removeItem(at: snapshot.url) } catch { failures.append((snapshot.url, error)) }
        }
        guard failures.isEmpty else { throw Failure(failures: failures) }
        return found.count
    }

    /// Looks at everything: what can't be looked at doesn't keep the rest from being found.
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
                // Gone meanwhile, or never there: nothing is left to find.
                let code = (error as? CocoaError)?.code
                if code != .fileReadNoSuchFile, code != .fileNoSuchFile { failures.append((url, error)) }
            }
        }
        return (found, failures)
    }
}
