// SPDX-License-Identifier: Apache-2.0

import DataProtection
import Foundation
import Guards
import Readers
import Statuses

/// One run of a guest.
struct GuardRun {
    private let guest: GuestName
    private let command: [String]
    private let without: Set<BoundaryLayer>
    private let options: GuardRunCommand

    init(_ guest: GuestName, _ command: [String], _ without: Set<BoundaryLayer>, _ options: GuardRunCommand) {
        (self.guest, self.command, self.without, self.options) = (guest, command, without, options)
    }

    /// Returns the guest's status.
    func run() throws -> Int32 {
        let person = try Self.realPath(Self.personFolder)
        let account = RealPath.of(NSHomeDirectory())
        let folders = GuardedFolders(homes: [person] + [account].compactMap(\.self), closed: try closedFolders())
        let folder = try allowed(FileManager.default.currentDirectoryPath, folders)
        let shares = try options.share.map { try share($0, folders) }
        let home = try openHome()
        let executable = try ownExecutable()
        let network = try GuardNetwork(guest, home, options.network)?.start(beside: executable)
        let turns = DispatchSemaphore(value: BrokerServer.callLimit)
        let prompter = GuardPrompter(guest, turns: turns)
        let server = try BrokerServer(GuestItems(guest, home, prompter: prompter), turns: turns)
        defer { server.removeFile() }
        var boundary = Boundary(
            name: guest, program: command, folder: folder, shares: shares,
            guestHome: options.fresh ? nil : try Self.keptFolder(guest), homePath: person, socket: server.path,
            executable: executable, without: without)
        boundary.network = network?.inside
        let words = try boundary.words(ProcessInfo.processInfo.environment)
        var filter: [UInt8]?
        if !without.contains(.seccomp) {
            guard let machine = SyscallFilter.Machine.own else {
                throw CommandFailure(
                    exitStatus: ExitStatus.notStarted,
                    message: "there is no filter of system calls for this processor; leave it out: --without seccomp")
            }
            filter = SyscallFilter(machine).bytes
        }
        for layer in BoundaryLayer.allCases where without.contains(layer) {
            try Channel.error.line("zamok: guard: without \(layer.rawValue): \(layer.meaning)")
        }
        let written = [folder] + shares.filter(\.isWritable).map(\.path)
        let before = written.map(GuardedFolders.laterNames)
        let files = try network.map { network in
            try network.inside.files() + [(network.proxy.handover, InsideNetwork.handoverDescriptor)]
        }
        network?.begin()
        let status = try GuestProcess.run(words, boundary.start, filter: filter, more: files ?? []) {
            server.begin(namespace: $0)
        }
        for (place, names) in zip(written, before) {
            for name in GuardedFolders.laterNames(in: place).subtracting(names).sorted() {
                try? Channel.error.line(
                    "zamok: guard: \(guest) has made \("\(place)/\(name)".printable); programs outside may run what it says"
                )
            }
        }
        return status
    }

    /// Nil: there is no home, so nothing is granted. A locked home is opened, and answers that it is locked.
    private func openHome() throws -> Home? {
        do { return try ChosenHome.openUnlocked(options.global.reading) } catch let error as DataProtectionError {
            guard error.code == .noHome else { throw error }
            return nil
        }
    }

    /// Folders that no guest may reach, apart from its own home folder.
    private func closedFolders() throws -> [String] {
        let home = try? ChosenHome.configuration(.automatic, options.global.reading).place
        let runtime = Environment.value("XDG_RUNTIME_DIR")
        return [home, runtime, Self.guestsFolder].compactMap { path in
            guard let path, path.hasPrefix("/") else { return nil }
            return (try? Self.realPath(path)) ?? path
        }
    }

    private func allowed(_ path: String, _ folders: GuardedFolders) throws -> String {
        let real = try Self.realPath(path)
        if let objection = folders.objection(to: real) {
            throw CommandFailure.usage(
                "a guest can't have \(real.printable): it \(objection); start the guard in a folder of the work alone")
        }
        return real
    }

    private func share(_ word: String, _ folders: GuardedFolders) throws -> Boundary.Share {
        let isReadOnly = word.hasSuffix(":ro")
        let path = try allowed(isReadOnly ? String(word.dropLast(3)) : word, folders)
        return Boundary.Share(path: path, isWritable: !isReadOnly)
    }

    private func ownExecutable() throws -> String {
        guard let own = Bundle.main.executablePath else {
            throw CommandFailure(
                exitStatus: ExitStatus.notStarted, message: "the system does not say which file zamok is")
        }
        return try Self.realPath(own)
    }

    /// The path without symbolic links. Errors: there is none.
    private static func realPath(_ path: String) throws -> String {
        guard let real = RealPath.of(path) else {
            throw CommandFailure.status(.itemNotFound, "there is no \(path.printable)")
        }
        return real
    }

    /// `$HOME`, otherwise the home folder of the account.
    private static var personFolder: String {
        Environment.value("HOME").flatMap { $0.hasPrefix("/") ? $0 : nil } ?? NSHomeDirectory()
    }

    /// `$XDG_STATE_HOME/zamok/guests`, or below `~/.local/state`.
    static var guestsFolder: String {
        let state = Environment.value("XDG_STATE_HOME").flatMap { $0.hasPrefix("/") ? $0 : nil }
        return "\(state ?? "\(personFolder)/.local/state")/zamok/guests"
    }

    /// The folder that is the home folder of guests of this name.
    private static func keptFolder(_ guest: GuestName) throws -> String {
        let path = "\(guestsFolder)/\(guest)"
        do {
            try FileManager.default.createDirectory(
                atPath: path, withIntermediateDirectories: true, attributes: [.posixPermissions: 0o700])
        } catch {
            throw CommandFailure.status(.inputOutput, "the guest's home folder \(path.printable) can't be made")
        }
        return try realPath(path)
    }
}
