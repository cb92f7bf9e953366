// SPDX-License-Identifier: Apache-2.0

import DataProtection
import Foundation
import SecItem
import TestSupport
import Testing

/// What access groups and Apple's own attributes allow a program.
@Suite struct EntitlementTests {
    private let temporary = TemporaryHome()

    private func functions(_ groups: [String]) throws -> Functions {
        Functions(
            home: try temporary.open {
                $0.identity = ApplicationIdentity(applicationIdentifier: "test", accessGroups: groups)
            })
    }

    private let token: Item = [kSecAttrAccessGroup: kSecAttrAccessGroupToken]

    @Test func `without any group nothing is allowed`() throws {
        let nobody = try functions([])
        #expect(nobody.add(generic) == errSecMissingEntitlement)
        #expect(nobody.status(generic) == errSecMissingEntitlement)
        #expect(nobody.update(generic, [kSecAttrLabel: "label"]) == errSecMissingEntitlement)
        #expect(nobody.delete(generic) == errSecMissingEntitlement)
    }

    @Test func `a star means every group, and none when adding`() throws {
        #expect(try functions(["one"]).add(generic) == errSecSuccess)
        let everywhere = try functions(["*"])
        #expect(everywhere.status(generic) == errSecSuccess)
        #expect(everywhere.status(generic + [kSecAttrAccessGroup: "one"]) == errSecSuccess)
        #expect(everywhere.status(generic + [kSecAttrAccessGroup: "two"]) == errSecItemNotFound)
        #expect(everywhere.add(generic) == errSecMissingEntitlement)
        #expect(everywhere.add(generic + [kSecAttrAccessGroup: "two"]) == errSecSuccess)
        #expect(everywhere.list(generic)?.count == 2)
    }

    // Rule: the group of hardware tokens can't be written | written
    @Test func `the group of hardware tokens can be read, not written`() throws {
        let program = try functions(["one", kSecAttrAccessGroupToken as String])
        #expect(program.status(generic + token) == errSecItemNotFound)
        #expect(program.add(generic + token) == errSecMissingEntitlement)
        #expect(program.add(generic) == errSecSuccess)
        #expect(program.update(generic, token) == errSecMissingEntitlement)
        #expect(program.status(generic + [kSecAttrAccessGroup: "one"]) == errSecSuccess)
    }

    // Rule: attributes of the system's own programs need an entitlement | given to all | 5 cases
    @Test(arguments: ["sysb", "pcss", "pcsk", "pcsi", "clip"])
    func `attributes of the system's own programs need its entitlement`(name: String) throws {
        let program = try functions(["one"])
        let given: Item = [name as CFString: 1]
        #expect(program.add(generic + given) == errSecMissingEntitlement)
        #expect(program.status(generic + given) == errSecMissingEntitlement)
        #expect(program.add(generic) == errSecSuccess)
        #expect(program.update(generic, given) == errSecMissingEntitlement)
    }

    // Rule: nothing judges certificates, and says so | kSecMatchTrustedOnly passed over
    @Test func `nothing judges the trust of certificates`() throws {
        let program = try functions(["one"])
        for itemClass in [kSecClassCertificate, kSecClassIdentity] {
            let trusted: Item = [kSecClass: itemClass, kSecMatchTrustedOnly: true]
            #expect(program.status(trusted) == errSecUnimplemented)
            #expect(program.status(trusted + [kSecMatchTrustedOnly: false]) == errSecItemNotFound)
        }
    }
}
