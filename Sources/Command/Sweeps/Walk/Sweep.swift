// SPDX-License-Identifier: Apache-2.0

import Dispatch
package import Files
import Readers
import SecretMemory

/// A secret that a sweep found, and what is known of its file.
package struct SweepFinding: Sendable {
    package let secret: ClearSecret
    /// What its file is known as; nil: any file.
    package let place: Place?
    package let location: FileLocation
    /// Seconds since 1970 at which the file was last changed.
    package let modified: Int64
    package let readers: FileReaders
    /// Whether git has these bytes of the file in its objects, where they stay if the file is changed.
    package let isInGit: Bool
}

/// Which users of the machine may read a file, by its mode and those of the folders above it.
package enum FileReaders: String, Sendable {
    case owner, group, everyone
}

/// What a sweep found, and what it did not look at.
package struct SweepReport: Sendable {
    /// In the order of paths and lines.
    package internal(set) var findings: [SweepFinding] = []
    package internal(set) var walk = WalkCounts()
    /// Files of which only a part was looked at.
    package internal(set) var cut: [WalkCounts.Unread] = []
    package internal(set) var files = 0
    package internal(set) var binaries = 0
    package internal(set) var bytes = 0
    /// Findings beyond ``Sweep/mostFindings``, which are only counted.
    package internal(set) var moreFindings = 0

    package init() {}

    /// Whether everything was looked at that was asked for.
    package var isComplete: Bool { walk.unread.isEmpty && walk.moreUnread == 0 && cut.isEmpty && moreFindings == 0 }
}

/// A search of folders for secrets in clear.
package struct Sweep: Sendable {
    /// The most findings of a report.
    package static let mostFindings = 20_000
    private static let queue = 128

    /// The words of the places that are wanted; empty: all, and any other file.
    package var only: Set<String> = []
    /// Whether folders of downloaded packages are read.
    package var includesPackages = false
    private let home: String
    private let environment: @Sendable (String) -> String?

    /// `home`: the user's home folder. `environment`: the value of a variable.
    package init(home: String, environment: @escaping @Sendable (String) -> String?) {
        (self.home, self.environment) = (home, environment)
    }

    /// What the walk and the workers share.
    private final class Shared: Sendable {
        let state = Locked(State())
        let filled = DispatchSemaphore(value: 0)
        let free = DispatchSemaphore(value: Sweep.queue)
    }

    private struct State: Sendable {
        var waiting: [WalkedFile] = []
        var isOver = false
        var report = SweepReport()
        var failure: (any Error)?
    }

    /// Searches what the paths name; without any, the home and the files that variables name. Throws
    /// ``SecretMemoryError`` without memory. `progress`: called for every file, by this thread.
    package func run(_ paths: [FileLocation], progress: (_ files: Int) -> Void = { _ in }) throws -> SweepReport {
        let places = PlaceIndex(home: home, only: only, environment: environment)
        let shared = Shared()
        let group = DispatchGroup()
        let workers = 2
        for _ in 0..<workers {
            DispatchQueue.global().async(group: group) { work(shared, places) }
        }
        var files = 0
        var walk = Walk(includesPackages: includesPackages)
        func emit(_ file: WalkedFile) {
            files += 1
            progress(files)
            if !only.isEmpty, places.place(of: file.location, file.status) == nil { return }
            shared.free.wait()
            file.file.willBeRead()
            shared.state.withLock { $0.waiting.append(file) }
            shared.filled.signal()
        }
        for path in paths.isEmpty ? [FileLocation(home)] : paths { walk.start(path, emit) }
        for location in paths.isEmpty ? places.outside : [] { walk.start(location, emit) }
        shared.state.withLock { $0.isOver = true }
        for _ in 0..<workers { shared.filled.signal() }
        group.wait()
        let counts = walk.counts
        var report = try shared.state.withLock { state -> SweepReport in
            if let failure = state.failure { throw failure }
            state.report.files = files
            state.report.walk.add(counts)
            return state.report
        }
        report.findings.sort {
            $0.location == $1.location
                ? $0.secret.range.lowerBound < $1.secret.range.lowerBound
                : $0.location.bytes.lexicographicallyPrecedes($1.location.bytes)
        }
        report.cut.sort { $0.path.bytes.lexicographicallyPrecedes($1.path.bytes) }
        return report
    }

    private func work(_ shared: Shared, _ places: PlaceIndex) {
        var scan = FileScan()
        var git = GitIndexes()
        defer { scan.wipe() }
        while true {
            shared.filled.wait()
            guard let next = shared.state.withLock({ $0.waiting.isEmpty ? nil : $0.waiting.removeFirst() }) else {
                if shared.state.withLock(\.isOver) { return }
                continue
            }
            shared.free.signal()
            do {
                try look(at: next, places, shared, &scan, &git)
            } catch let error as FileError {
                shared.state.withLock { $0.report.walk.refuse(next.location, error.text) }
            } catch {
                shared.state.withLock { $0.failure = $0.failure ?? error }
            }
        }
    }

    private func look(
        at next: WalkedFile, _ places: PlaceIndex, _ shared: Shared, _ scan: inout FileScan,
        _ git: inout GitIndexes
    ) throws {
        let place = places.place(of: next.location, next.status)
        // Paths that aren't UTF-8 have replacement characters in reports, never in what is opened.
        let outcome = try scan.scan(
            next.file, next.status, path: String(decoding: next.location.bytes, as: UTF8.self), place: place)
        let isInGit = outcome.secrets.isEmpty ? false : git.has(next)
        let readers = Self.readers(next)
        let findings = outcome.secrets.map {
            SweepFinding(
                secret: $0, place: place, location: next.location, modified: next.status.modifiedTime.seconds,
                readers: readers, isInGit: isInGit)
        }
        shared.state.withLock { state in
            state.report.bytes += outcome.bytes
            if outcome.isBinary { state.report.binaries += 1 }
            if let reason = outcome.cut { state.report.cut.append(.init(path: next.location, reason: reason)) }
            let room = max(0, Self.mostFindings - state.report.findings.count)
            state.report.findings += findings.prefix(room)
            state.report.moreFindings += max(0, findings.count - room)
        }
    }

    private static func readers(_ file: WalkedFile) -> FileReaders {
        let mode = file.status.permissions
        if mode & 0o004 != 0, file.reach.others { return .everyone }
        return mode & 0o040 != 0 && file.reach.group ? .group : .owner
    }
}

extension WalkCounts {
    fileprivate mutating func add(_ other: WalkCounts) {
        folders += other.folders
        others += other.others
        links += other.links
        special += other.special
        packages += other.packages
        moreUnread += other.moreUnread
        for unread in other.unread { refuse(unread.path, unread.reason) }
        self.unread.sort { $0.path.bytes.lexicographicallyPrecedes($1.path.bytes) }
    }
}
