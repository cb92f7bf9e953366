// SPDX-License-Identifier: Apache-2.0

import ArgumentParser
import Foundation
import UserPreferences

/// `zamok preferences import`
struct PreferencesImportCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "import",
        abstract: "Import preferences from a property list, a keyed archive or UserDefaults.",
        discussion: """
            Property lists as XML or binary, archives as NSKeyedArchiver writes them, domains of UserDefaults by name. All that can be imported \
            is, in one transaction. A key that holds a class outside the property-list types is named and left out; the status is then 206.

            --find lists the files that can be imported: in a folder if one is named, in the current one and in Library/Preferences.

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

    @Flag(help: "Keys that have a value keep it.")
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
            return try Channel.output.lines(Preferences.importableFiles(in: file).map(\.printable))
        }
        if let file, !FileManager.default.fileExists(atPath: file) {
            throw CommandFailure.status(-25_300, "\(file.printable): there is no such file")
        }
        let source = suite.map { PreferencesSource.userDefaults(suiteName: $0) } ?? .file(path: file ?? "")
        let done = try await options.open().importing(from: source, replacing: !keepExisting)
        try Channel.output.lines(json ? [PreferencePrinter.json(done).line] : PreferencePrinter.lines(done))
        guard done.rejected.isEmpty else { throw CommandFailure.silent(CommandFailure.exitStatus(of: -50)) }
    }
}

/// How an exported property list is written.
enum PropertyListForm: String, ExpressibleByArgument, CaseIterable {
    case xml, binary

    var format: PropertyListSerialization.PropertyListFormat { self == .xml ? .xml : .binary }
}

/// `zamok preferences export`
struct PreferencesExport: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "export",
        abstract: "Write all preferences to a property list, in clear.",
        discussion: """
            Mode 0600, never over a file that exists. Whoever reads the file reads everything; a sealed copy is zamok users backup.

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
        try options.open().exportPropertyList(to: file, format: format.format)
        try Channel.error.line("\(file.printable) is written. It is plaintext: remove it when it has served.")
    }
}

/// `zamok preferences watch`
struct PreferencesWatch: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "watch",
        abstract: "Print each key that is changed, by whatever process.",
        discussion: """
            A line for each change, in order: the key. "missed" in its place, with a tab before it, says that more changed than are kept.

            EXAMPLES:
              zamok preferences watch
              zamok preferences watch --count 1 --json
            """
    )

    @OptionGroup var options: PreferenceOptions

    @Option(help: ArgumentHelp("End after so many changes.", valueName: "number"))
    var count: Int?

    @Flag(help: "Print a JSON object for each, with the value of now.")
    var json = false

    func validate() throws {
        guard count ?? 1 > 0 else { throw ValidationError("--count is above 0.") }
    }

    func run() async throws {
        let preferences = try options.open()
        let changes = preferences.changes
        // Not ready, damaged: told at once.
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
        switch change {
        case .removed: throw CommandFailure.status(-25_316, "the home was erased, or its user removed")
        case .missed: try Channel.output.line(json ? JSON.object([("missed", .bool(true))]).line : "\tmissed")
        case .changed(let key, _):
            guard json else { return try Channel.output.line(key.printable) }
            let value = try preferences.object(forKey: key)
            try Channel.output.line(
                (value.map { PreferencePrinter.json(key, $0) } ?? .object([("key", .text(key)), ("value", .null)])).line
            )
        }
    }
}
