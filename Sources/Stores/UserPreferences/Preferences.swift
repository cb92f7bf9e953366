// SPDX-License-Identifier: Apache-2.0

public import DataProtection
import SealedDatabases
import Sealing
import SecretMemory

/// The preferences of one user: like UserDefaults, but sealed, and never empty by mistake.
///
///     let preferences = try Preferences()
///     try preferences.set(14, for: .fontSize)
///     let size = try preferences.value(for: .fontSize)
///
/// The class is thread-safe, and any number of processes may use the same store. A write is durable when the call
/// returns, unless the store is relaxed.
///
/// Values are read on first use and then kept in memory, once for all objects of one home. Before the first unlock
/// every call throws `.notReady`: an empty result never means "unknown".
public final class Preferences: Sendable {
    /// The failure that a finished write survives.
    public enum Durability: Sendable {
        /// Power loss.
        case durable
        /// SIGKILL, but not power loss. For many writes a second.
        case relaxed
    }

    /// The owner of the preferences.
    public enum Domain: Sendable {
        /// Those of the home's user. Readable after the first unlock.
        case user
        /// Those of the app, shared by all its users. They are in the root home under the class none, so they are
        /// readable in every lock state, for example for a login screen. Only the device secret protects them.
        case device
    }

    /// The home that contains the preferences; the root home for the domain `device`.
    public let home: Home
    /// The owner of the preferences.
    public let domain: Domain
    /// The failure that a finished write survives.
    public let durability: Durability

    let store: PreferencesStore
    /// Identifies this object among all others, so that a watcher can recognise its own changes.
    let origin: [UInt8]
    /// Random for each process, then incremented. Asking the kernel costs more than the rest of opening a store that is
    /// already open.
    private static let nextOrigin = Locked(UInt64.random(in: 0...UInt64.max))
    let registered = Locked<[String: PropertyValue]>([:])
    let watchers = Locked(WatcherList())

    /// Opens the preferences of a home (default: `Home.current`), and creates the file if there is none.
    ///
    /// Errors: `.newerFormat`, `.restoredCopy`, `.damaged`, `.unsafeHome`, `.diskFull`, `.readOnly`, `.io`,
    /// `.notAvailable`. Opening works in every lock state. Reading and writing need a home that was unlocked since the
    /// start, except in the domain `device`.
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

    /// The home that contains the preferences of a domain.
    private static func home(_ given: Home, _ domain: Domain) -> Home {
        domain == .device ? given.root ?? given : given
    }

    /// The preferences of a home, without creating a store; nil if no preference was ever set. Errors: as opening.
    package static func existing(home: Home, domain: Domain) throws(PreferencesError) -> Preferences? {
        let owner = Self.home(home, domain)
        do {
            if try owner.neverHad(domain.fileName) { return nil }
        } catch {
            throw PreferencesError(error)
        }
        return try Preferences(home: owner, domain: domain)
    }

    /// Whether calls can succeed now. The check doesn't use the store and writes nothing.
    public var isReady: Bool { domain == .device || home.keybag.lockState != .beforeFirstUnlock }

    /// Makes the writes of a relaxed store durable now. Does nothing for a durable store. A switch to another user also
    /// does this.
    ///
    /// Errors: `.diskFull`, `.io`, `.notAvailable` (readers of older states blocked it for too long).
    public func flush() throws(PreferencesError) {
        guard durability == .relaxed else { return }
        try store.withStoreKey(nil) { try store.database.flush() }
    }

    /// Removes the values that were read from memory. The next read opens them again. Called on a switch to
    /// another user.
    public func forget() { store.forget() }
}
