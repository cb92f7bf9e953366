// SPDX-License-Identifier: Apache-2.0

public import DataProtection
import Files

/// A finding of an examination of the folders of protected files.
public struct ProtectedFilesFinding: Sendable, Equatable {
    /// The finding's word in reports: "missing-index", "missing-default", "missing-list", "damaged-list",
    /// "folder-record" or "not-examined". Later versions may add more.
    public let word: String
    /// What happened and what to do next.
    public let message: String
}

/// Examines the folders in which files were sealed under keys of a home: whether their records (default class, index)
/// exist. `ProtectedFileStore.verify` reads the files themselves.
public struct ProtectedFilesDoctor: Sendable {
    private let store: ProtectedFileStore

    /// Examines the folders of `home`.
    public init(home: Home) { store = ProtectedFileStore(home: home) }

    init(_ store: ProtectedFileStore) { self.store = store }

    /// Changes nothing. Works in every lock state; for locked files it uses what they claim. A missing folder is not a
    /// finding: it may have been renamed or removed.
    public func examine() -> [ProtectedFilesFinding] {
        do {
            let doubt = try store.knownFolders.doubt.map { doubt in
                ProtectedFilesFinding(
                    word: doubt == .missing ? "missing-list" : "damaged-list",
                    message: store.knownFolders.explanation(doubt))
            }
            return try [doubt].compactMap(\.self) + store.knownFolders.all().compactMap(examine)
        } catch {
            return [Self.finding("not-examined", ProtectedFileError(error, about: store.home.folder))]
        }
    }

    private func examine(_ entry: KnownFolders.Entry) -> ProtectedFilesFinding? {
        do {
            let folder = try store.hooks.hold(folder: entry.folder)
            let around = try store.folders.surroundings(of: folder)
            let forgotten = try store.folders.forgotten(around, folder)
            guard !forgotten.isEmpty else { return nil }
            return Self.finding(
                forgotten.indexes.isEmpty ? "missing-default" : "missing-index", forgotten.error(entry.folder))
        } catch {
            let error = ProtectedFileError(error, about: "\(entry.folder)")
            guard error.code != .notFound else { return nil }
            let isRecord = [.folderRecord, .damaged, .keyDestroyed, .foreign, .newerFormat].contains(error.code)
            return Self.finding(isRecord ? "folder-record" : "not-examined", error)
        }
    }

    private static func finding(_ word: String, _ error: ProtectedFileError) -> ProtectedFilesFinding {
        ProtectedFilesFinding(word: word, message: error.message)
    }
}
