// SPDX-License-Identifier: Apache-2.0

import DataProtection
import KeychainEngine
import SecretMemory
import TestSupport

@testable import Guards

/// A home, as the person sees it outside, with a guest of it. Removed with the value.
struct GuestHome {
    private let folder = TemporaryHome()
    let home: Home
    /// The items of all groups.
    let outside: ItemStore
    let name: GuestName

    init(_ name: GuestName) throws {
        home = try folder.open {
            $0.identity = ApplicationIdentity(
                applicationIdentifier: "zamok", accessGroups: ["zamok"], seesAllGroups: true)
        }
        outside = try ItemStore.of(home)
        self.name = name
    }

    func allow(_ grant: Grant?) throws {
        guard let grant else { throw NoGrant() }
        try GrantStore(outside).allow(grant, .whenUnlockedThisDeviceOnly)
    }

    /// Stores a token of an API, `api/me`. Returns its reference.
    @discardableResult
    func addToken() throws -> PersistentReference? {
        var record = ItemRecord(.genericPassword)
        record.attributes[.service] = .text("api")
        record.attributes[.account] = .text("me")
        record.attributes[.accessGroup] = .text("zamok")
        record.secret = try Secret("the secret of the API")
        return try outside.add(record, PersonPrompt()).persistentReference
    }

    private struct NoGrant: Error {}
}
