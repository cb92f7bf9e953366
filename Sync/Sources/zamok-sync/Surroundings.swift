// SPDX-License-Identifier: Apache-2.0

import AppUsers
import ArgumentParser
import DataProtection
import Foundation
import KeychainSync
import Keychains
import SecretMemory
import SyncEngines
import SyncLog

/// What every subcommand takes.
struct Options: ParsableArguments {
    @Option(
        help: ArgumentHelp(
            "Whose items: a user of the app, or - for nobody's (default: $ZAMOK_USER, otherwise the user switched to).",
            valueName: "name"))
    var user: String?

    @Option(
        help: ArgumentHelp(
            "A file with the passcode, of mode 0600 or 0400; or - for standard input (default: $ZAMOK_PASSCODE_FILE).",
            valueName: "path"),
        completion: .file())
    var passcodeFile: String?

    @Flag(help: "Print JSON.")
    var json = false

    /// As another process of this program is told them.
    var words: [String] {
        (user.map { ["--user", $0] } ?? []) + (passcodeFile.map { ["--passcode-file", $0] } ?? [])
    }

    /// The home; a locked one is unlocked for this process alone if there is a passcode file.
    func home() throws -> Home {
        let home = try open(.automatic)
        guard let path = passcodeFile ?? ProcessInfo.processInfo.environment["ZAMOK_PASSCODE_FILE"], !path.isEmpty,
            home.keybag.lockState != .unlocked
        else { return home }
        let passcode = try SecretFile.read(path == "-" ? "/dev/fd/0" : path, called: "passcode file")
        let own = try open(.process)
        try own.keybag.unlock(passcode: passcode)
        return own
    }

    /// The file with the passcode, for processes that are started later on: what is read but once serves none of them.
    func lastingPasscodeFile(for what: String) throws -> String? {
        guard let path = passcodeFile ?? PasscodeFile.pathInEnvironment else { return nil }
        guard path != "-", PasscodeFile.descriptor(path) == nil else {
            throw Failure.usage(
                "\(what) reads the passcode for each round anew, so it needs a passcode file that stays")
        }
        return path
    }

    private func open(_ holder: HolderChoice) throws -> Home {
        var configuration = Home.Configuration()
        configuration.identity = ApplicationIdentity(
            applicationIdentifier: "zamok", accessGroups: ["zamok"], seesAllGroups: true)
        configuration.holder = holder
        let root = try Home(configuration)
        let directory = try UserDirectory(root: root)
        let name = user ?? ProcessInfo.processInfo.environment["ZAMOK_USER"] ?? ""
        if name == "-" { return root }
        let chosen = name.isEmpty ? try directory.recorded() : try directory.user(named: name)
        guard let chosen else { return root }
        return try directory.home(of: chosen)
    }

    /// The membership that the home keeps, and its engine.
    func sync(isReading: Bool = false) throws -> KeychainSync {
        let home = try home()
        guard let settings = try KeychainSync.settings(of: home) else { throw Failure.noAccount }
        return try KeychainSync.open(home, on: EngineURL(settings.engine).engine(), isReading: isReading)
    }

    /// As ``sync()``, for what is not whole while a class is locked.
    func unlockedSync() throws -> KeychainSync {
        let sync = try sync()
        guard !sync.leavesOutLocked else {
            throw Failure(
                status: 36,
                "the home is locked, and what lies under its locked classes would be missing here; unlock it (zamok unlock), or name a passcode file"
            )
        }
        return sync
    }
}

/// Files with secrets that a person names. One that can't be used is wrong usage, as in `zamok`.
enum SecretFile {
    static func read(_ path: String, called name: String, limit: Int = 4_096) throws -> SecretBytes {
        do { return try PasscodeFile.read(path, called: name, limit: limit) } catch {
            throw Failure(status: error.code == .io ? 220 : 64, error.message)
        }
    }

    /// In ordinary memory, since its users take text.
    static func text(_ path: String, called name: String, limit: Int = 4_096) throws -> String {
        try read(path, called: name, limit: limit).exposingText()
    }
}

/// How this machine calls itself unless told otherwise.
var hostName: String { ProcessInfo.processInfo.hostName }

/// Where an engine is.
struct EngineURL {
    let text: String
    /// The account, where it is named behind a #.
    let account: [UInt8]?
    /// With a host in the place of all.
    let components: URLComponents
    let hosts: [String]

    init(_ text: String) throws {
        // A list of hosts is no host to URLComponents, so that they are left out of what it takes apart.
        let parts = text.split(separator: "#", maxSplits: 1, omittingEmptySubsequences: false).map(String.init)
        let whole = parts.first ?? ""
        guard let start = whole.range(of: "://") else { throw Self.noURL(text) }
        hosts = whole[start.upperBound...].prefix { $0 != "/" && $0 != "?" }.split(separator: ",").map(String.init)
        let rest = whole[start.upperBound...].drop { $0 != "/" && $0 != "?" }
        let scheme = String(whole[..<start.lowerBound])
        guard scheme == "file" || !whole[start.upperBound...].prefix(while: { $0 != "?" }).contains("@") else {
            throw Failure.usage(
                "a URL of an engine has no user or password before an @, since it is shown and written into tickets; etcd: ?user=NAME&password-file=FILE, a bucket: ?credentials=FILE"
            )
        }
        guard scheme != "file" || !rest.contains("?") else {
            throw Failure.usage("a folder's URL takes no words behind a ?")
        }
        guard scheme != "file" || hosts.isEmpty && rest.hasPrefix("/") else {
            throw Failure.usage("a folder's URL has three slashes and the whole path: file:///srv/zamok")
        }
        guard let components = URLComponents(string: "\(scheme)://host\(rest)") else { throw Self.noURL(text) }
        guard ["file", "etcd", "etcd+http", "s3", "s3+http"].contains(scheme) else {
            throw Failure.usage("\(scheme) is no engine; there are: file, etcd, etcd+http, s3, s3+http")
        }
        account = try (parts.count > 1 ? parts[1] : nil).map { fragment in
            guard let account = [UInt8](digits: fragment), account.count == 32 else {
                throw Failure.usage("behind the # stands no account, which has 64 hexadecimal digits")
            }
            return account
        }
        self.components = components
        self.text = whole
    }

