// SPDX-License-Identifier: Apache-2.0

import SecretMemory

/// A new file before it is renamed into place. If the file system supports unnamed files, it is one, so nothing remains
/// when the process ends. Otherwise it is in a marked folder beside its place, and the next process that works there
/// removes a leftover. It is deleted on deinit, unless it is in place.
///
/// Write it through `file`, which has mode 0600, and `sync` that before placing it. The folder of `path` should be held
/// open (`FileHooks.hold`).
package final class UnplacedFile: Sendable {
    /// The file; its path is the one that it is to get.
    package let file: OpenFile
    private let path: FileLocation
    private let hooks: FileHooks
    /// Has one owner; the lock only makes this object `Sendable`.
    private let folders = Locked<[TemporaryFolder]>([])

    /// Its temporary folders: none if it is unnamed, several if it is to take several names.
    private var temporaries: [TemporaryFolder] {
        get { folders.withLock { $0 } }
        set { folders.withLock { $0 = newValue } }
    }
    private var temporary: TemporaryFolder? { temporaries.first }

    /// Makes a file that is to become `path`.
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
            temporaries = [temporary]
        }
        _ = try file.tryLock()
    }

    deinit { withdraw() }

    /// Removes it, unless it is in place.
    package func withdraw() {
        for temporary in temporaries { try? temporary.remove(orAfter: file) }
        temporaries = []
    }

    /// Renames it into place. Fails if the name exists. Durable on return.
    package func place() throws(FileError) {
        try placeNew()
        try finish()
    }

    /// Renames it into place over any file of that name. `identifier`, of at least eight bytes, is the identity stated
    /// in the file. Its brief temporary name is made from that. Durable on return.
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

    /// Most files are new: for them this saves a call and the temporary name.
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

    /// Removes the replaced file; nothing of it may remain once no process has it open.
    private func removeOld(_ source: HeldFile) throws(FileError) {
        var failure: FileError?
        for temporary in temporaries {
            do throws(FileError) { try temporary.remove(orAfter: source.file) } catch { failure = failure ?? error }
        }
        temporaries = []
        if let failure { throw failure }
    }
}

// MARK: Replacing what was read

extension UnplacedFile {
    /// Why nothing was replaced.
    package enum Obstacle: Equatable, Sendable {
        /// The name belongs to another file, or the file differs from what was read: another process was faster.
        case changed
        /// Like `changed`, and a process also wrote to the new file while it had the name. The file that lost the name
        /// is kept under this one.
        case changedTwice(FileLocation)
        /// The caller no longer wants the new file there.
        case unwanted
        /// The file has several names, and the file system can't exchange them.
        case notExchangeable
    }

    /// Replaces exactly the file that was read. Nil: replaced, durably. Otherwise nothing was replaced, or everything
    /// was put back.
    ///
    /// The names are exchanged atomically. The file that came out is then checked, and put back if it isn't the one
    /// that was read. Where leases are available, a process that opens the old file for writing meanwhile waits. It
    /// continues with that file once it has its name again.
    ///
    /// - Parameters:
    ///   - source: The file, held since before it was read.
    ///   - others: Its further names, all of which become names of this file.
    ///   - isWanted: Asked before the names are exchanged, and again before the old file is removed.
    package func placeInstead(
        of source: HeldFile, others: [FileLocation] = [], identifier: [UInt8] = [], oldIdentifier: [UInt8] = [],
        isWanted: () -> Bool = { true }
    ) throws(FileError) -> Obstacle? {
        defer { source.letGo() }
        guard source.isUndisturbed else { return .changed }
        let fresh = try file.status()
        try prepare(
            [path] + others, fresh: fresh, identifier: identifier, read: source.status, oldIdentifier: oldIdentifier)
        let exchanges = zip([path] + others, temporaries).map { name, temporary in
            Exchange(outside: name, inside: temporary.content, fresh: fresh, source: source, hooks: hooks)
        }
        // Before any exchange: the first one already updates the file's change time.
        for exchange in exchanges {
            guard try OpenFile.status(of: exchange.outside, hooks) == source.status else { return .changed }
        }
        guard isWanted() else { return .unwanted }
        guard source.isUndisturbed else { return .changed }
        return try exchangeAll(exchanges, source, isWanted)
    }

