// SPDX-License-Identifier: Apache-2.0

import ArgumentParser
import Files
import Foundation
import Readers
import Statuses
import UserPreferences

/// `zamok preferences`
struct PreferencesCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "preferences",
        abstract: "A user's settings, sealed: like defaults on macOS.",
        discussion: """
            Preferences can be read and changed from the first unlock on. They are not for secrets: those go into the keychain.

            EXAMPLES:
              zamok preferences set fontSize 14 --type int
              zamok preferences get fontSize
              zamok preferences list --user Anna --json
              zamok preferences import user1.plist
            """,
        subcommands: [
            PreferencesGet.self, PreferencesSet.self, PreferencesDelete.self, PreferencesList.self,
            PreferencesImportCommand.self, PreferencesExport.self, PreferencesWatch.self,
        ]
    )

    static var absent: CommandFailure { .status(.itemNotFound, "there is no such preference") }
}

/// `zamok preferences get`
struct PreferencesGet: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "get",
        abstract: "Print the value of a preference.",
        discussion: """
            Text as it is, dates as ISO 8601, data as Base64, arrays and dictionaries as JSON, each with a newline; at a terminal control \
            characters are escaped. Status 44: it was never set.

            EXAMPLES:
              zamok preferences get theme
              zamok preferences get fontSize --type int
            """
    )

    @OptionGroup var options: PreferenceOptions

    @Argument(help: "The key.", completion: Completions.keys)
    var key: String

    @Option(help: "Refuse a value of another type.")
    var type: PreferenceType?

    @Flag(help: "Print a JSON object with key, type and value.")
    var json = false

    func run() throws {
        guard let value = try options.reading()?.object(forKey: key) else { throw PreferencesCommand.absent }
        if let type, type != PreferenceType(of: value) {
            throw CommandFailure.status(.parameter, "the value is of the type \(PreferenceType(of: value).rawValue)")
        }
        let text = PreferencePrinter.text(value)
        try Printer(json: json).answer(
            PreferencePrinter.json(key, value), Channel.output.isTerminal ? text.printable : text)
    }
}

/// `zamok preferences set`
struct PreferencesSet: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "set",
        abstract: "Set a preference.",
        discussion: """
            The change is durable when the command ends. A value that begins with a dash goes after --. Every process sees the command line: \
            no place for secrets.

            EXAMPLES:
              zamok preferences set theme dark
              zamok preferences set fontSize 14 --type int
              zamok preferences set --type int -- offset -3
              zamok preferences set recent '["a","b"]' --type json
            """
    )

    @OptionGroup var options: PreferenceOptions

    @Argument(help: "The key.", completion: Completions.keys)
    var key: String

    @Argument(help: "The value.")
    var value: String

    @Option(help: "How the value is read.")
    var type = PreferenceType.string

    func run() throws {
        try CommandFailure.refuseEmpty(key, of: "preference")
        guard let stored = type.value(value) else {
            throw CommandFailure.usage("the value is not of the type \(type.rawValue); nothing was changed")
        }
        try options.open().set(stored, forKey: key)
    }
}

/// `zamok preferences delete`
struct PreferencesDelete: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "delete",
        abstract: "Remove a preference.",
        discussion: """
            Status 44: it was never set.

            EXAMPLES:
              zamok preferences delete theme
            """
    )

    @OptionGroup var options: PreferenceOptions

    @Argument(help: "The key.", completion: Completions.keys)
    var key: String

    func run() throws {
        guard let preferences = try options.reading(), try preferences.object(forKey: key) != nil else {
            throw PreferencesCommand.absent
        }
        try preferences.removeObject(forKey: key)
    }
}

/// `zamok preferences list`
struct PreferencesList: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "list",
        abstract: "List all preferences.",
        discussion: """
            A line for each, in order of the keys: key, type, value.

            EXAMPLES:
              zamok preferences list
              zamok preferences list --json
            """
    )

    @OptionGroup var options: PreferenceOptions

    @Flag(help: "Print a JSON object for each.")
    var json = false

    func run() throws {
        let all = (try options.reading()?.dictionaryRepresentation() ?? [:]).sorted { $0.key < $1.key }
        if !options.device { try ChosenHome.explain(isEmpty: all.isEmpty) }
        try Printer(json: json).rows(
            all, head: ["KEY", "TYPE", "VALUE"], { PreferencePrinter.json($0.key, $0.value) },
            { PreferencePrinter.row($0.key, $0.value) })
    }
}

