// SPDX-License-Identifier: Apache-2.0

import ArgumentParser
import DataProtection
import Files
import ProtectedFiles
import Statuses
import UserPreferences

/// The options that every subcommand takes, before or after its name.
struct GlobalOptions: ParsableArguments {
    @Option(
        help: ArgumentHelp(
            "Whose keychain and preferences: a user of the app, or - for those of the root home, which belongs to no user (default: $ZAMOK_USER, otherwise the user switched to).",
            valueName: "name"),
        completion: Completions.users)
    var user: String?

    @Option(
        help: ArgumentHelp(
            "A file with the passcode: regular, yours or root's, mode 0600 or 0400; or /dev/fd/N, or - for standard input (default: $ZAMOK_PASSCODE_FILE).",
            valueName: "path"
        ),
        completion: .file()
    )
    var passcodeFile: String?

    func validate() throws {
        // Otherwise a variable that is not set would mean another home.
        guard user != "" else {
            throw ValidationError("The name of the user is empty; - means the root home. Is a variable not set?")
        }
    }

    /// The home choice of these options.
    var choice: HomeChoice { HomeChoice(user: user, passcodeFile: passcodeFile) }

    /// The home choice for commands that only read: no home is created.
    var reading: HomeChoice { choice.reading }
}

/// The chosen home, and the source of its passcode.
struct HomeChoice: Equatable {
    var user: String?
    var passcodeFile: String?
    /// Whether a home is created if there is none.
    var makesHome = true
    /// Whether an earlier state of the home is opened, so that the user can accept it.
    var toleratesRollback = false

    /// The same choice without creating a home.
    var reading: HomeChoice { HomeChoice(user: user, passcodeFile: passcodeFile, makesHome: false) }
}

/// The option of every subcommand that selects preferences.
struct PreferenceOptions: ParsableArguments {
    @OptionGroup var global: GlobalOptions

    @Flag(help: "The settings of the app, which all its users share and which are readable while locked.")
    var device = false

    private var domain: Preferences.Domain { device ? .device : .user }

    private func home(_ choice: HomeChoice) throws -> Home {
        try device ? ChosenHome.open(choice) : ChosenHome.openUnlocked(choice)
    }

    /// Opens the selected store, and creates it if there is none. `reading`: no home is created for it.
    func open(reading: Bool = false) throws -> Preferences {
        let choice = reading ? global.reading : global.choice
        if device { try ChosenHome.refuseUselessPasscodeFile(choice) }
        return try Preferences(home: home(choice), domain: domain)
    }

    /// Opens the store for reading, without creating one; nil: no preference was ever set.
    func reading() throws -> Preferences? { try Preferences.existing(home: home(global.reading), domain: domain) }
}

/// The destination of the result of a command on files.
struct FilesTarget: ParsableArguments {
    @Flag(help: "Put the result in the place of the file.")
    var inPlace = false

    @Option(
        name: [.customShort("o"), .customLong("output")],
        help: ArgumentHelp(
            "Write the result there; of several files, into that folder, below which a folder's files lie as they do now. - is the standard input of protect, and the standard output of open.",
            valueName: "path")
    )
    var output: FileWord?

    func validate() throws {
        if inPlace, output != nil { throw ValidationError("--in-place and --output exclude each other") }
    }

    func validate(_ links: FilesLinks) throws {
        if links.allLinks, output != nil {
            throw ValidationError("--all-links is about what takes the place of files, and --output leaves them")
        }
    }

    /// The destination for `file`, with its folders created; nil: in place.
    func location(for file: FoundFile, ofMany: Bool, _ folders: FolderMetadata) throws -> FileLocation? {
        guard let output else { return nil }
        guard ofMany else { return output.location }
        let parts = file.pathInFolder
        var place = output.location
        for (number, part) in parts.dropLast().enumerated() {
            place = place.appending(part)
            try folders.make(place, like: file.folder(above: parts.count - 1 - number))
        }
        return place.appending(parts.last ?? file.location.name)
    }

    private static func isFolder(_ folder: FileLocation) -> Bool {
        (try? OpenFile.open(folder, mode: .folder, hooks: FileHooks())) != nil
    }

    /// Fails once if the folder for the results of many files doesn't exist.
    func check(ofMany: Bool) throws {
        guard let output, ofMany, !Self.isFolder(output.location) else { return }
        throw CommandFailure.status(
            .itemNotFound,
            "\(output.location): there is no such folder for the results; make it first; nothing was done")
    }
}

/// The option for files with several names.
struct FilesLinks: ParsableArguments {
    @Flag(help: "Replace files with several names (hard links), too: all names at once, which must be among the paths.")
    var allLinks = false
}
