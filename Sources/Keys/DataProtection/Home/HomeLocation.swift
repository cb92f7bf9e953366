// SPDX-License-Identifier: Apache-2.0

import Files
import SecretMemory
import TPMs

/// The default locations, from the environment.
struct HomeLocation {
    /// If yes, a home may be on file systems whose guarantees are not known.
    static let anyFileSystem = "ZAMOK_ANY_FILE_SYSTEM"
    /// If no, no home is made.
    private static let creates = "ZAMOK_CREATE"

    let environment: @Sendable (String) -> String?
    let files: FileHooks
    private var tpmPatience = TPMAddress.usualPatience

    init(environment: @escaping @Sendable (String) -> String?, files: FileHooks) {
        self.environment = environment
        var files = files
        files.acceptsOddFileSystems = environment(Self.anyFileSystem).flatMap(Self.isYes) ?? false
        self.files = files
    }

    init(_ configuration: Home.Configuration) {
        self.init(environment: configuration.environment, files: configuration.fileSystem)
        tpmPatience = configuration.tpmPatience
    }

    /// `$ZAMOK_HOME`, otherwise `$XDG_DATA_HOME/zamok`, otherwise `~/.local/share/zamok`. Paths must be absolute: a
    /// relative one would name another home in each working folder.
    func homePath() throws -> String {
        if let path = value("ZAMOK_HOME") {
            guard path.hasPrefix("/") else { throw notAbsolute("ZAMOK_HOME", path) }
            return try text(path, "ZAMOK_HOME")
        }
        // A relative path is ignored, as the XDG Base Directory Specification requires.
        if let data = value("XDG_DATA_HOME"), data.hasPrefix("/") { return try text("\(data)/zamok", "XDG_DATA_HOME") }
        guard let home = value("HOME") ?? Places.accountFolder(), home.hasPrefix("/") else {
            throw DataProtectionError(
                .notAvailable,
                "there is no place for a home: neither ZAMOK_HOME, XDG_DATA_HOME, HOME nor the account names a folder; set ZAMOK_HOME to an absolute path"
            )
        }
        return try text("\(home)/.local/share/zamok", "HOME")
    }

    /// Refuses paths with bytes that are not UTF-8: decoding replaced those bytes, so that two homes could have the
    /// same path.
    private func text(_ path: String, _ name: String) throws -> String {
        guard !path.unicodeScalars.contains("\u{FFFD}") else {
            throw DataProtectionError(
                .invalidArgument,
                "the path in \(name) has bytes that are not text (UTF-8); set it, or ZAMOK_HOME, to one that is text")
        }
        return path
    }

    /// The user's runtime folder, if the environment names one. It is writable where a home may not be.
    func runtimePath() -> String? {
        value("XDG_RUNTIME_DIR").flatMap { $0.hasPrefix("/") ? $0 : nil }
    }

    /// Whether a variable says yes or no; nil: neither. The one reading of such variables.
    private static func isYes(_ text: String) -> Bool? {
        switch text.lowercased() {
        case "yes", "y", "1", "true", "on": true
        case "no", "n", "0", "false", "off": false
        default: nil
        }
    }

    /// Whether the environment allows making homes. Errors: `.invalidArgument` if it says neither yes nor no.
    func makesHomes() throws -> Bool {
        guard let text = value(Self.creates) else { return true }
        guard let makes = Self.isYes(text) else {
            throw DataProtectionError(
                .invalidArgument,
                "\(Self.creates) is yes or no (1 or 0, true or false, on or off), but is: \(text)")
        }
        return makes
    }

    /// The error for a home that is missing, with the variable that forbids to make one.
    func explained(_ error: DataProtectionError) -> DataProtectionError {
        guard error.code == .noHome, let text = value(Self.creates), Self.isYes(text) == false else { return error }
        return DataProtectionError(
            .noHome, "\(error.message); but \(Self.creates)=\(text) forbids that", cause: error.cause)
    }

    /// Opens the folder at `path`. If `making` is true, makes it and the folders above if they are missing.
    func openFolder(_ path: String, making: Bool) throws -> HomeFolder {
        do {
            return try HomeFolder(at: path, in: files)
        } catch let error as FileError where error.isMissing {
            guard making else { throw DataProtectionError.noHome(path) }
            try makeFolders(path)
            return try HomeFolder(at: path, in: files)
        }
    }

    /// Refuses a new home where its databases, and those of its users, could not be opened: SQLite limits the length of
    /// a path.
    func refuseLongPath(_ path: String) throws {
        guard path.utf8.count > Self.longestPath,
            try (try? HomeFolder(at: path, in: files))?.exists(KeybagFile.fileName) != true
        else { return }
        throw DataProtectionError(
            .invalidArgument,
            "the home's path has \(path.utf8.count) bytes, and at most \(Self.longestPath) are possible; set ZAMOK_HOME to a shorter one"
        )
    }

    /// SQLite's limit less `/users/`, an identifier, `/` and a database's name.
    private static let longestPath = Home.longestDatabasePath - 7 - 36 - 1 - 16

    private func makeFolders(_ path: String) throws {
        var made = ""
        for part in path.split(separator: "/") {
            let parent = made.isEmpty ? "/" : made
            made += "/\(part)"
            let place = FileLocation(made)
            // A folder that can be traversed need not be readable.
            if try OpenFile.openIfPresent(place, mode: .place, hooks: files) == nil,
                try place.makeFolderIfMissing(files)
            {
                try files.syncFolder(FileLocation(parent))
            }
        }
    }

