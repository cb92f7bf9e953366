// SPDX-License-Identifier: Apache-2.0

public import DataProtection
import SealedDatabases
import Sealing
import SecretMemory

/// The preferences of one user: like UserDefaults, sealed, and never empty by mistake.
///
///     let preferences = try Preferences()
///     try preferences.set(14, for: .fontSize)
///     let size = try preferences.value(for: .fontSize)
///
/// Any thread may call; any number of processes may use the same store. A write is durable when the call returns unless the store is
/// relaxed. Values are read when they are first asked for and then kept in memory, once for all objects of one home. Before the first
/// unlock every call throws `.notReady`: an empty answer never stands for "can't tell".
public final class Preferences: Sendable {
    /// What a finished write survives.
    public enum Durability: Sendable {
        /// A power cut.
        case durable
        /// SIGKILL, and not a power cut; for many writes a second.
        case relaxed
    }

    /// Whose settings they are.
    public enum Domain: Sendable {
        /// Those of the home's user; readable from the first unlock on.
        case user
        /// Those of the app, which all its users share: in the root home, under the class none, so that they are readable in every lock
        /// state, a login screen's for example. The device secret alone protects them.
        case device
    }

    /// The home whose preferences these are; the root home for the domain `device`.
    public let home: Home
    /// Whose settings these are.
    public let domain: Domain
    /// What a finished write survives.
    public let durability: Durability

    let store: PreferencesStore
    /// Identifies this object among all others, so that a watcher can recognise its own changes.
    let origin: [UInt8]
    /// Random for each process, then counted up: asking the kernel costs more than the rest of opening a store that is open already.
    private static let nextOrigin = Locked(UInt64.random(in: 0...UInt64.max))
    let registered = Locked<[String: PropertyValue]>([:])
    let watchers = Locked(WatcherList())

    /// Opens the preferences of a home, `Home.current` unless given, and makes the file where there is none.
    ///
    /// Errors: `.newerFormat`, `.restoredCopy`, `.damaged`, `.unsafeHome`, `.diskFull`, `.readOnly`, `.io`, `.notAvailable`. Opening works in
    /// every lock state; reading and writing need a home that was unlocked since the start, except in the domain `device`.
    public init(
        home: Home? = nil, domain: Domain = .user, durability: Durability = .durable
    ) throws(PreferencesError) {
        do {
            let given = try home ?? Home.current
            let home = Self.home(given, domain)
            self.home = home
            self.domain = domain
            self.durability = durability
            store = try home.store(OpenPreferences.self) { OpenPreferences() }.store(
                domain, durability: durability, home: home)
            origin = Self.nextOrigin.withLock { next in
                next &+= 1
                return (0..<8).map { UInt8(truncatingIfNeeded: next >> (8 * $0)) }
            }
        } catch {
            throw PreferencesError(error)
        }
    }

    /// In which home the preferences of a domain are.
    private static func home(_ given: Home, _ domain: Domain) -> Home {
        domain == .device ? given.root ?? given : given
    }

    /// The preferences of a home, without making a store: nil where nothing was ever set. Errors: as opening.
    package static func existing(home: Home, domain: Domain) throws(PreferencesError) -> Preferences? {
        let owner = Self.home(home, domain)
        do {
            let name = domain.fileName
            if try owner.isMissingOrEmpty(name), try !owner.missingStores().contains(name) { return nil }
        } catch {
            throw PreferencesError(error)
        }
        return try Preferences(home: owner, domain: domain)
    }

    /// Whether calls can answer now. Finding out doesn't use the store and writes nothing.
    public var isReady: Bool { domain == .device || home.keybag.lockState != .beforeFirstUnlock }

    /// Makes the writes of a relaxed store durable now; a durable store has nothing to do. A switch to another user does this too.
    ///
    /// Errors: `.diskFull`, `.io`, `.notAvailable` (readers of older states were in the way for too long).
    public func flush() throws(PreferencesError) {
        guard durability == .relaxed else { return }
        try store.withStoreKey(nil) { try store.database.flush() }
    }

    /// Drops the values that were read, so that memory holds none of them; the next read opens them again. Called when the user is left.
    public func forget() { store.forget() }
}