    /// Gives it a name in a marked folder beside each name that it is to take.
    private func prepare(
        _ names: [FileLocation], fresh: FileStatus, identifier: [UInt8], read: FileStatus,
        oldIdentifier: [UInt8]
    ) throws(FileError) {
        var made: [TemporaryFolder] = []
        do {
            for name in names {
                let record = TemporaryFolder.Record(
                    fresh: fresh, identifier, old: read, oldIdentifier, name: name.name)
                let next = try TemporaryFolder.make(in: name.folder, hooks, record)
                made.append(next)
                // An unnamed file is linked there; another one is moved there.
                if made.count == 1, let temporary {
                    // The new folder has no content that could be replaced.
                    try hooks.rename(temporary.content, to: next.content, replacing: true)
                } else {
                    try hooks.link(file, to: next.content)
                }
            }
        } catch let error {
            for next in made { try? next.remove() }
            throw error
        }
        // The folders of before: the file itself was moved or linked into `made`.
        withdraw()
        temporaries = made
    }

    private func exchangeAll(
        _ exchanges: [Exchange], _ source: HeldFile, _ isWanted: () -> Bool
    ) throws(FileError) -> Obstacle? {
        var done: [Exchange] = []
        do {
            for exchange in exchanges {
                guard try hooks.exchange(exchange.inside, exchange.outside) else {
                    return try placeWithoutExchange(exchanges, isWanted)
                }
                done.append(exchange)
                guard try exchange.gotWhatWasRead() else { return try takeBack(done) }
            }
            for exchange in exchanges { try hooks.syncFolder(exchange.outside.folder) }
            // A process that found the old file before the exchange has had until now to open it.
            let isStillWanted = isWanted()
            for exchange in exchanges {
                if isStillWanted, try exchange.gotWhatWasRead() { continue }
                let obstacle = try takeBack(done, because: isStillWanted ? .changed : .unwanted)
                for each in exchanges { try hooks.syncFolder(each.outside.folder) }
                return obstacle
            }
        } catch let error {
            _ = try? takeBack(done)
            // A later cleanup puts back what can't be put back now.
            temporaries = zip(temporaries, exchanges).filter { $1.hasFreshInside }.map { $0.0 }
            throw error
        }
        try removeOld(source)
        return nil
    }

    private func takeBack(_ done: [Exchange], because reason: Obstacle = .changed) throws(FileError) -> Obstacle {
        var kept: FileLocation?
        for exchange in done.reversed() { kept = try exchange.takeBack(self.file) ?? kept }
        return kept.map { .changedTwice($0) } ?? reason
    }

    /// A file that takes the name between the check and the rename is lost. Several names are refused, since one could
    /// be replaced and the next one not.
    private func placeWithoutExchange(
        _ exchanges: [Exchange], _ isWanted: () -> Bool
    ) throws(FileError) -> Obstacle? {
        guard exchanges.count == 1 else { return .notExchangeable }
        guard isWanted() else { return .unwanted }
        try hooks.rename(exchanges[0].inside, to: exchanges[0].outside, replacing: true)
        try finish()
        return nil
    }
}

/// An exchange of two names, and how to undo it.
struct Exchange {
    /// The name to be taken, and the temporary one.
    let outside: FileLocation
    let inside: FileLocation
    /// The new file, as it was under the temporary name.
    let fresh: FileStatus
    let source: HeldFile
    let hooks: FileHooks

    /// Whether the file that came out is the one that was read, and unchanged since. Its ctime is ignored, since the
    /// exchange itself changes it.
    func gotWhatWasRead() throws(FileError) -> Bool {
        guard try OpenFile.status(of: inside, hooks)?.identity == source.status.identity else { return false }
        let (now, read) = (try source.file.status(), source.status)
        return now.size == read.size && now.modified == read.modified && now.links == read.links && source.isUndisturbed
    }

    /// Whether the fresh file is back under the temporary name.
    var hasFreshInside: Bool { (try? OpenFile.status(of: inside, hooks))??.identity == fresh.identity }

