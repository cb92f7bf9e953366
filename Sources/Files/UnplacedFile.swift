// SPDX-License-Identifier: Apache-2.0

import SecretMemory

/// A new file that hasn't its name yet. Where the file system can do that it has no name at all, so that nothing of it is left when the process
/// ends; else it lies in a marked folder beside its place, which whoever comes next takes away. Gone with its last owner, unless it was placed.
///
/// Written by `file`, which is of mode 0600; `sync` it before it is placed. The folder of `path` should be held open (`FileHooks.hold`).
package final class UnplacedFile: Sendable {
    /// Its path is the one that it is to get.
    package let file: OpenFile
    private let path: FileLocation
    private let hooks: FileHooks
    private let kept = Locked<TemporaryFolder?>(nil)

    /// Where it lies meanwhile; nil: it has no name.
    private var temporary: TemporaryFolder? {
        get { kept.withLock { $0 } }
        set { kept.withLock { $0 = newValue } }
    }

    /// A file that is to become `path`.
    package init(for path: FileLocation, _ hooks: FileHooks) throws(FileError) {
        self.path = path
        self.hooks = hooks
        if let file = try OpenFile.makeUnnamed(for: path, hooks) {
            self.file = file
        } else {
            let temporary = try TemporaryFolder.make(in: path.folder, hooks)
            do { file = try OpenFile.make(temporary.content, hooks, as: path) } catch let error {
                try? temporary.remove()
                throw error
            }
            kept.withLock { $0 = temporary }
        }
        _ = try file.tryLock()
    }

    deinit { withdraw() }

    /// Takes it away, unless it was placed.
    package func withdraw() {
        try? temporary?.remove()
        temporary = nil
    }

    /// Gives it its name; fails where there is a file of that name. Durable when this returns.
    package func place() throws(FileError) {
        try placeNew()
        try finish()
    }

    /// Puts it in the place of whatever file has the name. `identifier`, of at least eight bytes, is what the file itself says that it is: it has a
    /// name made of them for a moment. Durable when this returns.
    package func placeOver(identifier: [UInt8]) throws(FileError) {
        if let temporary {
            try hooks.rename(temporary.content, to: path, replacing: true)
        } else if !(try placedAsNew()) {
            let passing = path.folder.appending(TemporaryName.name(of: identifier))
            try hooks.link(file, to: passing)
            do { try hooks.rename(passing, to: path, replacing: true) } catch let error {
                _ = try? hooks.remove(passing)
                throw error
            }
        }
        try finish()
    }

    /// Most files are new: one call less, and no other name.
    private func placedAsNew() throws(FileError) -> Bool {
        do { try hooks.link(file, to: path) } catch let error {
            guard error.isPresentAlready else { throw error }
            return false
        }
        return true
    }

    private func placeNew() throws(FileError) {
        guard let temporary else { return try hooks.link(file, to: path) }
        try hooks.rename(temporary.content, to: path, replacing: false)
    }

    private func finish() throws(FileError) {
        withdraw()
        try hooks.syncFolder(path.folder)
    }

    /// Nothing of what was replaced may stay.
    private func removeOld() throws(FileError) {
        defer { temporary = nil }
        try temporary?.remove()
    }
}

// MARK: Replacing what was read

extension UnplacedFile {
    /// Why nothing was replaced.
    package enum Obstacle: Equatable, Sendable {
        /// The name stands for another file, or the file is not what was read: somebody was faster.
        case changed
        /// Somebody has it open for writing.
        case inUse
    }

