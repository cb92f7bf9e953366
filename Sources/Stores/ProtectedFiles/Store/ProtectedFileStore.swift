// SPDX-License-Identifier: Apache-2.0

public import DataProtection
import Files
import Statuses

/// Files under a protection class: what iOS does for `Data.write(options: .completeFileProtection)`, on every platform.
///
/// A file may lie anywhere; the home holds the keys. Every file has a key of its own, wrapped under its class's key,
/// and its content is sealed in chunks, so that any part can be read and changed
/// (Documentation/Formats/ProtectedFile.md).
///
/// Any thread may call, and any number of processes may use the same files. Calls block; those with `async` don't. All
/// throw `ProtectedFileError`: `.locked` where the class can't be used now, `.damaged` where a file isn't what was
/// written, before any of it is handed out, `.notFound`, `.diskFull` and the others as they say.
///
/// | | complete | completeUnlessOpen | completeUntilFirstUserAuthentication | none |
/// |---|---|---|---|---|
/// | make a file | unlocked | always | after first unlock | always |
/// | open, read, write, append | unlocked | unlocked; an open handle goes on | after first unlock | always |
/// | rename, delete | always | always | always | always |
public final class ProtectedFileStore: Sendable {
    /// How a store works.
    public struct Configuration: Sendable {
        /// The class of new files where neither the call nor a folder gives one. An app takes it from its
        /// `com.apple.developer.default-data-protection` entitlement, if it has that.
        public var defaultProtection: ProtectionClass = .completeUntilFirstUserAuthentication
        /// For how long open handles of class complete go on after a lock; 0: not at all. Apple's systems allow
        /// about 10 s.
        public var lockGrace: Duration = .zero
        /// How many threads seal and open whole files.
        public var threads = 2
        package var hooks = FileHooks()

        /// The defaults of every property.
        public init() {}
    }

    /// The home whose keys are used.
    public let home: Home
    /// How this store works.
    public let configuration: Configuration
    let temporaries: Temporaries
    let folders: FolderRecords
    let knownFolders: KnownFolders
    let boundary: HomeBoundary

    var keybag: Keybag { home.keybag }
    var hooks: FileHooks { configuration.hooks }

    /// A store whose files are protected by the keys of `home`. Temporaries that killed processes left are removed.
    public init(home: Home, configuration: Configuration = Configuration()) {
        self.home = home
        self.configuration = configuration
        temporaries = Temporaries(home: FileLocation(home.folder), configuration.hooks)
        knownFolders = KnownFolders(home, configuration.hooks)
        boundary = HomeBoundary(home: FileLocation(home.folder), configuration.hooks)
        folders = FolderRecords(home, boundary: boundary, hooks: configuration.hooks)
        home.keybag.register(self)
        temporaries.removeLeftovers()
    }

    /// The store of `Home.current`.
    public convenience init() throws {
        self.init(home: try Home.current)
    }

    /// Runs the body of a public call on `path`: an error from below becomes this module's error. The body gets the path as it is reached
    /// through the folder that it lies in now, which isn't looked up a second time, and which is in no home. `following`: a symbolic link at the end
    /// is followed.
    func reaching<R: ~Copyable>(
        _ path: FileLocation, following: Bool = false, _ body: (FileLocation) throws -> R
    ) throws(ProtectedFileError) -> R {
        try use(path) {
            let held = try hooks.hold(path, following: following)
            if let folder = held.heldFolder { try boundary.check(folder, for: held) }
            return try body(held)
        }
    }

    /// The same for a call that reads the file, which is opened on the way.
    func reaching<R: ~Copyable>(
        reading path: FileLocation, _ body: (FileOnTheWay) throws -> R
    ) throws(ProtectedFileError) -> R {
        try use(path) {
            let (held, file) = try hooks.holdReading(path)
            let isBare = try held.heldFolder.map { try boundary.check($0, for: held) } ?? false
            return try body(FileOnTheWay(location: held, file: file, hasNoRecord: isBare))
        }
    }

    /// A file that was opened for reading, or couldn't be.
    struct FileOnTheWay {
        /// How it is reached.
        let location: FileLocation
        let file: Result<OpenFile, FileError>
        /// Whether its folder is known to have no record, and so no index.
        let hasNoRecord: Bool
    }

    /// The same for a call on a folder.
    func reaching<R: ~Copyable>(
        folder path: FileLocation, _ body: (FileLocation) throws -> R
    ) throws(ProtectedFileError) -> R {
        try use(path) {
            let held = try hooks.hold(folder: path)
            if let folder = held.heldFolder { try boundary.check(folder, for: held) }
            return try body(held)
        }
    }

    private func use<R: ~Copyable>(_ path: FileLocation, _ body: () throws -> R) throws(ProtectedFileError) -> R {
        guard path.isUsable else {
            throw ProtectedFileError(.invalidArgument, "\(path) can't be a path: it is empty or has a zero byte")
        }
        return try ProtectedFileError.door(about: "\(path)", body)
    }
}
