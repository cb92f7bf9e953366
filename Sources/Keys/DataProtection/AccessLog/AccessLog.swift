// SPDX-License-Identifier: Apache-2.0

import Files
import Logging
import Sealing
import SecretMemory
import Statuses

/// The log of which program used which secret (Documentation/Formats/AccessLog.md). There is one object per home and
/// process, used from any thread.
package final class AccessLog: Sendable {
    static let folderName = "access-log"
    static let lockName = "lock"
    /// The settings file, relative to the home's folder.
    static let placeName = "stores/log"
    /// ASCII `zlog`.
    private static let applicationID: UInt32 = 0x7A6C_6F67
    /// A flag that the home remembers with the number of lines: a record is required.
    static let requiredFlag: UInt32 = 1
    /// How long to wait for the lock. A writer needs far less time. A stopped process with the lock blocks others
    /// only briefly.
    private static let patience: Duration = .seconds(5)
    /// How long the lock is not waited for after that.
    private static let impatience: Duration = .seconds(60)

    let home: HomeFolder
    let keybag: Keybag
    let record: StoreRecord
    private let state = Locked(State())

    private struct State {
        /// The shared page's counter when the settings were read; nil: they were never read.
        var stamp: UInt64?
        /// Whether an access needs any work. Also true if the settings could not be read.
        var isOn = false
        /// Accesses since the last line that could not be recorded.
        var lost: UInt32 = 0
        var isTold = false
        /// Until this time, the lock is only tried, without waiting.
        var isImpatient: ContinuousClock.Instant?
    }

    /// The log of a home. Always the same object for the same home.
    package static func of(_ home: Home) throws(DataProtectionError) -> AccessLog {
        try DataProtectionError.mapping(about: home.folder) {
            try home.store(AccessLog.self) {
                let log = AccessLog(home)
                home.keybag.register(log)
                return log
            }
        }
    }

    private init(_ home: Home) {
        self.home = home.openFolder
        keybag = home.keybag
        record = home.record(of: .log, Self.applicationID, Self.placeName)
    }

    /// Whether accesses are recorded. The shared page's counter shows whether the cached answer is current, without a
    /// system call.
    package var isOn: Bool {
        let stamp = keybag.changeCount(.log)
        if let known = state.withLock({ $0.stamp == stamp ? $0.isOn : nil }) { return known }
        // A failure to read the settings is reported at the access.
        let isOn = (try? settings()).map { $0?.isOn ?? false } ?? true
        state.withLock { ($0.stamp, $0.isOn) = (stamp, isOn) }
        return isOn
    }

    /// Records uses of secrets that are about to be returned. If that fails, the error is logged once and the access
    /// continues, unless the settings require a record. For a guest it is always required: it could fill the disk.
    ///
    /// Errors, if a record is required: those of writing.
    package func note(_ uses: [AccessUse]) throws(DataProtectionError) {
        guard !uses.isEmpty, isOn else { return }
        let context = AccessContext.current
        let lines = context?.repeated?.needingLines(uses) ?? uses
        guard !lines.isEmpty else { return }
        do { try append(lines) } catch {
            context?.repeated?.forget(uses)
            let error = DataProtectionError(error, about: home.path)
            guard context?.guest == nil, !isRequired else {
                throw DataProtectionError(
                    error.code,
                    "the access log can't be written, and it refuses what it can't record (zamok log on --require): \(error.message)",
                    cause: error)
            }
            countLost(UInt32(clamping: uses.count))
            let wasTold = state.withLock { state in
                defer { state.isTold = true }
                return state.isTold
            }
            guard !wasTold else { return }
            Logger(label: "zamok.log").warning(
                "the access log can't be written; secrets are given without a line: \(error.message)")
        }
    }

    /// Whether the settings require a record. If they can't be read, the value that the home remembers. Without
    /// that, true.
    private var isRequired: Bool {
        if let settings = try? settings() { return settings.isRequired }
        return (try? record.known()).map { $0.flags & Self.requiredFlag != 0 } ?? true
    }

    /// Adds to the lost accesses that the next line reports, in any process. If the tail can't be written either, this
    /// process's next line reports them.
    private func countLost(_ count: UInt32) {
        do {
            try alone { folder in
                guard let settings = try settings() else { throw Self.missing(home.path) }
                try AccessWriter.countLost(count, folder, settings, try tailKey(), home: home.path)
            }
        } catch { state.withLock { $0.lost &+= count } }
    }

    private func append(_ uses: [AccessUse]) throws {
        let lost = state.withLock { $0.lost }
        let context = AccessContext.current
        let time = UInt64(max(0, ThisProcess.wallTime)) / 1000
        var lines = uses.map { AccessLine($0, .own, context: context, time: time) }
        lines[0].lost = lost
        try append(lines)
        state.withLock { $0.lost = $0.lost > lost ? $0.lost - lost : 0 }
    }

    private func append(_ lines: [AccessLine]) throws {
        try alone { folder in
            let known = try record.known()
            guard let settings = try settings(known), settings.isOn else { return }
            try append(lines, to: folder, settings, known)
        }
    }

    /// Appends lines. The caller holds the lock. `known`: what the home remembers of the log.
    func append(
        _ lines: [AccessLine], to folder: HomeFolder, _ settings: AccessLogSettings, _ known: StoreRecord.Remembered?
    ) throws {
        var writer = try AccessWriter(folder, settings, try tailKey(), home: home.path)
        try writer.stepOver(upTo: known.flatMap { UInt64(exactly: $0.revision) } ?? 0)
        try writer.replaceMissingSegment()
        for line in lines { try writer.add(line) }
        try writer.finish()
        record.remember(Int64(clamping: writer.next), flags: settings.rememberedFlags, isNew: false)
    }

    // MARK: Files

    /// Runs `body` while no other thread or process writes the log.
    func alone<R>(_ body: (HomeFolder) throws -> R) throws -> R {
        guard let folder = try home.folder(Self.folderName, making: false) else { throw Self.missing(home.path) }
        let now = ContinuousClock.now
        let isImpatient = state.withLock { $0.isImpatient.map { now < $0 } ?? false }
        do {
            return try folder.withLock(Self.lockName, waiting: isImpatient ? .zero : Self.patience) { try body(folder) }
        } catch let error as FileError where error.isBusy {
            if !isImpatient { state.withLock { $0.isImpatient = now + Self.patience + Self.impatience } }
            throw DataProtectionError(
                .io, "another process holds \(home.path)/\(Self.folderName)/\(Self.lockName); end it, or let it go on",
                cause: error)
        }
    }

    static func missing(_ home: String) -> DataProtectionError {
        DataProtectionError(
            .damaged,
            "\(home)/\(folderName), the access log, is not whole; look with: zamok log verify; begin a new one with: zamok log clear"
        )
    }

    /// The current settings; nil if the log was never on. Errors: `.damaged` (also if they are missing),
    /// `.newerFormat`, those of reading.
    func settings() throws -> AccessLogSettings? { try settings(try record.known()) }

    /// `known`: what the home remembers of the log.
    func settings(_ known: StoreRecord.Remembered?) throws -> AccessLogSettings? {
        guard
            let bytes = try home.folder("stores", making: false)?.read(
                AccessLogSettings.fileName, limit: AccessLogSettings.size)
        else {
            if try known != nil || hasTrace() {
                throw DataProtectionError(
                    .damaged,
                    "\(home.path)/\(Self.placeName), the settings of the access log, is missing, but there was one; put it back from a backup, or begin a new log with: zamok log clear"
                )
            }
            return nil
        }
        do {
            let settings = try AccessLogSettings(bytes, try key(.accessLogSettings))
            guard settings.home == keybag.home, settings.generation >= (known?.flags ?? 0) >> 1 else {
                throw SealingError.cannotOpen
            }
            return settings
        } catch let error as SealingError {
            throw DataProtectionError(
                .damaged,
                "\(home.path)/\(Self.placeName), the settings of the access log, is damaged, or an earlier copy; put the right one back, or begin a new log with: zamok log clear",
                cause: error)
        }
    }

    /// Whether anything but the settings shows that there was a log. What a killed first `log on` leaves doesn't count:
    /// it contains no line of an access.
    private func hasTrace() throws -> Bool {
        guard let folder = try home.folder(Self.folderName, making: false) else { return false }
        return try folder.names().contains { name in
            if AccessSegment.number(name) != nil {
                return try folder.status(of: name)?.size ?? 0 > 2 * AccessSegment.piece
            }
            guard AccessLogTail.isFileName(name), let file = try folder.openFile(name, .read) else { return false }
            guard let opened = try AccessLogTail.read(file, try tailKey(), keybag.home) else { return true }
            return opened.tail.next > 1
        }
    }

    func tailKey() throws -> Secret { try key(.accessLogTail) }

    func key(_ label: KeyLabel) throws -> Secret {
        try keybag.metadataKey(of: .none).derived(label, keybag.homeIdentifier)
    }
}

extension AccessLog: KeyRewrapper {
    package var name: String { "access log" }
    package var fileInHome: String { Self.placeName }

    package func rewrapRetiredKeys(_ keybag: Keybag) throws -> Bool {
        guard let settings = try settings(), keybag.isRetired(settings.wrapped.classKeyID) else { return false }
        return try alone { _ in
            guard let settings = try self.settings() else { return false }
            guard keybag.isRetired(settings.wrapped.classKeyID) else { return false }
            do { try write(try settings.rewrapped(keybag)) } catch let error as DataProtectionError {
                guard error.code == .locked else { throw error }
                return true
            }
            return false
        }
    }

    package func retiredKeysInUse(_ keybag: Keybag) throws -> Set<ClassKeyID> {
        guard let id = try settings()?.wrapped.classKeyID, keybag.isRetired(id) else { return [] }
        return [id]
    }
}
