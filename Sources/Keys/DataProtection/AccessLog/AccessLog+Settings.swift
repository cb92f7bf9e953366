// SPDX-License-Identifier: Apache-2.0

import Files
import Sealing
import SecretMemory
import Statuses

extension AccessLog {
    /// The state of the log, for `status`.
    package struct Status: Sendable, Equatable {
        package var isOn = false
        package var isRequired = false
        /// The size limit of all segments, in bytes.
        package var sizeLimit: UInt64 = 0
        /// 0: no limit.
        package var days: UInt32 = 0
        /// The number of lines that are kept.
        package var lines: UInt64 = 0
        /// The size of all segments, in bytes.
        package var size: UInt64 = 0

        package init() {}
    }

    /// The settings to change; nil: unchanged.
    package struct Change: Sendable {
        package var isRequired: Bool?
        package var sizeLimit: UInt64?
        package var days: UInt32?
        package init() {}
    }

    /// The state of the log; nil if it was never on. Errors: `.damaged`, `.newerFormat`, those of reading.
    package func status() throws(DataProtectionError) -> Status? {
        try DataProtectionError.mapping(about: home.path) {
            guard let settings = try settings() else { return nil }
            var status = Status()
            (status.isOn, status.isRequired) = (settings.isOn, settings.isRequired)
            (status.sizeLimit, status.days) = (settings.sizeLimit, settings.days)
            guard try home.folder(Self.folderName, making: false) != nil else { return status }
            return try alone { folder in
                let tail = try tail(folder, settings)?.tail
                for name in try folder.names() {
                    guard let segment = AccessSegment.number(name) else { continue }
                    let size = UInt64(try folder.status(of: name)?.size ?? 0)
                    status.size += size
                    let lines = max(1, size / UInt64(AccessSegment.piece)) - 1
                    // Pieces after the last line that the tail counts are not lines.
                    status.lines += segment == tail?.segment ? tail.map { $0.next - $0.segmentStart } ?? lines : lines
                }
                return status
            }
        }
    }

    /// Why a log may have been on without a trace; nil: none was. Errors: those of reading.
    package func doubt() throws(DataProtectionError) -> String? {
        try DataProtectionError.mapping(about: home.path) {
            try StoreRecord.doubt(in: home, keybag)?.explanation(home)
        }
    }

    /// Turns the log on, and changes settings. The first time, this makes keys and needs an unlocked home.
    ///
    /// Errors: `.locked`, `.invalidArgument` (limits), `.damaged`, `.newerFormat`, those of writing.
    package func turnOn(_ change: Change) throws(DataProtectionError) {
        try DataProtectionError.mapping(about: home.path) {
            try Self.check(change)
            guard try settings() != nil else { return try begin(change, .turnedOn) { nil } }
            try alone { folder in
                let known = try record.known()
                guard let old = try settings(known) else { throw neverOn }
                var new = old
                new.isOn = true
                new.take(change)
                guard new != old else { return }
                try append([AccessLine(about: old.isOn ? .changedSettings : .turnedOn)], to: folder, old, known)
                try write(new)
            }
        }
    }

    /// Turns the log off. Errors: `.damaged`, `.newerFormat`, those of writing.
    package func turnOff() throws(DataProtectionError) {
        try DataProtectionError.mapping(about: home.path) {
            guard try settings()?.isOn == true else { return }
            try alone(making: true) { folder in
                let known = try record.known()
                guard var settings = try settings(known), settings.isOn else { return }
                // A log that can't be written can still be turned off.
                let line = Result { try append([AccessLine(about: .turnedOff)], to: folder, settings, known) }
                settings.isOn = false
                try write(settings)
                try line.get()
            }
        }
    }

    /// Removes all lines and begins a new log with new keys, even if the old log is damaged. Needs an unlocked home.
    ///
    /// Errors: `.locked`, `.notAvailable` (the log was never on), those of writing.
    package func clear() throws(DataProtectionError) {
        try DataProtectionError.mapping(about: home.path) {
            let remembered = try record.known()
            var change = Change()
            do {
                guard try settings(remembered) != nil else { throw neverOn }
            } catch let error as DataProtectionError where error.code == .damaged {
                change.isRequired = remembered.map { $0.flags & Self.requiredFlag != 0 } ?? true
            }
            try begin(change, .cleared) { try whole() }
        }
    }

