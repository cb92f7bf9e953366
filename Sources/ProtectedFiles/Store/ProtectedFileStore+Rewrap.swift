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
            var isAnyGone = false
            for entry in try knownFolders.all() {
                do {
                    try rewrapFiles(in: entry.folder, &left)
                } catch {
                    if knownFolders.isGone(entry) {
                        isAnyGone = true
                    } else {
                        let reason = ProtectedFileError(error, "\(entry.folder)")
                        left.append(UnfinishedFile(location: entry.folder, reason: reason))
                    }
                }
            }
            if isAnyGone { try knownFolders.dropGone() }
            return left
        } catch {
            throw ProtectedFileError(error, home.folder)
        }
    }

    private func rewrapFiles(in folder: FileLocation, _ left: inout [UnfinishedFile]) throws {
        for name in try hooks.names(in: folder) {
            let path = folder.appending(name)
            do {
                if try isUnderRetiredKey(path) { try rewrap(path) }
            } catch {
                let error = ProtectedFileError(error, "\(path)")
                // Removed since the names were read.
                if error.code != .notFound { left.append(UnfinishedFile(location: path, reason: error)) }
            }
        }
    }

    /// What the header claims decides: nothing that is damaged, or another home's, needs a key of this one.
    private func isUnderRetiredKey(_ path: FileLocation) throws -> Bool {
        guard try OpenFile.status(of: path, hooks)?.kind == .file else { return false }
        let bytes = try OpenFile.open(path, .read, hooks).read(count: FileFormat.headerSize, at: 0)
        switch HeaderPage.kind(of: bytes) {
        case .plain: return false
        case .newer: _ = try HeaderPage(bytes, path)
        case .protected: break
        }
        guard let page = try? HeaderPage(bytes, path) else { return false }
        return page.claims.contains { $0.isUnder(retiredKeyOf: keybag) }
    }
}
