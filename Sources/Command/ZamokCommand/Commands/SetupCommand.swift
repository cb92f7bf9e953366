// SPDX-License-Identifier: Apache-2.0

import ArgumentParser
import Credentials
import Files
import Foundation
import Readers
import Statuses

/// `zamok setup`
struct SetupCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "setup",
        abstract:
            "Have git, docker, cargo, ssh, the AWS tools, p11-kit, Python's keyring or a desktop's programs ask the keychain.",
        discussion: """
            Shows what will be added to the program's configuration, asks, keeps a copy of the file beside it (NAME.before-zamok) and writes. Settings in a \
            line of your own stay, and are reported (status 45). --undo removes what was added, and leaves all other changes. Passwords \
            that the program already keeps as plaintext are named, and stay where they are.

            EXAMPLES:
              zamok setup git
              zamok setup docker --yes
              zamok setup aws work --profile work
              zamok setup ssh
              zamok setup pkcs11
              zamok setup desktop --dry-run
              zamok setup git --undo
              zamok setup --list

            desktop: the keychain becomes the Secret Service of this person's sessions. What gnome-keyring or KWallet has is counted and copied first; they keep it. --now ends \
            the one that runs, too; otherwise it serves until the session ends. --undo gives the name back; items stay where they are.
            """)

    @Argument(help: ArgumentHelp("git, docker, cargo, ssh, aws, pkcs11, python or desktop.", valueName: "program"))
    var named: SetupProgram?

    @Argument(help: "aws: the item, as SERVICE or SERVICE/ACCESS-KEY-ID.", completion: Completions.names)
    var item: String?

    @Option(help: ArgumentHelp("aws: the profile.", valueName: "name"))
    var profile = "default"

    @Flag(help: "Remove what was added.")
    var undo = false

    @Flag(help: "Don't ask.")
    var yes = false

    @Flag(help: "Show what would be done, and do nothing.")
    var dryRun = false

    @Flag(help: "Show which programs' files have what this command adds, and how each is undone.")
    var list = false

    @Flag(help: "desktop: end the provider that runs, so that the name changes hands at once.")
    var now = false

    @OptionGroup var global: GlobalOptions

    /// The program to set up; unused with `--list`.
    private var program: SetupProgram { named ?? .git }

    func validate() throws {
        guard list == (named == nil) else { throw ValidationError("Name a program, or give --list.") }
        guard !list || !(undo || yes || dryRun || now) else { throw ValidationError("--list changes nothing.") }
        guard program == .aws || (item == nil && profile == "default") else {
            throw ValidationError("An item and --profile are for aws.")
        }
        guard program == .desktop || !now else { throw ValidationError("--now is for desktop.") }
        guard program == .desktop || (global.user == nil && global.passcodeFile == nil) else {
            throw ValidationError("--user and --passcode-file are for desktop.")
        }
        guard program != .aws || undo || item != nil else {
            throw ValidationError("Name the item that has the key, as: zamok setup aws work")
        }
        guard !profile.isEmpty else { throw ValidationError("The name of a profile is not empty.") }
    }

    func run() throws {
        guard Environment.value("HOME")?.isEmpty == false else {
            throw CommandFailure.status(.parameter, "HOME is not set: which file is meant?")
        }
        guard !list else { return try SetupList.print() }
        guard program != .desktop else {
            let setup = DesktopSetup(choice: global.choice, yes: yes, dryRun: dryRun, now: now)
            return undo ? try setup.takeBack() : try setup.apply()
        }
        guard program != .ssh || undo || AgentSocket.runtimeFolder != nil else {
            throw CommandFailure.status(
                .parameter,
                "XDG_RUNTIME_DIR is not set, so that the agent's socket has no place that stays; put this into your profile instead: eval \"$(zamok agent)\""
            )
        }
        let change = try program.change(item: item ?? "", profile: profile)
        let file = ConfigurationFile(program.file)
        do {
            if undo { try takeBack(change, file) } else { try apply(change, file) }
        } catch let refusal as ConfigurationChange.Refusal {
            throw CommandFailure.status(
                .duplicateItem, "\(file.path.printable): \(refusal.reason.printable); nothing was changed")
        }
    }

    private func apply(_ change: ConfigurationChange, _ file: ConfigurationFile) throws {
        let text = try file.read()
        let changed = try change.applied(to: text ?? "")
        guard changed != text else {
            try Channel.error.line("\(file.path.printable) has it already.")
            return try refuseUnusable()
        }
        try Channel.output.lines(["\(file.path.printable):"] + change.shown.map { "+ \($0.printable)" })
        if dryRun || !yes, let obstacle = program.obstacle { try Channel.error.line(obstacle) }
        guard !dryRun else { return try Channel.error.line("Nothing was changed.") }
        try Question.confirmWriting(isGiven: yes)
        let kept = try file.replace(text, by: changed)
        try Channel.error.line("Written. To undo it: zamok setup \(try program.words(profile)) --undo")
        if let kept {
            let also = program.keepsPasswords(text ?? "") ? ", with the passwords that it held; --undo removes it" : ""
            try Channel.error.line("The file as it was: \(kept.printable)\(also)")
        }
        for line in program.remarks() { try Channel.error.line(line) }
        try refuseUnusable()
    }

    /// What is written helps only once the program finds the command that it names. Until then it may have no other
    /// source either, so this is no success: status 3.
    private func refuseUnusable() throws {
        guard let obstacle = program.obstacle else { return }
        throw CommandFailure(exitStatus: ExitStatus.inPart, message: "it is set up, but \(obstacle)")
    }

    private func takeBack(_ change: ConfigurationChange, _ file: ConfigurationFile) throws {
        let text = try file.read()
        let before = try file.kept()
        let changed = try change.removed(from: text ?? "", before: before?.text)
        guard let text, changed != text else {
            throw CommandFailure.status(
                .itemNotFound, "\(file.path.printable) has nothing from zamok setup \(program.rawValue)")
        }
        let left = Set(changed.components(separatedBy: "\n"))
        let removed = text.components(separatedBy: "\n").filter {
            !left.contains($0) && !$0.isEmpty && !$0.hasPrefix("# ")
        }
        let shown = program == .docker ? change.shown : removed.map { $0.replacingOccurrences(of: "\t", with: "    ") }
        try Channel.output.lines(["\(file.path.printable):"] + shown.map { "- \($0.printable)" })
        guard !dryRun else { return try Channel.error.line("Nothing was changed.") }
        try Question.confirmWriting(isGiven: yes)
        // A link that the user made is never removed.
        try file.put(changed.isEmpty && before == nil && !file.isLink ? nil : changed, inPlaceOf: text)
        if let before, before.text == changed { try file.forget(before.path) }
        // No second copy of a password is kept longer than needed.
        while let copy = try file.kept(), program.keepsPasswords(copy.text) { try file.forget(copy.path) }
        try Channel.error.line("Undone.")
    }
}

