// SPDX-License-Identifier: Apache-2.0

public import DataProtection
import Files
import Statuses

/// Files under a protection class: the equivalent of iOS's `Data.write(options: .completeFileProtection)`, on
/// every platform.
///
/// A file may be anywhere; the home contains the keys. Every file has its own key, wrapped under its class's key. The
/// content is sealed in chunks, so that any part can be read and changed (Documentation/Formats/ProtectedFile.md).
///
/// All methods may be called from any thread, and any number of processes may use the same files. Calls block,
/// except `async` ones. All throw `ProtectedFileError`: `.locked` if the class is not usable now, and `.damaged` if
/// a file was altered, before any of its content is returned. `.notFound`, `.diskFull` and the other codes are as
/// documented there.
///
/// | | complete | completeUnlessOpen | completeUntilFirstUserAuthentication | none |
/// |---|---|---|---|---|
/// | make a file | unlocked | always | after first unlock | always |
/// | open, read, write, append | unlocked | unlocked; an open handle goes on | after first unlock | always |
/// | rename, delete | always | always | always | always |
public final class ProtectedFileStore: Sendable {
    /// A store's settings.
    public struct Configuration: Sendable {
        /// The class of new files if neither the call nor a folder specifies one. An app takes it from its
        /// `com.apple.developer.default-data-protection` entitlement, if present.
        public var defaultProtection: ProtectionClass = .completeUntilFirstUserAuthentication
        /// For how long open handles of class `complete` continue after a lock; 0: not at all. Apple's systems allow
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
    /// The settings of this store.
    public let configuration: Configuration
    let temporaries: Temporaries
    let folders: FolderRecords
    let knownFolders: KnownFolders
    let boundary: HomeBoundary

    var keybag: Keybag { home.keybag }
    var hooks: FileHooks { configuration.hooks }

    /// A store whose files are protected by the keys of `home`. Removes temporaries of killed processes.
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

    /// Runs the body of a public call on `path`, and maps lower-level errors to `ProtectedFileError`. The body receives
    /// the path with its folder held open, so that the folder isn't looked up again. The folder is checked to be in no
    /// home. `following`: follow a symbolic link at the end.
    func reaching<R: ~Copyable>(
        _ path: FileLocation, following: Bool = false, _ body: (FileLocation) throws -> R
    ) throws(ProtectedFileError) -> R {
        try use(path) {
            let held = try hooks.hold(path, following: following)
            if let folder = held.heldFolder { try boundary.check(folder, for: held) }
            return try body(held)
        }
    }

    /// Like `reaching(_:following:_:)`, for a call that reads the file, which is opened in the same step.
    func reaching<R: ~Copyable>(
        reading path: FileLocation, _ body: (FileOnTheWay) throws -> R
    ) throws(ProtectedFileError) -> R {
        try use(path) {
            let (held, file) = try hooks.holdReading(path)
            let isBare = try held.heldFolder.map { try boundary.check($0, for: held) } ?? false
            return try body(FileOnTheWay(location: held, file: file, hasNoRecord: isBare))
        }
    }

    /// A file that was opened for reading, or the error of opening it.
    struct FileOnTheWay {
        /// Its location, with the folder held open.
        let location: FileLocation
        let file: Result<OpenFile, FileError>
        /// Whether its folder is known to have no record, and so no index.
        let hasNoRecord: Bool
    }

    /// Like `reaching(_:following:_:)`, for a call on a folder.
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
        return try ProtectedFileError.mapping(about: "\(path)", body)
    }
}
