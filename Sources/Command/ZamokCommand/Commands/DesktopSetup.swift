// SPDX-License-Identifier: Apache-2.0

import Credentials
import DataProtection
import Foundation
import Readers
import Statuses

/// `zamok setup desktop`: makes the keychain the Secret Service and copies the items of another provider. The other
/// provider's items stay where they are.
struct DesktopSetup {
    let choice: HomeChoice
    let yes: Bool
    let dryRun: Bool
    /// Whether the running provider is ended immediately.
    let now: Bool

    private static let group = "org.freedesktop.secrets"

    // MARK: Files

    /// A file of the user that is changed.
    private struct Part {
        let file: ConfigurationFile
        let change: ConfigurationChange
        var before: String?
        var after = ""

        init(_ path: String, _ change: ConfigurationChange) {
            (file, self.change) = (ConfigurationFile(path), change)
        }
    }

    private static func folder(_ variable: String, _ standard: String) -> String {
        let home = Environment.value("HOME") ?? "/"
        return Environment.value(variable).flatMap { $0.isEmpty ? nil : $0 } ?? "\(home)/\(standard)"
    }

    private static func isThere(_ path: String) -> Bool { FileManager.default.fileExists(atPath: path) }

    /// Where the bus looks before the system's files.
    static var busFile: String {
        folder("XDG_DATA_HOME", ".local/share") + "/dbus-1/services/org.freedesktop.secrets.service"
    }

    /// Makes the bus start the keychain of the chosen home. The systemd unit serves the user's own home, so it is
    /// omitted for any other home.
    static func busChange(_ choice: HomeChoice) throws -> ConfigurationChange {
        guard let program = OwnProgram.path else {
            throw CommandFailure.usage("the system does not say where this program is; install it")
        }
        let places = ["ZAMOK_HOME", "ZAMOK_USER"].compactMap { name in
            Environment.value(name).flatMap { $0.isEmpty ? nil : "\(name)=\($0)" }
        }
        let user = choice.user.map { ["--user=\($0)"] } ?? []
        let words = (places.isEmpty ? [] : ["/usr/bin/env"] + places) + [program, "secrets"] + user
        let unit = words.count == 2 ? ["SystemdService=zamok-secrets.service"] : []
        let command = try words.map { try ForeignWord.bus($0) }.joined(separator: " ")
        return .top(
            tool: "desktop", ["[D-BUS Service]", "Name=\(OtherProvider.name)", "Exec=\(command)"] + unit,
            owned: ["[d-bus"])
    }

    /// That change, and those that keep other providers from taking the name at the next login.
    private static func parts(_ choice: HomeChoice) throws -> [Part] {
        let config = folder("XDG_CONFIG_HOME", ".config")
        var parts = [Part(busFile, try busChange(choice))]
        if isThere("/etc/xdg/autostart/gnome-keyring-secrets.desktop") {
            parts.append(
                Part(
                    "\(config)/autostart/gnome-keyring-secrets.desktop",
                    .top(
                        tool: "desktop",
                        ["[Desktop Entry]", "Type=Application", "Name=Secret Storage Service", "Hidden=true"],
                        owned: ["[desktop"])))
        }
        if isThere("/usr/lib/systemd/user/gnome-keyring-daemon.service") {
            let words = "--foreground --components=pkcs11 --control-directory=%t/keyring"
            parts.append(
                Part(
                    "\(config)/systemd/user/gnome-keyring-daemon.service.d/zamok.conf",
                    .top(
                        tool: "desktop",
                        ["[Service]", "ExecStart=", "ExecStart=/usr/bin/gnome-keyring-daemon \(words)"],
                        owned: ["[service]"])))
        }
        if ["kwalletd5", "kwalletd6", "ksecretd"].contains(where: { isThere("/usr/bin/\($0)") }) {
            parts.append(
                Part(
                    "\(config)/kwalletrc",
                    .lines(
                        tool: "desktop", section: "org.freedesktop.secrets", ["apiEnabled=false"],
                        owned: ["apiEnabled"],
                        sectionMayRepeat: false)))
        }
        return parts
    }

    // MARK: To and fro