    /// The location of the device secret: `ZAMOK_DEVICE_SECRET`, otherwise in the root home.
    func deviceSecret(_ root: HomeFolder) throws -> DeviceSecretFile {
        var file = try deviceSecretFile(root)
        file.way = try tpmAddress()
        return file
    }

    /// The address of the TPM that the environment names; nil: none.
    func tpmAddress() throws -> TPMAddress? {
        guard let text = value(TPMAddress.variable) else { return nil }
        guard var way = TPMAddress(text) else {
            throw DataProtectionError(
                .invalidArgument,
                "\(TPMAddress.variable) must be device: or swtpm: and an absolute path, such as \(TPMAddress.usual), but is: \(text)"
            )
        }
        way.patience = tpmPatience
        return way
    }

    private func deviceSecretFile(_ root: HomeFolder) throws -> DeviceSecretFile {
        guard let named = value("ZAMOK_DEVICE_SECRET") else {
            return DeviceSecretFile(location: .home(root), files: files)
        }
        _ = try text(named, "ZAMOK_DEVICE_SECRET")
        if named.hasPrefix("/") {
            let path = try isFolder(named) ? "\(named)/\(DeviceSecretFile.fileName)" : named
            return DeviceSecretFile(location: .path(path), files: files)
        }
        guard !named.contains("/") else { throw notAbsolute("ZAMOK_DEVICE_SECRET", named) }
        guard let credentials = value("CREDENTIALS_DIRECTORY"), credentials.hasPrefix("/") else {
            throw DataProtectionError(
                .missingDeviceSecret,
                "ZAMOK_DEVICE_SECRET names a credential, but CREDENTIALS_DIRECTORY is not set; start the program as a service with it"
            )
        }
        return DeviceSecretFile(location: .credential("\(credentials)/\(named)"), files: files)
    }

    private func isFolder(_ path: String) throws -> Bool {
        try OpenFile.openIfPresent(FileLocation(path), mode: .read, hooks: files)?.status().kind == .folder
    }

    private func value(_ name: String) -> String? { environment(name).flatMap { $0.isEmpty ? nil : $0 } }

    private func notAbsolute(_ name: String, _ path: String) -> DataProtectionError {
        DataProtectionError(.invalidArgument, "\(name) must be an absolute path, but is: \(path)")
    }
}

/// The location of a home, kept in the kernel keyring beside the home's groups. With it, a lock finds the groups if the
/// home can't tell its identifier. It also shows what is left of a home that is gone (Documentation/Formats/Keybag.md,
/// "Key groups").
struct RecordedHome: Equatable {
    private static let limit = 4096

    private let folder: FileIdentity
    /// The file tree that the path belongs to: the mount namespace and the root folder.
    private let tree: String
    let path: String

    init(_ folder: HomeFolder) {
        self.folder = folder.identity
        tree = Self.ownTree(folder.files)
        path = folder.path
    }

    /// The place in a key's payload; nil for anything else.
    init?(_ payload: consuming SecretBytes) {
        guard let bytes = try? payload.exposingBytes(0..<payload.count) else { return nil }
        // Split as bytes: splitting a text works on whole characters.
        let parts = bytes.split(separator: UInt8(ascii: "\n"), maxSplits: 3, omittingEmptySubsequences: false)
            .map { String(decoding: $0, as: UTF8.self) }
        guard parts.count == 4, let device = UInt64(parts[0]), let inode = UInt64(parts[1]) else { return nil }
        folder = FileIdentity(device: device, inode: inode)
        tree = parts[2]
        path = parts[3]
    }

    private var payload: [UInt8] { Array("\(folder.device)\n\(folder.inode)\n\(tree)\n\(path)".utf8) }

    /// The payload of the key to make; nil if the key already exists.
    func keyToMake(_ home: UniqueIdentifier) throws -> SecretBytes? {
        if let key = try KernelKeyring.find(KernelKeyringHolder.placeName(home)),
            let known = try KernelKeyring.read(key, expected: payload.count), RecordedHome(known) == self
        {
            return nil
        }
        return try SecretBytes(copying: payload)
    }

    func isOf(_ identity: FileIdentity?) -> Bool { folder == identity }

    /// Whether a home with that identifier was there and no longer is. False if this process can't tell.
    func isGone(_ home: String, _ files: FileHooks) -> Bool {
        guard !tree.isEmpty, tree == Self.ownTree(files) else { return false }
        do {
            let folder = try HomeFolder(lockingAt: path, in: files)
            guard try folder.exists(KeybagFile.fileName) else { return true }
            guard let found = HomeLocker.nameInHeader(folder) else { return folder.identity != self.folder }
            return found.hexadecimal != home
        } catch let error as FileError {
            return error.isMissing || error.isNoFolder
        } catch {
            return false
        }
    }

    private static func ownTree(_ files: FileHooks) -> String {
        guard let space = Places.mountNamespace(),
            let status = try? OpenFile.open("/", mode: .place, hooks: files).status()
        else { return "" }
        return "\(space) \(status.device) \(status.inode)"
    }
}
