// SPDX-License-Identifier: Apache-2.0

import Foundation
import ProtectedFiles

/// One file that a run is about.
struct FoundFile {
    let location: FileLocation
    let kind: FolderEntry.Kind
    /// It was named, and not found in a folder that was.
    let isNamed: Bool

    /// Bytes to work on.
    var size: Int {
        switch kind {
        case .protected(let info): info.length
        case .unprotected(let size): size
        case .clearLeftover(let size): size
        case .unusable, .missing, .folder, .closedFolder, .other, .leftover, .home: 0
        }
    }

    /// Whether it is there in clear.
    var isClear: Bool { if case .unprotected = kind { true } else { false } }

    /// Whether the folder's index knows another file of that name.
    var isDenied: Bool { if case .unusable(let error) = kind { error.code == .replaced } else { false } }
}

/// The files that paths stand for: folders are gone through, links and devices in them passed over.
enum FoundFiles {
    /// `leftovers`: with what killed processes left in clear. `folder` is told of each folder that is gone through.
    static func all(
        _ words: [FileWord], _ store: ProtectedFileStore, leftovers: Bool = false,
        folder: (FileLocation) -> Void = { _ in }
    ) throws -> [FoundFile] {
        try words.flatMap { try files(at: $0.location, store, leftovers, folder) }
    }

    private static func files(
        at path: FileLocation, _ store: ProtectedFileStore, _ leftovers: Bool, _ folder: (FileLocation) -> Void
    ) throws -> [FoundFile] {
        var found: [FoundFile] = []
        do {
            try store.enumerate(path, recursively: true) { entry in
                try Interruption.check()
                switch entry.kind {
                case .protected, .unprotected, .unusable, .missing, .closedFolder:
                    found.append(FoundFile(location: entry.location, kind: entry.kind, isNamed: false))
                case .clearLeftover:
                    if leftovers { found.append(FoundFile(location: entry.location, kind: entry.kind, isNamed: false)) }
                case .home:
                    try Channel.error.line("zamok: \(entry.location): passed over, a home of Zamok's own")
                case .folder: folder(entry.location)
                case .other, .leftover: break
                }
            }
            folder(path)
            return found
        } catch let error {
            if error.cause is Interrupted { throw error }
            let kind = error.code == .notRegular ? kind(of: path, store) : .unusable(error)
            return found + [FoundFile(location: path, kind: kind, isNamed: true)]
        }
    }

    private static func kind(of path: FileLocation, _ store: ProtectedFileStore) -> FolderEntry.Kind {
        do {
            return .protected(try store.info(of: path))
        } catch let error {
            guard error.code == .notProtected else { return .unusable(error) }
            let size = try? FileManager.default.attributesOfItem(atPath: "\(path)")[.size] as? Int
            return .unprotected(size: size ?? 0)
        }
    }
}