    func apply() throws {
        var parts = try Self.parts(choice)
        for index in parts.indices {
            parts[index].before = try parts[index].file.read()
            do { parts[index].after = try parts[index].change.applied(to: parts[index].before ?? "") } catch let refusal
                as ConfigurationChange.Refusal
            {
                throw CommandFailure.status(
                    .duplicateItem,
                    "\(parts[index].file.path.printable): \(refusal.reason.printable); nothing was changed")
            }
        }
        let changed = parts.filter { $0.before != $0.after }
        for part in changed {
            try Channel.output.lines(["\(part.file.path.printable):"] + part.change.shown.map { "+ \($0.printable)" })
        }
        let bus = try? BusConnection.ofSession()
        let other = bus.map(OtherProvider.init)
        let owner = try owner(other, isNew: parts[0].before == nil)
        let isOurs = owner.map(Self.isZamok) ?? false
        let contents = owner == nil || isOurs ? nil : try look(other, owner)
        guard !dryRun else { return try Channel.error.line("Nothing was changed.") }
        guard contents?.count ?? 0 > 0 || !changed.isEmpty else {
            return try Channel.error.line("It is set up already.")
        }
        if contents?.count ?? 0 > 0, !hasPasscode {
            try Channel.error.line(
                "This home has no passcode: a copy of the disk shows what is copied here. To set one: zamok passcode set"
            )
        }
        try Question.confirmWriting(isGiven: yes)
        // Items first, so that no program asks the keychain before it has them.
        let isWhole = try copy(contents, other)
        // Otherwise programs would no longer find these items.
        if let contents, !contents.locked.isEmpty {
            throw CommandFailure(
                exitStatus: ExitStatus.inPart,
                message:
                    "a collection stayed locked, so that the other provider keeps the name; unlock it, and run this again"
            )
        }
        for part in changed { _ = try part.file.replace(part.before, by: part.after) }
        if !changed.isEmpty { try Channel.error.line("Written. To undo it: zamok setup desktop --undo") }
        try? other?.reloadBus()
        if let owner, let other, !isOurs { try handOver(owner, other) }
        guard bus != nil else {
            return try Channel.error.line("There is no session's bus here; the next one will start it.")
        }
        if owner == nil { try Channel.error.line("The bus starts it when a program first asks.") }
        guard isWhole else {
            throw CommandFailure(
                exitStatus: ExitStatus.inPart,
                message: "it was set up, and some items were left out; they are named above")
        }
    }

    /// The owner of the bus name, started by the bus if there is none. Errors: a `CommandFailure` if another provider
    /// has items in its files, but no provider can be started to read them.
    private func owner(_ other: OtherProvider?, isNew: Bool) throws -> Int32? {
        if let owner = try other?.owner() { return owner }
        guard isNew else { return nil }
        // As the first request of any program does.
        try? other?.start()
        if let owner = try other?.owner() { return owner }
        let data = Self.folder("XDG_DATA_HOME", ".local/share")
        for (folder, ending) in [("keyrings", ".keyring"), ("kwalletd", ".kwl")] {
            let files = (try? FileManager.default.contentsOfDirectory(atPath: "\(data)/\(folder)")) ?? []
            guard files.contains(where: { $0.hasSuffix(ending) }) else { continue }
            throw CommandFailure.status(
                .notAvailable,
                "another provider has items in \("\(data)/\(folder)".printable), and no user is here to open them; nothing was changed; log in to the desktop and run it there"
            )
        }
        return nil
    }

    /// Whether the copied items are protected by a passcode. A home created for them has none.
    private var hasPasscode: Bool {
        guard let home = try? ChosenHome.openUnlocked(choice.reading) else { return false }
        return (try? home.keybag.hasPasscode) ?? false
    }

    /// Reverts the written changes. Items stay in both places.
    func takeBack() throws {
        var parts = try Self.parts(choice)
        for index in parts.indices {
            parts[index].before = try parts[index].file.read()
            parts[index].after = try parts[index].change.removed(
                from: parts[index].before ?? "", before: try parts[index].file.kept()?.text)
        }
        let changed = parts.filter { $0.before != nil && $0.before != $0.after }
        guard !changed.isEmpty else {
            throw CommandFailure.status(.itemNotFound, "there is nothing from zamok setup desktop")
        }
        for part in changed {
            try Channel.output.lines(["\(part.file.path.printable):"] + part.change.shown.map { "- \($0.printable)" })
        }
        guard !dryRun else { return try Channel.error.line("Nothing was changed.") }
        try Question.confirmWriting(isGiven: yes)
        for part in changed {
            let kept = try part.file.kept()
            try part.file.put(
                part.after.isEmpty && kept == nil && !part.file.isLink ? nil : part.after, inPlaceOf: part.before)
            if let kept, kept.text == part.after { try part.file.forget(kept.path) }
        }
        try Channel.error.line(
            "Undone. The other provider has its items still, and the keychain keeps those that it got; what programs stored since then is in the keychain alone: zamok keychain list --group \(Self.group)"
        )
        guard let bus = try? BusConnection.ofSession() else { return }
        let other = OtherProvider(bus)
        try? other.reloadBus()
        guard let owner = try other.owner(), Self.isZamok(owner) else { return }
        guard now else {
            return try Channel.error.line(
                "zamok (process \(owner)) has the name until this session ends; to end it now: kill \(owner)")
        }
        kill(owner, SIGTERM)
        try Channel.error.line("zamok (process \(owner)) was ended.")
    }

