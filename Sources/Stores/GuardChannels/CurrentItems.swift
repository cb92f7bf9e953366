// SPDX-License-Identifier: Apache-2.0

package import DataProtection
package import Guards
package import KeychainEngine
import SecretMemory

/// Where this program's items are: in its current home, or outside, behind the guard that started the program.
///
/// The one place where that is decided. Everything above asks `access`.
package enum CurrentItems: Sendable {
    case home(Home)
    case guarded(GuardedItems, SecItemFlavour)

    private static let channel = GuardChannel(GuardedProcess.socket)

    /// The items of the guard; nil: this is no guest.
    package static var ofGuard: GuardedItems? {
        guard GuardedProcess.isGuest else { return nil }
        let channel = channel
        return GuardedItems { try channel.exchange($0) }
    }

    /// For tests: the flavour of the SecItem functions inside a guard.
    @TaskLocal package static var guestFlavour = SecItemFlavour.macOS

    /// A home that this program has chosen itself, otherwise the guard, otherwise the home of the environment.
    /// Errors: those of `Home.current`.
    package static var current: CurrentItems {
        get throws(DataProtectionError) {
            guard GuardedProcess.isGuest, Home.openCurrent == nil, let items = ofGuard else {
                return .home(try Home.current)
            }
            return .guarded(items, guestFlavour)
        }
    }

    package var flavour: SecItemFlavour {
        switch self {
        case .home(let home): home.flavour
        case .guarded(_, let flavour): flavour
        }
    }

    /// What a guest was granted when it last asked. The guard judges each call itself; this only decides which of
    /// several errors a call has.
    private static let granted = Locked<ApplicationIdentity?>(nil)

    /// Checks that the program may access this group; for nil, that it may access any. Errors: `.missingEntitlement`.
    package func checkGroup(_ asked: String?) throws(KeychainError) {
        try judged { identity throws(KeychainError) in try identity.checkGroup(asked) }
    }

    /// Checks that the program may move items to this group. Errors: `.missingEntitlement`.
    package func checkTarget(_ group: String) throws(KeychainError) {
        try judged { identity throws(KeychainError) in _ = try identity.groupForWriting(group) }
    }

    /// A refusal by what is known of the grants counts only if the guard has no newer ones.
    private func judged(
        _ check: (ApplicationIdentity) throws(KeychainError) -> Void
    ) throws(KeychainError) {
        switch self {
        case .home(let home): try check(home.identity)
        case .guarded(let items, _):
            if let known = Self.granted.withLock({ $0 }), (try? check(known)) != nil { return }
            let (name, groups) = try items.name()
            let identity = ApplicationIdentity(applicationIdentifier: name, accessGroups: groups)
            Self.granted.withLock { $0 = identity }
            try check(identity)
        }
    }

    /// Errors: those of opening a home's store.
    package var access: any ItemAccess {
        get throws(KeychainError) {
            switch self {
            case .home(let home): try ItemStore.of(home)
            case .guarded(let items, _): items
            }
        }
    }
}