    /// The settings; nil if they are damaged, missing, or never existed.
    private func whole() throws -> AccessLogSettings? {
        do { return try settings() } catch let error as DataProtectionError {
            guard error.code == .damaged else { throw error }
            return nil
        }
    }

    var neverOn: DataProtectionError {
        DataProtectionError(
            .notAvailable, "the access log was never on; turn it on with: \(home.command("log on"))")
    }

    private static func check(_ change: Change) throws {
        if let size = change.sizeLimit, !AccessLogSettings.sizes.contains(size) {
            throw DataProtectionError(.invalidArgument, "the access log may have 64 KiB to 256 MiB")
        }
        if let days = change.days, days > AccessLogSettings.mostDays {
            throw DataProtectionError(
                .invalidArgument, "lines are kept for at most \(AccessLogSettings.mostDays) days; 0 is for ever")
        }
    }

    /// Makes new keys, a first segment and a tail. The settings, which name them, are written last. Then the old files
    /// are removed.
    private func begin(
        _ change: Change, _ operation: AccessOperation, keeping former: () throws -> AccessLogSettings?
    ) throws {
        try alone(making: true) { folder in
            let old = try former()
            let names = try folder.names()
            let last = names.compactMap { AccessSegment.number($0) }.filter { $0 < AccessSegment.mostNumber }.max()
            let seen = try record.known().flatMap { UInt64(exactly: $0.revision) } ?? 0
            let key = try tailKey()
            let known = try old.flatMap { try next(folder, $0) }
            let segment = last.map { $0 + 1 } ?? 0
            let fresh = try AccessLogSettings.make(keybag, firstSegment: segment, firstLine: max(seen, known ?? 0))
            var settings = fresh.settings
            if let old { (settings.isOn, settings.isRequired) = (old.isOn, old.isRequired) }
            if let old { (settings.sizeLimit, settings.days) = (old.sizeLimit, old.days) }
            settings.take(change)
            let now = UInt64(max(0, ThisProcess.wallTime)) / 1_000_000_000
            let tail = AccessLogTail(log: settings.log, segment: segment, next: settings.firstLine, now: now)
            let form = AccessSegment(log: settings.log, home: settings.home)
            try folder.makeSegment(tail, try form.header(tail, fresh.chain))
            try folder.replace(
                AccessLogTail.fileName(settings.log), with: try tail.file(fresh.chain, key, settings.home))
            var writer = try AccessWriter(folder, settings, key, home: home.path)
            try writer.add(AccessLine(about: operation))
            try writer.finish()
            try write(settings, lines: Int64(clamping: writer.next))
            for name in names where name != Self.lockName { try folder.remove(name) }
        }
    }

    private func alone<R>(making: Bool, _ body: (HomeFolder) throws -> R) throws -> R {
        _ = try home.folder(Self.folderName, making: making)
        return try alone(body)
    }

    /// Writes the settings. The caller holds the lock.
    func write(_ changed: AccessLogSettings, lines: Int64? = nil) throws {
        var settings = changed
        let known = try record.known()
        settings.generation = max(settings.generation, (known?.flags ?? 0) >> 1) + 1
        guard let stores = try home.folder("stores", making: true) else { throw Self.missing(home.path) }
        try stores.replace(AccessLogSettings.fileName, with: try settings.encoded(try key(.accessLogSettings)))
        keybag.countChange(.log)
        guard let lines = lines ?? known?.revision else { return }
        record.remember(lines, flags: settings.rememberedFlags, isNew: true)
    }
}

extension AccessLogSettings {
    fileprivate mutating func take(_ change: AccessLog.Change) {
        isRequired = change.isRequired ?? isRequired
        sizeLimit = change.sizeLimit ?? sizeLimit
        days = change.days ?? days
    }
}
