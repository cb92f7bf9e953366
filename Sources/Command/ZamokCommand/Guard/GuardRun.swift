// SPDX-License-Identifier: Apache-2.0

import DataProtection
import Foundation
import Guards
import KeychainEngine
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
        try GuestProcess.checkFileLimit()
        let executable = try ownExecutable()
        let person = try Self.realPath(Self.personFolder)
        let account = RealPath.of(URL.homeDirectory.path)
        let closed = try closedFolders()
        // Each looks through thousands of entries, while the others and this thread go on.
        let system = Meanwhile { Boundary.system(closed) }
        let optional = Meanwhile { Boundary.optional(closed) }
        let etc = Meanwhile { SystemCopy.current(in: Self.copiesFolder, closed) }
        let folders = GuardedFolders(homes: [person] + [account].compactMap(\.self), closed: closed)
        let folder = try allowed(FileManager.default.currentDirectoryPath, folders)
        guard !LaterNames.isInHistory(folder.path) else {
            throw CommandFailure.usage(
                "a guest can't work in \(folder.path.printable), inside the folder of a repository: what it writes there runs outside"
            )
        }
        let shares = try options.share.map { try share($0, folders) }
        let sockets = try look(([folder] + shares.map(\.place)).filter(\.isFolder), folders)
        let home = try openHome()
        if let home { try tellOfProject(folder.path, home) }
        try GuestProcess.endPasscode(options.global.reading)
        let turns = DispatchSemaphore(value: BrokerServer.callLimit)
        let prompter = GuardPrompter(guest, turns: turns)
        let network = try GuardNetwork(guest, home, options.network)?.start(beside: executable.path, prompter)
        let items = GuestItems(guest, home, prompter: prompter)
        let server = try BrokerServer(items, turns: turns)
        defer { server.removeFile() }
        let (systemWords, copy) = (system.value + optional.value, etc.value)
        let guestHome = options.fresh ? nil : try Self.keptFolder(guest)
        let written = [folder.path] + shares.filter(\.isWritable).map(\.place.path)
        let git = GitPlaces(written, homes: folders.homes)
        let mounts = try Self.mounts(folder, shares, git)
        var boundary = Boundary(
            name: guest, program: command, folder: folder, shares: shares, mounts: mounts,
            guestHome: guestHome, homePath: "\(GuardedProcess.folder)/home", socket: try Self.place(server.path),
            system: systemWords, etc: copy, closed: folders.closed, sockets: sockets,
            executable: executable, without: without)
        // A lock on the copy, which another guard would remove.
        defer { withExtendedLifetime(boundary.etc) {} }
        boundary.network = network?.inside
        let words = boundary.words(ProcessInfo.processInfo.environment)
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
        try items.log.began(command[0], without: without.map(\.rawValue).sorted())
        let except = mounts.map(\.place.path).filter { !written.contains($0) } + shares.map(\.place.path)
        let seen = { (place: String) in
            LaterNames.Seen(
                place, git.names(in: place),
                except: except.filter { $0 != place && GuardedFolders.isSame($0, orBelow: place) })
        }
        let before = written.map(seen)
        let files = try network.map { network in
            try network.inside.files() + [(network.proxy.handover, InsideNetwork.handoverDescriptor)]
        }
        network?.begin()
        let status: Int32
        do {
            status = try GuestProcess.run(
                words, boundary, filter: filter, more: files ?? [], begun: { server.begin(namespace: $0) },
                mounted: server.removeFile)
        } catch {
            items.log.ended((error as? CommandFailure)?.exitStatus ?? ExitStatus.notStarted)
            throw error
        }
        items.log.ended(status)
        for (place, old) in zip(written, before) { tell(seen(place).differences(from: old), in: place) }
        network?.tellRefusals()
        return status
    }

    /// Says that the project's file asks for more than was granted. It grants nothing itself.
    private func tellOfProject(_ folder: String, _ home: Home) throws {
        let path = "\(folder)/\(ProjectGrants.fileName)"
        guard FileManager.default.fileExists(atPath: path) else { return }
        let command = "zamok guard allow \(guest) --from \(ProjectGrants.fileName)"
        do {
            let project = try ProjectGrants(reading: path)
            // A locked home can't be asked.
            guard home.keybag.lockState == .unlocked else { return }
            let count = try project.compared(guest, home).count { !$0.isSame }
            guard count > 0 else { return }
            try Channel.error.line(
                "zamok: guard: \(ProjectGrants.fileName) asks for \(count) \(count == 1 ? "grant" : "grants") that \(guest) doesn't have, or not so; to see and give them: \(command)"
            )
        } catch let failure as CommandFailure {
            try Channel.error.line("zamok: guard: \(failure.message ?? "\(ProjectGrants.fileName) can't be read")")
        } catch let error as KeychainError {
            try Channel.error.line("zamok: guard: \(ProjectGrants.fileName): \(error.message)")
        }
    }

    private static let mostTold = 20

    /// Names what programs outside may obey from now on.
    private func tell(_ found: (made: [String], changed: [String]), in place: String) {
        let path = { (name: String) in "\(place)/\(name)".printable }
        let texts =
            found.made.map { "\(guest) has made \(path($0)); programs outside may run what it says" }
            + found.changed.map {
                "\(path($0)) was changed while \(guest) ran; programs outside may run what it says"
            }
        for text in texts.prefix(Self.mostTold) { try? Channel.error.line("zamok: guard: \(text)") }
        guard texts.count > Self.mostTold else { return }
        try? Channel.error.line(
            "zamok: guard: and \(texts.count - Self.mostTold) more in \(place.printable), beginning with a dot")
    }

    /// The folders with what is read-only in them. What lies in another folder is mounted after it, and what it hides
    /// is not mounted at all.
    private static func mounts(_ folder: Place, _ shares: [Mount], _ git: GitPlaces) throws -> [Mount] {
        var mounts: [Mount] = []
        var protected: Set<String> = []
        for share in (shares + [Mount(folder, isWritable: true)]).sorted(by: { $0.place.path < $1.place.path }) {
            // Of the same folder twice, what permits less counts.
            if mounts.contains(where: { $0.place.path == share.place.path && !$0.isWritable }), share.isWritable,
                !protected.contains(share.place.path)
            {
                continue
            }
            mounts.removeAll { GuardedFolders.isSame($0.place.path, orBelow: share.place.path) }
            mounts += try between(mounts, share.place.path)
            mounts.append(share)
            protected.remove(share.place.path)
            guard share.isWritable, share.place.isFolder else { continue }
            var protections: [Mount] = []
            for mount in try GuardedFolders.protections(in: share.place)
            where !protections.contains(where: { $0.keeps(mount.place.path) }) {
                protections += try between(mounts + protections, mount.place.path) + [mount]
            }
            for place in try git.protections(in: share.place)
            where !protections.contains(where: { $0.keeps(place.path) }) {
                protections += try between(mounts + protections, place.path) + [Mount(place, isWritable: false)]
            }
            protected.formUnion(protections.filter { !$0.isWritable }.map(\.place.path))
            mounts += protections
        }
        return mounts
    }

    /// The folders between one to write and a share below it: mounted, too, since a guest could otherwise rename one
    /// with the share in it, and put another in its place.
    private static func between(_ mounts: [Mount], _ path: String) throws -> [Mount] {
        let above = mounts.last { $0.isWritable && GuardedFolders.isSame(path, orBelow: $0.place.path) }
        guard let above, above.place.path != path else { return [] }
        var part = above.place.path
        var between: [Mount] = []
        for name in path.dropFirst(part.count).split(separator: "/").dropLast() {
            part += "/\(name)"
            guard !mounts.contains(where: { $0.place.path == part }) else { continue }
            between.append(Mount(try place(part), isWritable: true))
        }
        return between
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
        let secret = Environment.value("ZAMOK_DEVICE_SECRET")
        let passcode = Passcodes.file(options.global.reading).flatMap { $0.hasPrefix("/dev/") ? nil : $0 }
        let current = FileManager.default.currentDirectoryPath
        return [home, runtime, Self.guestsFolder, Self.copiesFolder, secret, passcode].compactMap { path in
            guard let path, !path.isEmpty, path != "-" else { return nil }
            let whole = path.hasPrefix("/") ? path : "\(current)/\(path)"
            return RealPath.of(whole) ?? whole
        }
    }

    /// Looks through the folders. Returns the sockets in them. Errors: a home of Zamok in one.
    private func look(_ places: [Place], _ folders: GuardedFolders) throws -> [String] {
        let scans = places.map { FolderScan($0.path) }
        if let home = scans.flatMap(\.homes).first {
            throw CommandFailure.usage(
                "\(home.printable), below a folder of the guest, is a home of Zamok; start the guard in a folder of the work alone"
            )
        }
        let sockets = Array(Set(scans.flatMap(\.sockets))).sorted()
        guard sockets.count <= 64 else {
            throw CommandFailure.usage(
                "the folders of the guest have \(sockets.count) sockets of other programs, too many to cover")
        }
        return sockets
    }

    /// Errors: a path that no guest may have, or that changes at this moment.
    private func allowed(_ path: String, _ folders: GuardedFolders) throws -> Place {
        let real = try Self.realPath(path)
        if let objection = folders.objection(to: real) {
            throw CommandFailure.usage(
                "a guest can't have \(real.printable): it \(objection); start the guard in a folder of the work alone")
        }
        return try Self.place(real)
    }

    /// `path`: without symbolic links.
    private static func place(_ path: String) throws -> Place {
        guard let place = Place(path) else {
            throw CommandFailure.status(.itemNotFound, "\(path.printable) was exchanged at this moment")
        }
        return place
    }

    private func share(_ word: String, _ folders: GuardedFolders) throws -> Mount {
        let isReadOnly = word.hasSuffix(":ro")
        let place = try allowed(isReadOnly ? String(word.dropLast(3)) : word, folders)
        return Mount(place, isWritable: !isReadOnly)
    }

    private func ownExecutable() throws -> Place {
        guard let own = RealPath.of("/proc/self/exe") else {
            throw CommandFailure(
                exitStatus: ExitStatus.notStarted,
                message: "/proc does not say which file zamok is: it is not mounted, or the file was removed")
        }
        return try Self.place(own)
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
        Environment.value("HOME").flatMap { $0.hasPrefix("/") ? $0 : nil } ?? URL.homeDirectory.path
    }

    /// `$XDG_STATE_HOME/zamok`, or below `~/.local/state`.
    private static var stateFolder: String {
        let state = Environment.value("XDG_STATE_HOME").flatMap { $0.hasPrefix("/") ? $0 : nil }
        return "\(state ?? "\(personFolder)/.local/state")/zamok"
    }

    static var guestsFolder: String { "\(stateFolder)/guests" }
    private static var copiesFolder: String { "\(stateFolder)/guests-etc" }

    /// The folder that is the home folder of guests of this name.
    private static func keptFolder(_ guest: GuestName) throws -> Place {
        let path = "\(guestsFolder)/\(guest)"
        do {
            try FileManager.default.createDirectory(
                atPath: path, withIntermediateDirectories: true, attributes: [.posixPermissions: 0o700])
        } catch {
            throw CommandFailure.status(.inputOutput, "the guest's home folder \(path.printable) can't be made")
        }
        return try place(try realPath(path))
    }
}
