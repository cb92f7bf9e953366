// SPDX-License-Identifier: Apache-2.0

import Files

/// Where things lie when nobody says it: read from the environment once per opening.
struct HomeLocation {
    /// Set to 1, a home may lie on file systems of which nobody knows what holds there.
    static let anyFileSystem = "ZAMOK_ANY_FILE_SYSTEM"

    let environment: @Sendable (String) -> String?
    let files: FileHooks

    init(environment: @escaping @Sendable (String) -> String?, files: FileHooks) {
        self.environment = environment
        var files = files
        files.acceptsOddFileSystems = environment(Self.anyFileSystem) == "1"
        self.files = files
    }

    init(_ configuration: Home.Configuration) {
        self.init(environment: configuration.environment, files: configuration.fileSystem)
    }

    /// `$ZAMOK_HOME`, else `$XDG_DATA_HOME/zamok`, else `~/.local/share/zamok`. Paths have to be absolute: a relative one would
    /// be another home in each working folder.
    func homePath() throws -> String {
        if let path = value("ZAMOK_HOME") {
            guard path.hasPrefix("/") else { throw notAbsolute("ZAMOK_HOME", path) }
            return try text(path, "ZAMOK_HOME")
        }
        // As the XDG Base Directory Specification demands, a relative path is ignored.
        if let data = value("XDG_DATA_HOME"), data.hasPrefix("/") { return try text("\(data)/zamok", "XDG_DATA_HOME") }
        guard let home = value("HOME") ?? Places.accountFolder(), home.hasPrefix("/") else {
            throw DataProtectionError(
                .notAvailable,
                "there is no place for a home: neither ZAMOK_HOME, XDG_DATA_HOME, HOME nor the account names a folder; set ZAMOK_HOME to an absolute path"
            )
        }
        return try text("\(home)/.local/share/zamok", "HOME")
    }

    /// Bytes that are no text were replaced, and the paths of two homes would be one.
    private func text(_ path: String, _ name: String) throws -> String {
        guard !path.unicodeScalars.contains("\u{FFFD}") else {
            throw DataProtectionError(
                .invalidArgument,
                "the path in \(name) has bytes that are no text (UTF-8); set it, or ZAMOK_HOME, to one that is text")
        }
        return path
    }

    /// The runtime folder of this user, if the environment names one: it can be written to where a home can't.
    func runtimePath() -> String? {
        value("XDG_RUNTIME_DIR").flatMap { $0.hasPrefix("/") ? $0 : nil }
    }

    /// Whether the environment lets homes be made.
    var makesHomes: Bool { value("ZAMOK_CREATE") != "no" }

    /// Opens the folder at `path`, and makes it and the folders above where they are missing.
    func openFolder(_ path: String, making: Bool) throws -> HomeFolder {
        do {
            return try HomeFolder(at: path, in: files)
        } catch let error as FileError where error.isMissing {
            guard making else { throw DataProtectionError.noHome(path) }
            try makeFolders(path)
            return try HomeFolder(at: path, in: files)
        }
    }

    /// No home is made where its databases, and those of its users, could not be opened: SQLite has a limit.
    func refuseLongPath(_ path: String) throws {
        guard path.utf8.count > Self.longestPath,
            try (try? HomeFolder(at: path, in: files))?.exists(KeybagFile.fileName) != true
        else { return }
        throw DataProtectionError(
            .invalidArgument,
            "the home's path has \(path.utf8.count) bytes, and at most \(Self.longestPath) are possible; set ZAMOK_HOME to a shorter one"
        )
    }

    /// What `/users/`, an identifier, `/` and a database's name leave.
    private static let longestPath = Home.longestDatabasePath - 7 - 36 - 1 - 16

    private func makeFolders(_ path: String) throws {
        var made = ""
        for part in path.split(separator: "/") {
            let parent = made.isEmpty ? "/" : made
            made += "/\(part)"
            let place = FileLocation(made)
            if try OpenFile.openIfPresent(place, .folder, files) == nil, try place.makeFolderIfMissing(files) {
                try files.syncFolder(FileLocation(parent))
            }
        }
    }

    /// Where the device secret is: `ZAMOK_DEVICE_SECRET`, else in the root home.
    func deviceSecret(_ root: HomeFolder) throws -> DeviceSecretFile {
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
        try OpenFile.openIfPresent(FileLocation(path), .read, files)?.status().kind == .folder
    }

    private func value(_ name: String) -> String? { environment(name).flatMap { $0.isEmpty ? nil : $0 } }

    private func notAbsolute(_ name: String, _ path: String) -> DataProtectionError {
        DataProtectionError(.invalidArgument, "\(name) must be an absolute path, but is: \(path)")
    }
}