    /// Puts back the file that came out. If a process saved under the name meanwhile, that file stays; it is at least
    /// as new. The old file gets a name of its own, which is returned, in two cases: the new file was moved away
    /// meanwhile, or a process wants to write to the old one.
    func takeBack(_ file: OpenFile) throws(FileError) -> FileLocation? {
        let returning = Returning(outside: outside, inside: inside, fresh: fresh, hooks: hooks)
        if let kept = try returning.giveNameBack(isOpen: { !file.isOpenHereAlone }) { return kept }
        guard try OpenFile.status(of: inside, hooks)?.identity == source.status.identity else { return nil }
        // The new file was removed by its new name: nothing to keep.
        if try file.status().links == 0, try gotWhatWasRead() { return nil }
        return try returning.keep()
    }
}

/// An exchange that is undone, by the process that began it or by one that cleans up.
struct Returning {
    let outside: FileLocation
    let inside: FileLocation
    /// The new file, from before it had the name.
    let fresh: FileIdentity
    let size: Int
    let modified: Int64
    let hooks: FileHooks

    init(outside: FileLocation, inside: FileLocation, fresh: FileStatus, hooks: FileHooks) {
        (self.outside, self.inside, self.hooks) = (outside, inside, hooks)
        (self.fresh, size, modified) = (fresh.identity, fresh.size, fresh.modified)
    }

    init(outside: FileLocation, inside: FileLocation, _ record: TemporaryFolder.Record, _ hooks: FileHooks) {
        (self.outside, self.inside, self.hooks) = (outside, inside, hooks)
        (self.fresh, size, modified) = (record.fresh, record.freshSize, record.freshModified)
    }

    /// Gives the name back to the file that came out, unless a process saved under it meanwhile. If a process wrote to
    /// the new file while it had the name, neither file may be removed. One keeps the name, the other gets a name of
    /// its own, which is returned. `isOpen`: whether a process has the new file open and may still write.
    ///
    /// | outside | inside | then |
    /// |---|---|---|
    /// | another file than the new one, or none | any | nothing is done: nil |
    /// | the new file, and it was written to | the old file | the new one keeps the name: the old one's own name |
    /// | the new file, unchanged | none | nothing is done: nil |
    /// | the new file, unchanged | the old file | exchanged: nil, or the new one's own name if it may be written to |
    func giveNameBack(isOpen: () -> Bool) throws(FileError) -> FileLocation? {
        guard let status = try OpenFile.status(of: outside, hooks), status.identity == fresh else { return nil }
        guard isAsItWas(status) else { return try keep() }
        var expected = fresh
        while true {
            let next = try OpenFile.status(of: inside, hooks)?.identity
            guard let next, try isExchanged() else { return nil }
            let out = try OpenFile.status(of: inside, hooks)
            // Otherwise a process saved between the check and the exchange: the file that came out is newer, and
            // goes back.
            if let out, out.identity == expected {
                return out.identity == fresh && (!isAsItWas(out) || isOpen()) ? try keep() : nil
            }
            expected = next
        }
    }

    /// False also if one of the names no longer exists.
    private func isExchanged() throws(FileError) -> Bool {
        do throws(FileError) { return try hooks.exchange(inside, outside) } catch {
            guard error.isMissing else { throw error }
            return false
        }
    }

    private func isAsItWas(_ status: FileStatus) -> Bool { status.size == size && status.modified == modified }

    /// Gives the file under the temporary name a name beside the other's.
    func keep() throws(FileError) -> FileLocation {
        var number = 1
        while true {
            let suffix = Array(".zamok-kept-\(number)".utf8)
            // A name has at most 255 bytes.
            let name = Array(outside.name.prefix(255 - suffix.count)) + suffix
            let kept = outside.folder.appending(name)
            do throws(FileError) {
                try hooks.rename(inside, to: kept, replacing: false)
                try hooks.syncFolder(kept.folder)
                return kept
            } catch let error {
                guard error.isPresentAlready, number < 10_000 else { throw error }
                number += 1
            }
        }
    }
}
