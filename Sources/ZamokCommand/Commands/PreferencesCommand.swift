// SPDX-License-Identifier: Apache-2.0

import ArgumentParser
import UserPreferences

/// `zamok preferences`
struct PreferencesCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "preferences",
        abstract: "A user's settings, sealed: like defaults on macOS.",
        discussion: """
            Preferences can be read and changed from the first unlock on. They are no place for secrets: those go into the keychain.

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

    static var absent: CommandFailure { .status(-25_300, "there is no such preference") }
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

    @Argument(help: "The key.")
    var key: String

    @Option(help: "Refuse a value of another type.")
    var type: PreferenceType?

    @Flag(help: "Print a JSON object with key, type and value.")
    var json = false

    func run() throws {
        guard let value = try options.open().object(forKey: key) else { throw PreferencesCommand.absent }
        if let type, type != PreferenceType(of: value) {
            throw CommandFailure.usage("the value is of the type \(PreferenceType(of: value).rawValue)")
        }
        let text = PreferencePrinter.text(value)
        try Channel.output.line(
            json ? PreferencePrinter.json(key, value).line : Channel.output.isTerminal ? text.printable : text)
    }
}

/// `zamok preferences set`
struct PreferencesSet: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "set",
        abstract: "Set a preference.",
        discussion: """
            Durable when the command ends. A value that begins with a dash goes behind --. Every process sees what stands on the command line: \
            no place for secrets.

            EXAMPLES:
              zamok preferences set theme dark
              zamok preferences set fontSize 14 --type int
              zamok preferences set --type int -- offset -3
              zamok preferences set recent '["a","b"]' --type json
            """
    )

    @OptionGroup var options: PreferenceOptions

    @Argument(help: "The key.")
    var key: String

    @Argument(help: "The value.")
    var value: String

    @Option(help: "How the value is read.")
    var type = PreferenceType.string

    func run() throws {
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

    @Argument(help: "The key.")
    var key: String

    func run() throws {
        let preferences = try options.open()
        guard try preferences.object(forKey: key) != nil else { throw PreferencesCommand.absent }
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
        let all = try options.open().dictionaryRepresentation().sorted { $0.key < $1.key }
        try Channel.output.lines(
            json
                ? all.map { PreferencePrinter.json($0.key, $0.value).line }
                : Table(rows: all.map { PreferencePrinter.row($0.key, $0.value) })
                    .lines(aligned: Channel.output.isTerminal)
        )
    }
}