/// A program that can be set up to use the keychain.
enum SetupProgram: String, ExpressibleByArgument, CaseIterable {
    case git, docker, cargo, ssh, aws, pkcs11, python, desktop

    func change(item: String, profile: String) throws -> ConfigurationChange {
        switch self {
        // The empty value resets the list of helpers: a configured helper that stores plaintext would otherwise receive
        // every new password.
        case .git:
            .lines(
                tool: rawValue, section: "credential", ["\thelper =", "\thelper = zamok"], owned: [],
                sectionMayRepeat: true)
        case .docker: .member("credsStore", "zamok")
        case .cargo:
            .lines(
                tool: rawValue, section: "registry",
                ["global-credential-providers = [\"cargo:token\", \"cargo-credential-zamok\"]"],
                owned: ["global-credential-providers"], sectionMayRepeat: false)
        case .ssh:
            // `ssh` uses the first value that it finds.
            .top(
                tool: rawValue,
                ["IdentityAgent \(try ForeignWord.ssh("\(AgentSocket.runtimeFolder ?? "")/zamok/agent"))"],
                owned: ["identityagent"])
        case .aws:
            .lines(
                tool: try words(profile),
                section: profile == "default" ? profile : "profile " + (try ForeignWord.everywhere(profile)),
                ["credential_process = zamok credential aws \(try credential(item))"],
                owned: ["credential_process", "aws_access_key_id", "aws_secret_access_key"], sectionMayRepeat: false)
        case .desktop: try DesktopSetup.busChange(HomeChoice())
        case .pkcs11: .top(tool: rawValue, ["remote: |zamok p11"], owned: ["remote:", "module:"])
        case .python:
            .lines(
                tool: rawValue, section: "backend", ["default-keyring = keyring_zamok.ZamokKeyring"],
                owned: ["default-keyring"], sectionMayRepeat: false)
        }
    }

    /// The arguments of `zamok setup` that name a profile of the program.
    func words(_ profile: String) throws -> String {
        profile == "default" ? rawValue : "\(rawValue) --profile \(try ForeignWord.everywhere(profile))"
    }

    /// The arguments of `zamok credential aws`.
    private func credential(_ item: String) throws -> String {
        let parts = item.split(separator: "/", omittingEmptySubsequences: true)
        let words =
            parts.count > 1 ? [parts.dropLast().joined(separator: "/"), String(parts[parts.count - 1])] : [item]
        return try words.filter { !$0.isEmpty }.map { try ForeignWord.everywhere($0) }.joined(separator: " ")
    }

