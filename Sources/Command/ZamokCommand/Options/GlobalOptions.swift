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

    /// The choice that these options make.
    var choice: HomeChoice { HomeChoice(user: user, passcodeFile: passcodeFile) }

    /// The same choice for what only reads: no home is made.
    var reading: HomeChoice { choice.reading }
}

/// Which home is meant, and where its passcode is.
struct HomeChoice: Equatable {
    var user: String?
    var passcodeFile: String?
    /// Whether a home is made where there is none.
    var makesHome = true
    /// Whether an earlier state that was put back is opened, for a person to accept it.
    var toleratesRollback = false

    /// The same, making none.
    var reading: HomeChoice { HomeChoice(user: user, passcodeFile: passcodeFile, makesHome: false) }
}

/// The option of every subcommand that says whose preferences are meant.
struct PreferenceOptions: ParsableArguments {
    @OptionGroup var global: GlobalOptions

    @Flag(help: "The settings of the app, which all its users share and which are readable while locked.")
    var device = false

    private var domain: Preferences.Domain { device ? .device : .user }

    private func home(_ choice: HomeChoice) throws -> Home {
        try device ? ChosenHome.open(choice) : ChosenHome.openUnlocked(choice)
    }

    /// The store that is meant, made where there is none. `reading`: no home is made for it.
    func open(reading: Bool = false) throws -> Preferences {
        let choice = reading ? global.reading : global.choice
        if device { try ChosenHome.refuseUselessPasscodeFile(choice) }
        return try Preferences(home: home(choice), domain: domain)
    }

    /// The store, to be read. Nil: nothing was ever set, and for reading no store is made.
    func reading() throws -> Preferences? { try Preferences.existing(home: home(global.reading), domain: domain) }
}

/// Where the result of a command on files goes.
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

    /// Where the result for `file` goes, and folders for it are made; nil: in its place.
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

    /// Says once that the folder for many files is not there.
    func check(ofMany: Bool) throws {
        guard let output, ofMany, !Self.isFolder(output.location) else { return }
        throw CommandFailure.status(
            .itemNotFound,
            "\(output.location): there is no such folder for the results; make it first; nothing was done")
    }
}

/// Files with several names.
struct FilesLinks: ParsableArguments {
    @Flag(help: "Replace files with several names (hard links), too: all names at once, which must be among the paths.")
    var allLinks = false
}