    /// Puts it in the place of exactly the file that was read: `source`, which is open for reading, had the status `read` before
    /// (`OpenFile.statusBeforeReading`). Nil: done, durably. Else nothing was replaced, or all was put back.
    ///
    /// The two names are exchanged in one step; then what came out is looked at, and put back if it isn't what was read. Who wants to write into the
    /// old file meanwhile waits, where there are leases, and is let go to the file that has its name again.
    package func placeInstead(
        of source: OpenFile, asRead read: FileStatus, identifier: [UInt8] = [], oldIdentifier: [UInt8] = []
    ) throws(FileError) -> Obstacle? {
        let record = TemporaryFolder.Record(
            fresh: try file.status().identity, identifier, old: read, oldIdentifier, name: path.name)
        let exchanged = try TemporaryFolder.make(in: path.folder, hooks, record)
        // What has no name yet is given one there; else it is moved there.
        do {
            if let temporary {
                try hooks.rename(temporary.content, to: exchanged.content, replacing: false)
            } else {
                try hooks.link(file, to: exchanged.content)
            }
        } catch let error {
            try? exchanged.remove()
            throw error
        }
        withdraw()
        temporary = exchanged
        let lease = try source.takeLease(waiting: .milliseconds(100))
        defer { if lease == .held { source.endLease() } }
        guard lease != .refused else { return .inUse }
        guard try isAsRead(read) else { return .changed }
        let exchange = Exchange(
            outside: path, inside: exchanged.content, fresh: record.fresh, source: source, read: read,
            hasLease: lease == .held, hooks: hooks)
        guard try hooks.exchange(exchanged.content, path) else {
            // Between the look and this step whatever takes the name is lost.
            try hooks.rename(exchanged.content, to: path, replacing: true)
            try finish()
            return nil
        }
        do {
            guard try exchange.isRight() else {
                try exchange.takeBack()
                return .changed
            }
            try hooks.syncFolder(path.folder)
            // Who found the old file before the exchange has had that long to say so.
            guard try exchange.isRight() else {
                try exchange.takeBack()
                try hooks.syncFolder(path.folder)
                return .changed
            }
        } catch let error {
            try? exchange.takeBack()
            // What can't be put back now is left to who clears up.
            if !exchange.isBack { temporary = nil }
            throw error
        }
        try removeOld()
        return nil
    }

    private func isAsRead(_ read: FileStatus) throws(FileError) -> Bool {
        guard let now = try OpenFile.status(of: path, hooks) else { return false }
        return now == read
    }
}

/// Two names that were exchanged, and how that is undone.
struct Exchange {
    /// The name in question, and the temporary one.
    let outside: FileLocation
    let inside: FileLocation
    /// What has the name now.
    let fresh: FileIdentity
    let source: OpenFile
    let read: FileStatus
    let hasLease: Bool
    let hooks: FileHooks

    /// Whether what came out is what was read, and nobody has touched it since. The exchange itself changes the time of its last change.
    func isRight() throws(FileError) -> Bool {
        guard try OpenFile.status(of: inside, hooks)?.identity == read.identity else { return false }
        let now = try source.status()
        return now.size == read.size && now.modified == read.modified && now.links == read.links
            && (!hasLease || source.isLeaseWhole)
    }

    /// Whether the fresh file is back under the temporary name.
    var isBack: Bool { (try? OpenFile.status(of: inside, hooks))??.identity == fresh }

    /// Puts back what came out. If somebody has saved under the name meanwhile, that stays, and is not older than what came out.
    func takeBack() throws(FileError) {
        try Self.takeBack(outside: outside, inside: inside, fresh: fresh, hooks)
    }

    static func takeBack(
        outside: FileLocation, inside: FileLocation, fresh: FileIdentity, _ hooks: FileHooks
    ) throws(FileError) {
        guard try OpenFile.status(of: outside, hooks)?.identity == fresh else { return }
        var expected = fresh
        while true {
            let next = try OpenFile.status(of: inside, hooks)?.identity
            guard let next, try hooks.exchange(inside, outside) else { return }
            let out = try OpenFile.status(of: inside, hooks)?.identity
            // Else somebody saved between the look and the exchange: what came out is newer, and goes back.
            if out == expected { return }
            expected = next
        }
    }
}