    // MARK: Items

    private func look(_ other: OtherProvider?, _ owner: Int32?) throws -> OtherProvider.Contents? {
        guard let other, let owner else { return nil }
        let name = Self.name(owner)
        do {
            let contents = try other.contents(unlocking: !dryRun) { label in
                try Channel.error.line("\(name.printable) asks for the password of its collection \(label.printable).")
            }
            let places = contents.paths.count
            try Channel.output.line(
                "\(name.printable) has \(contents.count) items in \(places) \(places == 1 ? "collection" : "collections")."
            )
            for label in contents.locked {
                try Channel.output.line("Locked, and not looked at: the collection \(label.printable).")
            }
            return contents
        } catch let failure as BusFailure {
            throw CommandFailure.status(
                .notAvailable, "\(name.printable) can't be read: \(failure.message.printable); nothing was changed")
        }
    }

    /// Copies the items. Returns false if some were left out.
    private func copy(_ contents: OtherProvider.Contents?, _ other: OtherProvider?) throws -> Bool {
        guard let contents, let other else { return true }
        let home = try ChosenHome.openUnlocked(choice)
        guard home.keybag.lockState == .unlocked else {
            throw CommandFailure.status(.locked, "the home is locked, and nothing was changed; run: zamok unlock")
        }
        let move = SecretsMove(other, home, group: Self.group)
        let bar = ProgressBar()
        defer { bar.finish() }
        do { try move.copy(contents) { bar.update($0, of: contents.count, isSlow: true) } } catch let failure
            as BusFailure
        {
            bar.finish()
            throw CommandFailure.status(
                .inputOutput,
                "\(move.counts.added) items were copied, then: \(failure.message.printable); nothing else was changed; run it again, it goes on"
            )
        }
        bar.finish()
        let counts = move.counts
        if counts.added > 0 { Done.note("items are copied, and the name has not changed hands") }
        try Channel.output.line(
            "\(counts.added) items copied, \(counts.there) were there, \(counts.different.count) have another secret here, \(counts.left.count) left out."
        )
        for label in counts.different {
            try Channel.output.line("Another secret here, which stays: \(label.printable)")
        }
        for label in counts.left {
            try Channel.output.line(
                "Left out, beyond the limits of the Secret Service or gone meanwhile: \(label.printable)")
        }
        return counts.left.isEmpty
    }

    // MARK: The owner of the name

    /// The program name of a process. For a process that isn't dumpable, such as the keychain's own, its user can read
    /// only the command name.
    private static func program(_ process: Int32) -> String? {
        if let path = try? FileManager.default.destinationOfSymbolicLink(atPath: "/proc/\(process)/exe") {
            return PathText(path).lastPathComponent
        }
        let name = try? String(contentsOfFile: "/proc/\(process)/comm", encoding: .utf8)
        return name.map { $0.trimmingCharacters(in: .newlines) }
    }

    private static func isZamok(_ process: Int32) -> Bool { program(process) == "zamok" }

    private static func name(_ process: Int32) -> String {
        program(process) ?? "The other provider (process \(process))"
    }

    /// Providers that do nothing else that the user would miss.
    private static let endable: Set<String> = ["gnome-keyring-daemon", "ksecretd", "kwalletd5", "kwalletd6"]

    private func handOver(_ owner: Int32, _ other: OtherProvider) throws {
        let name = Self.name(owner)
        guard now, Self.endable.contains(name) else {
            let how = Self.endable.contains(name) ? "kill \(owner)" : "turn it off in its settings"
            return try Channel.error.line(
                "\(name.printable) has the name until this session ends; to hand it over now: \(how)")
        }
        kill(owner, SIGTERM)
        let end = ContinuousClock.now + .seconds(10)
        while try other.owner() == owner, ContinuousClock.now < end { Thread.sleep(forTimeInterval: 0.05) }
        guard try other.owner() != owner else {
            throw CommandFailure.status(.busy, "\(name.printable) (process \(owner)) doesn't end; end it, or log out")
        }
        try other.start()
        guard let next = try other.owner(), Self.isZamok(next) else {
            throw CommandFailure.status(
                .notAvailable,
                "\(name.printable) was ended, and the bus started another provider: it doesn't read the file that was written, as where HOME or XDG_DATA_HOME is another one for the session than for this shell; log out and in"
            )
        }
        try Channel.error.line("\(name.printable) was ended; the keychain has the name.")
    }
}
