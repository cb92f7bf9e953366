// SPDX-License-Identifier: Apache-2.0

import DataProtection
import Files

/// The index of one folder at one moment.
struct FolderIndex {
    let folder: FileLocation
    let parsed: FolderRecords.Parsed
    let records: FolderRecords

    var record: FolderRecord { parsed.record }

    /// Opens a file that is in a state that the index admits under its name.
    func open(
        _ path: FileLocation, _ mode: OpenFile.Mode, grace: Duration, trailing: Bool = false
    ) throws -> SealedFile {
        let begin = ContinuousClock.now
        var parsed = parsed
        while true {
            var failure: ProtectedFileError
            do {
                let file = try OpenFile.open(path, mode: mode, hooks: records.hooks)
                let sealed = try SealedFile.verify(file, records.keybag, grace: grace, trailing: trailing)
                if parsed.record.files[path.name]?.admits(FileState(sealed.header)) == true { return sealed }
                failure = Self.replaced(path)
            } catch {
                failure = Self.meaning(
                    ProtectedFileError(error, about: "\(path)"), known: parsed.record.files[path.name], path: path)
            }
            // A writer between its two entries, or between our two reads, is not an attack. Only an index that is the
            // same in both reads counts.
            guard let next = try records.parsed(folder, rereading: true), next.record.isIndexed else {
                return try SealedFile.open(path, mode: mode, keybag: records.keybag, hooks: records.hooks, grace: grace)
            }
            if next.slots == parsed.slots { throw failure }
            guard ContinuousClock.now - begin < .seconds(10) else {
                throw ProtectedFileError(.busy, "\(folder): its index changes faster than it can be read; try again")
            }
            parsed = next
        }
    }

    /// Maps an error to the index's finding: the file is missing, or is no longer a protected file.
    private static func meaning(
        _ error: ProtectedFileError, known: FolderRecord.Known?, path: FileLocation
    ) -> ProtectedFileError {
        guard let known, !known.admits(.absent) else { return error }
        switch error.code {
        case .notFound: return missing(path, cause: error)
        case .notProtected, .notRegular: return replaced(path, cause: error)
        default: return error
        }
    }

    static func replaced(_ path: FileLocation, cause: (any Error)? = nil) -> ProtectedFileError {
        ProtectedFileError(
            .replaced,
            "\(path) is not the file, or not the state of it, that its folder's index knows: it was exchanged, renamed or put back from a copy. "
                + "Restore it, or take what is there: zamok files index \(path.folder.shellWord) --adopt",
            cause: cause
        )
    }

    static func missing(_ path: FileLocation, cause: (any Error)? = nil) -> ProtectedFileError {
        ProtectedFileError(
            .missing,
            "\(path) is missing: its folder's index knows it, and another program removed it. "
                + "Restore it, or do without it: zamok files index \(path.folder.shellWord) --adopt",
            cause: cause
        )
    }
}

/// Enters the commits of an open file into its folder's index, and the folder's records into the file's memory.
struct FolderWitness: CommitWitness {
    let folder: FileLocation
    let name: [UInt8]
    let records: FolderRecords

    /// `path`: the file's path, held open, so that the folder stays the same even if its names change.
    init(_ path: FileLocation, _ records: FolderRecords) {
        folder = path.folder
        name = path.name
        self.records = records
    }

    /// Nil if it can't be determined.
    var memory: FolderMemory? { try? records.surroundings(of: folder).memory }

    func committing(to state: FileState, _ body: () throws -> Void) throws {
        try records.changing(folder, states: [name: state], body)
    }
}

/// Locks on folders (FolderIndex.md, "Rules of the index"). They are held on a file of the home. A lock on the folder
/// itself could be taken by any process that may read it, for any time.
struct FolderLocks: Sendable {
    private let home: FileLocation
    private let hooks: FileHooks
    static let fileName = "folders.lock"

    init(home: FileLocation, _ hooks: FileHooks) { (self.home, self.hooks) = (home, hooks) }

    /// The lock is held until the returned file is freed. Nil where the home can't hold it: it is gone or not writable.
    /// `alone`: meanwhile no other process changes a file of the folder, or its record.
    func lock(_ folder: FileLocation, alone: Bool) throws -> OpenFile? {
        guard let identity = try OpenFile.status(of: folder.appending("."), hooks)?.identity else {
            throw ProtectedFileError(.notFound, "\(folder): there is no such file or folder")
        }
        let file: OpenFile
        do { file = try open(named: folder) } catch let error {
            guard error.isMissing || error.isReadOnly || error.isForbidden else { throw error }
            return nil
        }
        try file.lock(byte: Self.byte(identity), alone: alone, waiting: .seconds(10))
        return file
    }

    private func open(named folder: FileLocation) throws(FileError) -> OpenFile {
        let path = home.appending(Self.fileName)
        while true {
            do throws(FileError) { return try OpenFile.open(path, mode: .change, hooks: hooks, named: folder) } catch {
                guard error.isMissing else { throw error }
            }
            do throws(FileError) { _ = try OpenFile.make(path, hooks) } catch {
                guard error.isPresentAlready else { throw error }
            }
        }
    }

    /// Two folders may share a byte, though very rarely. A move between folders holds the locks of both, and such
    /// folders often have neighbouring numbers.
    private static func byte(_ identity: FileIdentity) -> Int64 {
        Int64((identity.inode &* 0x9E37_79B9_7F4A_7C15 &+ identity.device &* 0xC2B2_AE3D_27D4_EB4F) >> 2)
    }
}