/// `zamok preferences import`
struct PreferencesImportCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "import",
        abstract: "Import preferences from a property list, a keyed archive or UserDefaults.",
        discussion: """
            Takes property lists as XML or binary, archives as NSKeyedArchiver writes them, and domains of UserDefaults by name. All that can be imported \
            is, in one transaction. A key that holds a class outside the property-list types, is longer than 4,096 bytes or empty, or has more than \
            16 MiB is named and left out; the status is then 3.

            --find lists the files that can be imported: in a folder if one is named, in the current one and in Library/Preferences; with --json an object with \
            "path" a line. XML is read in UTF-8.

            EXAMPLES:
              zamok preferences import user1.plist --user Anna
              zamok preferences import --suite com.example.app --keep-existing
              zamok preferences import --find
            """
    )

    @OptionGroup var options: PreferenceOptions

    @Argument(help: "The file; with --find a folder.", completion: .file())
    var file: String?

    @Option(help: ArgumentHelp("A domain of UserDefaults instead of a file.", valueName: "name"))
    var suite: String?

    @Flag(help: "List the files that can be imported, and import nothing.")
    var find = false

    @Flag(help: "Leave keys that have a value as they are.")
    var keepExisting = false

    @Flag(help: "Print what was done as a JSON object.")
    var json = false

    func validate() throws {
        guard find || (file == nil) != (suite == nil) else {
            throw ValidationError("Name a file, or a domain with --suite.")
        }
    }

    func run() async throws {
        guard !find else {
            return try Printer(json: json).rows(
                Preferences.importableFiles(in: file), { .object([("path", .text($0))]) }, { [$0.printable] })
        }
        // Doesn't wait for the writer of a pipe.
        if let file {
            let kind = try? OpenFile.open(FileLocation(file), mode: .read, hooks: FileHooks()).status().kind
            guard let kind, kind != .folder else { throw NamedFile.unreadable(file) }
        }
        let source = suite.map { PreferencesSource.userDefaults(suiteName: $0) } ?? .file(path: file ?? "")
        try Preferences.check(source)
        let done = try await options.open().importing(from: source, replacing: !keepExisting)
        if !done.imported.isEmpty { Done.note("the preferences are imported") }
        try Printer(json: json).answer(PreferencePrinter.json(done), PreferencePrinter.lines(done))
        guard done.rejected.isEmpty else { throw CommandFailure.inPart }
    }
}

/// The format of an exported property list.
enum PropertyListForm: String, ExpressibleByArgument, CaseIterable {
    case xml, binary

    var format: PropertyListSerialization.PropertyListFormat { self == .xml ? .xml : .binary }
}

/// `zamok preferences export`
struct PreferencesExport: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "export",
        abstract: "Write all preferences to a property list, as plaintext.",
        discussion: """
            Mode 0600, never over a file that exists. A reader of the file sees everything; a sealed copy is zamok users backup.

            EXAMPLES:
              zamok preferences export anna.plist --user Anna
            """
    )

    @OptionGroup var options: PreferenceOptions

    @Argument(help: "The file to write.", completion: .file())
    var file: String

    @Option(help: "How it is written.")
    var format = PropertyListForm.xml

    func run() throws {
        try NamedFile.checkNewFile(file)
        try options.open(reading: true).exportPropertyList(to: file, format: format.format)
        try Channel.error.line("\(file.printable) is written. It is plaintext: remove it when you no longer need it.")
    }
}

/// `zamok preferences watch`
struct PreferencesWatch: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "watch",
        abstract: "Print each key that changes, whichever process changes it.",
        discussion: """
            A line for each change, in order: the key. "missed" in its place, with a tab before it, says that more keys changed than are kept.

            EXAMPLES:
              zamok preferences watch
              zamok preferences watch --count 1 --json
            """
    )

    @OptionGroup var options: PreferenceOptions

    @Option(help: ArgumentHelp("End after this many changes.", valueName: "number"))
    var count: Int?

    @Flag(help: "Print a JSON object for each, with the present value.")
    var json = false

    func validate() throws {
        guard count ?? 1 > 0 else { throw ValidationError("--count must be above 0.") }
    }

    func run() async throws {
        let preferences = try options.open(reading: true)
        let changes = preferences.changes
        // Reports a home that isn't ready or is damaged immediately.
        _ = try preferences.object(forKey: "-")
        try Channel.error.line("Watching; end with Ctrl-C.")
        var left = count
        for await change in changes {
            try tell(change, preferences)
            left = left.map { $0 - 1 }
            if left == 0 { return }
        }
    }

    private func tell(_ change: PreferenceChange, _ preferences: Preferences) throws {
        let printer = Printer(json: json)
        switch change {
        case .removed: throw CommandFailure.status(.keyDestroyed, "the home was erased, or its user removed")
        case .missed: try printer.answer(.object([("missed", .bool(true))]), "\tmissed")
        case .changed(let key, _):
            try printer.answer(
                try preferences.object(forKey: key).map { PreferencePrinter.json(key, $0) }
                    ?? .object([("key", .text(key)), ("value", .null)]), key.printable)
        }
    }
}
