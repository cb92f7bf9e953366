// SPDX-License-Identifier: Apache-2.0

public import DataProtection
import SealedDatabase
import Sealing
import SecretMemory

/// The preferences of one user: like UserDefaults, sealed, and never empty by mistake.
///
///     let preferences = try Preferences()
///     try preferences.set(14, for: .fontSize)
///     let size = try preferences.value(for: .fontSize)
///
/// Any thread may call; any number of processes may use the same store. A write is durable when the call returns unless the store is
/// relaxed. Values are read when they are first asked for and then kept in memory. Before the first unlock every call throws
/// `.notReady`: an empty answer never stands for "can't tell".
public final class Preferences: Sendable {
    /// What a finished write survives.
    public enum Durability: Sendable {
        /// A power cut.
        case durable
        /// SIGKILL, and not a power cut; for many writes a second.
        case relaxed
    }

    /// The home whose preferences these are.
    public let home: Home
    /// What a finished write survives.
    public let durability: Durability

    let database: SealedDatabase
    private let counters: SharedCounters
    /// Names this open store among all others, so that a watcher can tell its own changes.
    let origin: [UInt8]
    let cache: Locked<PreferencesCache>
    let registered = Locked<[String: PropertyValue]>([:])
    let watchers = Locked(WatcherList())

    /// Opens the preferences of a home, `Home.current` unless given, and makes the file where there is none.
    ///
    /// Errors: `.newerFormat`, `.restoredCopy`, `.damaged`, `.unsafeHome`, `.diskFull`, `.readOnly`, `.io`, `.notAvailable`. Opening works in
    /// every lock state; reading and writing need a home that was unlocked since the start.
    public init(home: Home? = nil, durability: Durability = .durable) throws(PreferencesError) {
        do {
            let home = try home ?? Home.current
            self.home = home
            self.durability = durability
            database = try SealedDatabase(PreferencesSchema.database, of: home, isRelaxed: durability == .relaxed)
            counters = SharedCounters(home.keybag, .preferences)
            origin = (0..<8).map { _ in UInt8.random(in: 0...255) }
            cache = Locked(PreferencesCache())
            try home.store(OpenPreferences.self) { OpenPreferences() }.add(self)
        } catch {
            throw PreferencesError(translating: error)
        }
    }

    /// Whether calls can answer now. No answer of the store is needed for it, and nothing is written.
    public var isReady: Bool { home.keybag.lockState != .beforeFirstUnlock }

    /// Forgets what was read, so that memory holds none of it; the next read opens it anew. Called when the user is left.
    public func forget() { cache.withLock { $0.reset() } }
}

/// What a store keeps in memory.
struct PreferencesCache: ~Copyable, Sendable {
    enum Entry {
        case absent
        case value(PropertyValue)
        case corrupt
    }

    /// The shared page as it was when `values` was right.
    var stamp: SharedCounters.Stamp?
    var values: [String: Entry] = [:]
    /// Names by their tags, to find what a change of another process is about.
    var names: [[UInt8]: String] = [:]
    var lastSequence: Int64 = 0
    var keys: StoreKeys?

    mutating func reset() {
        self = PreferencesCache()
    }

    /// Drops values only: too much changed to follow.
    mutating func forgetValues(lastSequence: Int64) {
        values.removeAll()
        names.removeAll()
        self.lastSequence = lastSequence
    }
}

extension Preferences {
    var stamp: SharedCounters.Stamp { counters.stamp }
}