    /// The path of the program's configuration file.
    var file: String {
        let home = Environment.value("HOME") ?? "/"
        func folder(_ variable: String, _ standard: String) -> String {
            Environment.value(variable).flatMap { $0.isEmpty ? nil : $0 } ?? "\(home)/\(standard)"
        }
        func isThere(_ path: String) -> Bool { FileManager.default.fileExists(atPath: path) }
        switch self {
        case .git:
            if let path = Environment.value("GIT_CONFIG_GLOBAL"), !path.isEmpty { return path }
            let other = folder("XDG_CONFIG_HOME", ".config") + "/git/config"
            return !isThere("\(home)/.gitconfig") && isThere(other) ? other : "\(home)/.gitconfig"
        case .docker: return folder("DOCKER_CONFIG", ".docker") + "/config.json"
        case .cargo: return folder("CARGO_HOME", ".cargo") + "/config.toml"
        case .ssh: return "\(home)/.ssh/config"
        case .aws: return folder("AWS_CONFIG_FILE", ".aws/config")
        case .desktop: return DesktopSetup.busFile
        case .pkcs11: return folder("XDG_CONFIG_HOME", ".config") + "/pkcs11/modules/zamok.module"
        case .python: return folder("XDG_CONFIG_HOME", ".config") + "/python_keyring/keyringrc.cfg"
        }
    }

    private func sshRemarks(_ home: String) -> [String] {
        let keys = ["id_ed25519", "id_ecdsa", "id_rsa"].map { "\(home)/.ssh/\($0)" }
        return [
            "The agent starts with: systemctl --user enable --now zamok-agent.socket; for ssh-add and git's signatures put into your profile: export SSH_AUTH_SOCK=\"$XDG_RUNTIME_DIR/zamok/agent\" (without systemd, for all of them: eval \"$(zamok agent)\")."
        ]
            + keys.filter { FileManager.default.fileExists(atPath: $0) }.map {
                "\($0.printable) is a private key in a file; to have it in the keychain: zamok keys import \(ForeignWord.shell($0).printable) --ssh"
            }
    }

    /// Why the program can't ask the keychain yet; nil: it can.
    var obstacle: String? {
        let link: String? =
            switch self {
            case .git: "git-credential-zamok"
            case .docker: "docker-credential-zamok"
            case .cargo: "cargo-credential-zamok"
            case .aws, .pkcs11: "zamok"
            case .python, .ssh, .desktop: nil
            }
        guard let link, !Programs.isThere(link) else { return nil }
        let own = OwnProgram.path.map { ForeignWord.shell($0).printable } ?? "zamok"
        return
            "\(link) is not on the PATH; until it is, \(rawValue) can't ask the keychain. Put it into a folder that is: ln -s \(own) ~/.local/bin/\(link)"
    }

    /// Further remarks for the user.
    func remarks() -> [String] {
        let home = Environment.value("HOME") ?? "/"
        let clear: String? =
            switch self {
            case .git: "\(home)/.git-credentials"
            case .cargo: (Environment.value("CARGO_HOME") ?? "\(home)/.cargo") + "/credentials.toml"
            case .aws: "\(home)/.aws/credentials"
            case .docker, .pkcs11, .python, .ssh, .desktop: nil
            }
        var lines: [String] = []
        if let clear, FileManager.default.fileExists(atPath: clear) {
            let reading = self == .git ? "git no longer reads it" : "it is still read"
            lines.append("\(clear.printable) holds plaintext secrets; \(reading).")
        }
        if self == .docker { lines += dockerRemarks() }
        if self == .ssh { lines += sshRemarks(home) }
        if self == .pkcs11 {
            lines.append(
                "What loads p11-kit-proxy.so, and programs of GnuTLS, see it at their next start: p11tool --list-tokens; not those of root, for which p11-kit reads /etc/pkcs11/modules alone."
            )
        }
        if self == .python { lines.append("It needs the package: pip install ./Integrations/python") }
        return lines
    }
}

extension SetupProgram {
    /// The registries in docker's configuration.
    private struct Docker: Decodable {
        struct Login: Decodable {
            var auth: String?
            var password: String?
            var identitytoken: String?
        }
        var auths: [String: Login]?
        var credHelpers: [String: String]?

        /// The registries whose passwords the file contains.
        var plaintext: [String] {
            (auths ?? [:]).filter { [$1.auth, $1.password, $1.identitytoken].contains { $0?.isEmpty == false } }
                .keys.sorted()
        }

        init?(_ text: String) {
            guard let read = try? JSONDecoder().decode(Self.self, from: Data(text.utf8)) else { return nil }
            self = read
        }
    }

    /// Whether such a file contains passwords.
    func keepsPasswords(_ text: String) -> Bool { self == .docker && Docker(text)?.plaintext.isEmpty == false }