    /// As a person or a ticket names it. Files are named by absolute paths, since the URL is kept and later rounds
    /// start in other folders.
    init(given text: String) throws {
        try self.init(text)
        let files = ["ca", "cert", "key", "password-file", "credentials"]
        for word in components.queryItems ?? [] where files.contains(word.name) {
            guard word.value?.hasPrefix("/") == true else {
                throw Failure.usage(
                    "\(word.name) in the URL of an engine takes the whole path of a file, which begins with /: \(word.value ?? "")"
                )
            }
        }
    }

    private static func noURL(_ text: String) -> Failure {
        .usage("\(text) is no URL of an engine; for example: file:///srv/zamok or etcd://host:2379")
    }

    /// The folder, where the engine is one.
    var folder: String? { components.scheme == "file" ? components.path : nil }

    func engine() throws -> AnyEngine {
        if let folder { return AnyEngine(FileEngine(folder: folder)) }
        return try networkEngine()
    }
}

#if !Network
extension EngineURL {
    fileprivate func networkEngine() throws -> AnyEngine {
        throw Failure.usage("this zamok-sync was built for folders alone; Scripts/build-sync builds the whole one")
    }
}
#endif

/// How the program ends: as `zamok` does.
struct Failure: Error {
    let status: Int32
    let message: String

    init(status: Int32, _ message: String) {
        self.status = status
        self.message = message
    }

    static func usage(_ message: String) -> Failure { Failure(status: 64, message) }

    static let noAccount = Failure(
        status: 44, "this home is in no account; found one with `zamok sync create ENGINE-URL`, or `zamok sync join`")

    static func exit(_ error: any Error, _ command: (some ParsableCommand).Type) -> Never {
        guard let failure = Failure(error) else { command.exit(withError: error) }
        print("zamok: \(failure.message)", to: .standardError)
        Foundation.exit(failure.status)
    }

    private init?(_ error: any Error) {
        switch error {
        case let failure as Failure: self = failure
        case let error as KeychainError: self.init(status: error.status & 0xFF, error.message)
        case let error as DataProtectionError: self.init(status: error.status & 0xFF, error.message)
        case let error as AppUsersError: self.init(status: error.status & 0xFF, error.message)
        case let error as SyncLogError: self.init(status: error.status & 0xFF, error.message)
        case let error as SyncEngineError:
            self.init(status: error.code == .waiting ? 3 : error.status & 0xFF, error.message)
        default: return nil
        }
    }
}

func print(_ text: String, to file: FileHandle) { file.write(Data((text + "\n").utf8)) }

/// Prints what can be printed only once.
/// - Throws: `Failure` if it could not be written, also where the reader of a pipe is gone.
func printOnce(_ text: String) throws {
    signal(SIGPIPE) { _ in }
    do { try FileHandle.standardOutput.write(contentsOf: Data((text + "\n").utf8)) } catch {
        throw Failure(status: 222, "the output could not be written")
    }
}

/// Prints JSON on one line, with its keys in order.
func printJSON(_ value: some Encodable) throws { print(try json(value)) }

func json(_ value: some Encodable) throws -> String {
    let encoder = JSONEncoder()
    encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
    return String(decoding: try encoder.encode(value), as: UTF8.self)
}

/// Prints one object on each line.
func printJSON(_ values: [some Encodable]) throws { for value in values { try printJSON(value) } }

extension [UInt8] {
    /// Nil for what are no hexadecimal digits.
    init?(digits text: String) {
        let digits = [UInt8](text.utf8)
        guard digits.count.isMultiple(of: 2) else { return nil }
        self = []
        for at in stride(from: 0, to: digits.count, by: 2) {
            guard let byte = UInt8(String(decoding: digits[at...at + 1], as: UTF8.self), radix: 16) else { return nil }
            append(byte)
        }
    }
}

/// A time for people.
func shown(_ milliseconds: UInt64) -> String {
    milliseconds == 0 ? "never" : Date(timeIntervalSince1970: Double(milliseconds) / 1000).formatted(.iso8601)
}

/// Asks a person whether both machines show the same words.
/// - Throws: `Failure` if neither yes nor no came.
func areSame(_ words: String) throws -> Bool {
    print("\n    \(words)\n", to: .standardError)
    print("Does the other machine show these words? Look at it, and answer yes or no:", to: .standardError)
    while let line = readLine() {
        switch line.trimmingCharacters(in: .whitespaces).lowercased() {
        case "yes", "y": return true
        case "no", "n": return false
        default: print("Answer yes or no:", to: .standardError)
        }
    }
    throw Failure.usage("nobody answered yes or no, so the words were not compared; nothing was joined or added")
}
