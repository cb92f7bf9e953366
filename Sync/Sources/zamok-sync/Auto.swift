// SPDX-License-Identifier: Apache-2.0

import ArgumentParser
import Foundation
import KeychainSync

struct Auto: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        abstract: "Make a round by itself after each change here, and each minute: on, off or status.",
        discussion: """
            Writes units for this home into systemd's folder of your user, and starts them: systemd watches the files of the keychain, so that nothing runs between rounds and a change costs \
            nothing more. They run while you are logged in (always: loginctl enable-linger). Without systemd: zamok sync watch.

            EXAMPLES:
              zamok sync auto on
              zamok sync auto status
              zamok sync auto on --print
              zamok sync auto off
            """)

    enum Wanted: String, ExpressibleByArgument, CaseIterable { case on, off, status }

    @OptionGroup var options: Options
    @Flag(help: "Print the units instead.") var print = false
    @Argument(help: ArgumentHelp("What to do.", valueName: "on|off|status")) var wanted: Wanted

    func run() async throws {
        let units = try AutoUnits(options)
        switch wanted {
        case .on:
            if self.print { return Swift.print(units.text) }
            try units.start()
        case .off: try units.end()
        case .status: break
        }
        let isOn = units.areThere
        if options.json { return try printJSON(["auto": isOn]) }
        Swift.print(isOn ? "on: \(units.folder)/\(AutoUnits.name).path" : "off")
    }
}

/// The units of one home.
struct AutoUnits {
    static let name = "zamok-sync-auto"
    private static let endings = ["service", "path", "timer"]

    let folder: String
    private let files: [String: String]

    init(_ options: Options) throws {
        _ = try options.lastingPasscodeFile(for: "zamok sync auto")
        let home = try options.home()
        guard try KeychainSync.settings(of: home) != nil else { throw Failure.noAccount }
        guard let program = Bundle.main.executablePath else {
            throw Failure(status: 71, "the system does not say where zamok-sync lies")
        }
        let environment = ProcessInfo.processInfo.environment
        guard let own = environment["HOME"], !own.isEmpty else { throw Failure.usage("HOME is not set") }
        let configuration = environment["XDG_CONFIG_HOME"].flatMap { $0.isEmpty ? nil : $0 } ?? "\(own)/.config"
        folder = "\(configuration)/systemd/user"
        var kept = ["ZAMOK_CREATE=no"]
        for name in ["ZAMOK_HOME", "ZAMOK_USER", "ZAMOK_PASSCODE_FILE", "ZAMOK_DEVICE_SECRET", "ZAMOK_TPM"] {
            guard let value = environment[name], !value.isEmpty else { continue }
            // A unit begins in another folder.
            guard value.hasPrefix("/") || !["ZAMOK_HOME", "ZAMOK_PASSCODE_FILE"].contains(name) else {
                throw Failure.usage("\(name) is to be the whole path, which a unit of systemd needs: \(value)")
            }
            kept.append("\(name)=\(value)")
        }
        // In a command $ says something to systemd.
        let words = try ([program, "now"] + options.words).map {
            try Self.quoted($0).replacingOccurrences(of: "$", with: "$$")
        }.joined(separator: " ")
        let settings = try kept.map { "Environment=\(try Self.quoted($0))" }.joined(separator: "\n")
        // Type=oneshot: while a round runs, systemd doesn't look; what the round itself writes begins no other.
        let service = """
            # Written by `zamok sync auto on`.
            [Unit]
            Description=A round of sync of the keychain
            StartLimitIntervalSec=0

            [Service]
            Type=oneshot
            TimeoutStartSec=30min
            \(settings)
            ExecStart=\(words)
            NoNewPrivileges=yes
            LimitCORE=0

            """
        // What the keychain is written to, and what an unlock writes.
        let watched = try KeychainSync.watchedFiles(of: home).map { "PathModified=\(try Self.escaped($0))" }
            .joined(separator: "\n")
        let path = """
            # Written by `zamok sync auto on`.
            [Unit]
            Description=Changes of the keychain

            [Path]
            \(watched)
            TriggerLimitIntervalSec=0
            Unit=\(Self.name).service

            [Install]
            WantedBy=default.target

            """
        let timer = """
            # Written by `zamok sync auto on`.
            [Unit]
            Description=Rounds of sync of the keychain

            [Timer]
            OnActiveSec=0
            OnUnitInactiveSec=1min
            Unit=\(Self.name).service

            [Install]
            WantedBy=timers.target

            """
        files = ["service": service, "path": path, "timer": timer]
    }

    /// As one word of a unit.
    private static func quoted(_ text: String) throws -> String { "\"\(try escaped(text))\"" }

    /// % says something to systemd.
    private static func escaped(_ text: String) throws -> String {
        guard !text.contains(where: { $0.isNewline || $0 == "\"" || $0 == "\\" }) else {
            throw Failure.usage("a unit of systemd can't hold \(text.debugDescription)")
        }
        return text.replacingOccurrences(of: "%", with: "%%")
    }

    private func file(_ ending: String) -> String { "\(folder)/\(Self.name).\(ending)" }

    var text: String {
        Self.endings.map { "# \(file($0))\n\(files[$0] ?? "")" }.joined(separator: "\n")
    }

    var areThere: Bool { FileManager.default.fileExists(atPath: file("path")) }

    func start() throws {
        try Self.systemctl("--version")
        try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
        for ending in Self.endings {
            try Data((files[ending] ?? "").utf8).write(to: URL(fileURLWithPath: file(ending)), options: .atomic)
        }
        do {
            try Self.systemctl("daemon-reload")
            try Self.systemctl("enable", "--now", "\(Self.name).path", "\(Self.name).timer")
        } catch {
            remove()
            throw error
        }
    }

    /// As `start`, where they are.
    func refresh() throws {
        guard areThere else { return }
        try start()
        // A path unit that runs goes on with the files that it had.
        try Self.systemctl("restart", "\(Self.name).path")
    }

    func end() throws {
        guard areThere else { return }
        try Self.systemctl("disable", "--now", "\(Self.name).path", "\(Self.name).timer")
        remove()
        try Self.systemctl("daemon-reload")
    }

    private func remove() { for ending in Self.endings { try? FileManager.default.removeItem(atPath: file(ending)) } }

    private static func systemctl(_ words: String...) throws {
        let process = Process()
        process.executableURL = URL(fileURLWithPath: "/usr/bin/env")
        process.arguments = ["systemctl", "--user", "--quiet"] + words
        process.standardInput = FileHandle.nullDevice
        process.standardOutput = FileHandle.nullDevice
        try process.run()
        process.waitUntilExit()
        guard process.terminationStatus == 0 else {
            throw Failure(
                status: 71,
                "systemd of your user does not answer (systemctl --user \(words.joined(separator: " "))); without it: zamok sync watch"
            )
        }
    }
}
