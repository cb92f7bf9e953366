// SPDX-License-Identifier: Apache-2.0

public import DataProtection
public import Files

/// A file, or a folder, for which something could not be done.
public struct UnfinishedFile: Sendable {
    /// Where it is.
    public let location: FileLocation
    /// Why not.
    public let reason: ProtectedFileError
}

extension ProtectedFileStore: KeyRewrapper {
    package var name: String { KnownFolders.name }
    package var place: String { KnownFolders.place }

    /// What the headers claim, in all folders in which files were sealed. A folder that can't be looked into may need any key: it may have been renamed.
    package func retiredKeysInUse(_ keybag: Keybag) throws -> Set<ClassKeyID> {
        var found: Set<ClassKeyID> = []
        for entry in try knownFolders.all() {
            do {
                for name in try hooks.names(in: entry.folder) {
                    do {
                        found.formUnion(try retiredKeys(of: entry.folder.appending(name)))
                    } catch {
                        // Removed since the names were read.
                        if ProtectedFileError(error, "").code != .notFound { throw error }
                    }
                }
            } catch {
                throw isMissing(entry) ? Self.missing(entry) : ProtectedFileError(error, "\(entry.folder)")
            }
        }
        return found
    }

    private func isMissing(_ entry: KnownFolders.Entry) -> Bool {
        do { return try OpenFile.status(of: entry.folder, hooks) == nil } catch { return false }
    }

    private static func missing(_ entry: KnownFolders.Entry) -> ProtectedFileError {
        ProtectedFileError(
            .notFound,
            "the folder \(entry.folder), which holds protected files, is not where it was; mount it, or give its new place: zamok files rewrap PATH; once nothing in it is wanted: zamok doctor --remove-retired-keys --forget-missing-folders"
        )
    }

    /// Forgets the folders that are not where they were: no retired key is kept for what they hold. Only for a person's word; what such a folder holds
    /// under retired keys is lost when these are removed. Answers the folders.
    public func forgetMissingFolders() throws(ProtectedFileError) -> [FileLocation] {
        do {
            let missing = try knownFolders.all().filter(isMissing)
            if !missing.isEmpty { try knownFolders.drop(missing) }
            return missing.map(\.folder)
        } catch {
            throw ProtectedFileError(error, home.folder)
        }
    }

    /// A passcode is changed faster than a hundred thousand files are written: files wait until they are opened for
    /// changes, or until somebody asks.
    package var rewrapsOnRequestOnly: Bool { true }

    /// Looks through all folders in which files were sealed. A file that can't be wrapped anew, and a folder that can't
    /// be looked into, need their keys still.
    package func rewrapRetiredKeys(_ keybag: Keybag) throws -> Bool {
        guard keybag === self.keybag else { return true }
        return try !rewrapKnownFolders().isEmpty
    }

    /// Wraps the keys of all files of this home anew that are under retired class keys, in every folder in which it has
    /// sealed files. Answers the files and folders for which that was not possible, with the reason: locked, damaged,
    /// not mounted. Files that were moved to other folders by other programs are not found; `rewrap` is given their
    /// paths.
    public func rewrapKnownFolders() throws(ProtectedFileError) -> [UnfinishedFile] {
        do {
            guard try keybag.hasRetiredKeys else { return [] }
            var left: [UnfinishedFile] = []
            for entry in try knownFolders.all() {
                do {
                    try rewrapFiles(in: entry.folder, &left)
                } catch {
                    let reason =
                        isMissing(entry) ? Self.missing(entry) : ProtectedFileError(error, "\(entry.folder)")
                    left.append(UnfinishedFile(location: entry.folder, reason: reason))
                }
            }
            return left
        } catch {
            throw ProtectedFileError(error, home.folder)
        }
    }

    private func rewrapFiles(in folder: FileLocation, _ left: inout [UnfinishedFile]) throws {
        for name in try hooks.names(in: folder) {
            let path = folder.appending(name)
            do {
                if try !retiredKeys(of: path).isEmpty { try rewrap(path) }
            } catch {
                let error = ProtectedFileError(error, "\(path)")
                // Removed since the names were read.
                if error.code != .notFound { left.append(UnfinishedFile(location: path, reason: error)) }
            }
        }
    }

    /// What the header claims decides: nothing that is damaged, or another home's, needs a key of this one.
    private func retiredKeys(of path: FileLocation) throws -> Set<ClassKeyID> {
        guard try OpenFile.status(of: path, hooks)?.kind == .file else { return [] }
        let bytes = try OpenFile.open(path, .read, hooks).read(count: FileFormat.headerSize, at: 0)
        switch HeaderPage.kind(of: bytes) {
        case .plain: return []
        case .newer: _ = try HeaderPage(bytes, path)
        case .protected: break
        }
        guard let page = try? HeaderPage(bytes, path) else { return [] }
        return Set(page.claims.map { ClassKeyID($0.key.classKeyID) }).filter { keybag.isRetired($0) }
    }
}