    private func dockerRemarks() -> [String] {
        guard let text = (try? ConfigurationFile(file).read()) ?? nil, let docker = Docker(text) else { return [] }
        let plain = docker.plaintext.map {
            "\(file.printable) holds plaintext of \($0.printable); to have it in the keychain instead: docker login \(ForeignWord.shell($0).printable)"
        }
        let others = (docker.credHelpers ?? [:]).filter { $0.value != "zamok" }.keys.sorted().map {
            "\($0.printable) has a helper of its own, which goes before this one (credHelpers)"
        }
        return plain + others
    }
}

/// The configuration file of another program. It is read and replaced as a whole, and never replaced after a
/// concurrent change.
struct ConfigurationFile {
    let path: String
    private let hooks = FileHooks()
    private static let limit = 16 << 20

    init(_ path: String) { self.path = path }

    /// The text of the file; nil if there is none.
    func read() throws -> String? { try read(path) }

    var isLink: Bool { ((try? OpenFile.status(of: FileLocation(path), hooks)) ?? nil)?.kind == .link }

    private func read(_ path: String) throws -> String? {
        guard FileManager.default.fileExists(atPath: path) else { return nil }
        let bytes: [UInt8]
        do {
            let held = try hooks.hold(FileLocation(path), following: true)
            bytes = try OpenFile.open(held, mode: .read, hooks: hooks).read(count: Self.limit + 1)
        } catch { throw failed(error) }
        guard bytes.count <= Self.limit else {
            throw CommandFailure.status(.dataTooLarge, "\(path.printable) is larger than 16 MiB; nothing was changed")
        }
        guard let text = String(validUTF8: bytes) else {
            throw CommandFailure.status(.parameter, "\(path.printable) is not text (UTF-8); nothing was changed")
        }
        return text
    }

    /// Saves a copy of the present file, then writes the new text. Returns the path of the copy; nil if there was
    /// no file.
    func replace(_ old: String?, by new: String) throws -> String? {
        guard let old else {
            try put(new, inPlaceOf: nil)
            return nil
        }
        if let last = try kept(), last.text == old {
            try put(new, inPlaceOf: old)
            return last.path
        }
        let place = Self.copies(path).first { !FileManager.default.fileExists(atPath: $0) } ?? path
        do {
            let copy = try NewFile(at: FileLocation(place))
            try copy.write(Array(old.utf8), at: 0)
            try copy.finish()
        } catch { throw failed(error) }
        try put(new, inPlaceOf: old)
        return place
    }

    /// The newest copy.
    func kept() throws -> (path: String, text: String)? {
        let last = Self.copies(path).prefix { FileManager.default.fileExists(atPath: $0) }.last
        return try last.flatMap { path in try read(path).map { (path, $0) } }
    }

    func forget(_ copy: String) throws {
        do { _ = try hooks.remove(FileLocation(copy)) } catch { throw failed(error) }
    }

    /// Replaces the file; nil removes it.
    func put(_ new: String?, inPlaceOf old: String?) throws {
        do {
            guard let new else {
                guard try read() == old else { throw changed }
                _ = try hooks.remove(FileLocation(path))
                return
            }
            try FileManager.default.createDirectory(
                atPath: PathText(path).deletingLastPathComponent, withIntermediateDirectories: true,
                attributes: [.posixPermissions: 0o700])
            guard let old else {
                let file = try NewFile(at: FileLocation(path))
                try file.write(Array(new.utf8), at: 0)
                return try file.finish()
            }
            // Follows a link to its target.
            let held = try hooks.hold(FileLocation(path), following: true)
            let source = try OpenFile.open(held, mode: .read, hooks: hooks)
            let (status, content) = (try source.status(), try source.read(count: Self.limit))
            guard let source = try HeldFile.hold(source), content == Array(old.utf8) else { throw changed }
            // Temporary files of killed processes.
            Leftovers(hooks) { _ in nil }.remove(in: held.folder)
            let fresh = try UnplacedFile(for: held, hooks)
            try fresh.file.write(Array(new.utf8))
            try fresh.file.setMode(status.permissions)
            try fresh.file.sync()
            guard try fresh.placeInstead(of: source) == nil else { throw changed }
        } catch let error as FileError { throw failed(error) }
    }

    private static func copies(_ path: String) -> [String] {
        (1...1000).map { "\(path).before-zamok" + ($0 == 1 ? "" : ".\($0)") }
    }

    private var changed: CommandFailure {
        .status(.busy, "\(path.printable) was changed by something else; nothing was written; try again")
    }

    private func failed(_ error: FileError) -> CommandFailure {
        .status(.inputOutput, "\(path.printable): \(error.text); nothing was changed")
    }
}
