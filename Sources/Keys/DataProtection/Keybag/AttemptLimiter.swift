// SPDX-License-Identifier: Apache-2.0

import Files
import Sealing
import SecretMemory

/// When the next passcode may be tried. Pure: the caller passes the clock in, and `AttemptsFile` stores the counter.
struct AttemptLimiter: Equatable, Sendable {
    /// Failed attempts in a row.
    private(set) var failures: UInt32 = 0
    /// When the last attempt began; nil before the first.
    private(set) var last: BootInstant?

    init(failures: UInt32 = 0, last: BootInstant? = nil) {
        self.failures = failures
        self.last = failures == 0 ? nil : last
    }

    /// The state for a missing or invalid counter: the longest delay, starting now.
    static func unknown(_ now: BootInstant) -> AttemptLimiter { AttemptLimiter(failures: 9, last: now) }

    /// The delay in seconds after the n-th failed attempt in a row.
    static func delay(after failures: UInt32) -> UInt64 {
        switch failures {
        case ..<5: 0
        case 5: 60
        case 6: 5 * 60
        case 7, 8: 15 * 60
        default: 60 * 60
        }
    }

    /// Nanoseconds to wait before the next attempt; 0: it may be made now.
    func remaining(_ now: BootInstant) -> UInt64 {
        let delay = Self.delay(after: failures) * 1_000_000_000
        // The delay starts again after a reboot, if the clock went back, or if the time is unknown.
        guard let last, now.isKnown, last.start == now.start, last.nanoseconds <= now.nanoseconds else { return delay }
        let elapsed = now.nanoseconds - last.nanoseconds
        return elapsed >= delay ? 0 : delay - elapsed
    }

    /// After a reboot, restarts the delay from now. If this changes the state, save it before an attempt is
    /// refused or made.
    mutating func noticeStart(_ now: BootInstant) {
        guard failures > 0, now.isKnown else { return }
        if let last, last.start == now.start, last.nanoseconds <= now.nanoseconds { return }
        last = now
    }

    /// Records the start of an attempt, which counts as failed until it succeeds.
    mutating func begin(_ now: BootInstant) {
        failures = failures == .max ? .max : failures + 1
        last = now
    }

    /// Records that the attempt succeeded.
    mutating func succeed() { self = AttemptLimiter() }
}

/// The attempt limiter's counter on disk (Documentation/Formats/Keybag.md, `attempts`). The caller holds the lock.
struct AttemptsFile {
    static let fileName = "attempts"
    private static let magic = Array("zamokatt".utf8)
    private static let size = 72

    private let place: KeybagLocation
    private let home: UniqueIdentifier
    /// The number of the device secret under which the file is written.
    private let number: UInt32

    /// The counter of a keybag, under that keybag's device secret. Former device secrets are kept only while a keybag
    /// is under them.
    init(place: KeybagLocation, of file: KeybagFile) {
        self.init(place: place, home: file.homeIdentifier, number: file.deviceSecretNumber)
    }

    init(place: KeybagLocation, home: UniqueIdentifier, number: UInt32) {
        self.place = place
        self.home = home
        self.number = number
    }

    private var folder: HomeFolder { place.folder }

    /// Nil if the file is missing or invalid.
    func read() throws -> AttemptLimiter? {
        guard let bytes = try folder.read(Self.fileName, limit: Self.size), bytes.count == Self.size,
            try isAuthentic(bytes)
        else { return nil }
        var reader = ByteReader(bytes)
        guard try reader.read(12) == Self.magic + [1, 0, 0, 0] else { return nil }
        let failures: UInt32 = try reader.integer()
        let start = try reader.identifier()
        return AttemptLimiter(
            failures: failures, last: BootInstant(start: start, nanoseconds: try reader.integer())
        )
    }

    /// Writes the counter in place, durably. Replaces the file if it is missing or of another size.
    func write(_ limiter: AttemptLimiter) throws {
        var writer = ByteWriter()
        writer.append(Self.magic + [1, 0, 0, 0])
        writer.integer(limiter.failures)
        writer.append(limiter.last?.start.bytes ?? [UInt8](repeating: 0, count: 16))
        writer.integer(limiter.last?.nanoseconds ?? 0)
        writer.append(try KeyDerivation.authenticationCode(for: writer.bytes, under: try key()))
        guard let file = try folder.openFile(Self.fileName, .change),
            try file.status().size == Self.size
        else { return try folder.replace(Self.fileName, with: writer.bytes) }
        try file.write(writer.bytes)
        try file.syncData()
    }

    /// Whether the code verifies under the keybag's device secret, the current one, or a former one that a keybag may
    /// still need. So an interrupted move doesn't count as nine wrong passcodes.
    private func isAuthentic(_ bytes: [UInt8]) throws -> Bool {
        let (message, code) = (Array(bytes.prefix(40)), Array(bytes.suffix(32)))
        if try KeyDerivation.isValid(code, for: message, under: try key()) { return true }
        let others = try [place.deviceSecret.presentNumber()] + place.deviceSecret.formerNumbers()
        return try others.contains { try KeyDerivation.isValid(code, for: message, under: try key($0)) }
    }

    private func key() throws -> SecretBytes { try key(number) }

    private func key(_ number: UInt32) throws -> SecretBytes {
        try KeyDerivation.derive(
            from: try place.deviceSecret.read(number), salt: home.bytes, label: .attemptsAuthentication)
    }
}
