// SPDX-License-Identifier: Apache-2.0

import DataProtection
import Foundation
import KeychainEngine
import SecItem
import TestSupport
import Testing

@testable import SecItemEngine

/// Hostile dictionaries: no trap, no hang, no answer that is not one of the documented ones.
///
/// `ZAMOK_FUZZ_INPUTS` and `ZAMOK_FUZZ_SEED` make the run longer or another one.
@Suite struct DictionaryFuzzTests {
    private static let environment = ProcessInfo.processInfo.environment
    private static let seed = FuzzBudget.seed(environment: environment)

    private static let documented: Set<OSStatus> = [
        errSecSuccess, errSecUnimplemented, errSecParam, errSecNotAvailable, errSecDuplicateItem, errSecItemNotFound,
        errSecDataTooLarge, errSecNoSuchAttr, errSecNoSuchClass, errSecMissingEntitlement,
    ]

    @Test func `reading a hostile dictionary ends, with one of six answers`() {
        var maker = HostileDictionary(seed: Self.seed)
        var seen: Set<OSStatus> = []
        let allowed: Set<OSStatus> = [
            errSecUnimplemented, errSecParam, errSecNoSuchAttr, errSecNoSuchClass, errSecMissingEntitlement,
            errSecAllocate,
        ]
        for _ in 0..<FuzzBudget.inputs(environment: Self.environment, bounded: 8_000) {
            let dictionary = maker.next()
            for call in [ItemCall.add, .copyMatching, .update, .delete] {
                for isMac in [true, false] { seen.insert(call.statusOfReading(dictionary, isMac: isMac)) }
            }
            HostileDictionary.release(dictionary)
        }
        #expect(seen.subtracting([errSecSuccess]).isSubset(of: allowed))
        #expect(seen.isSuperset(of: [errSecSuccess, errSecParam, errSecNoSuchAttr, errSecNoSuchClass]))
    }

    @Test(arguments: [SecItemFlavour.macOS, .iOS])
    func `the four functions answer as documented, and change no other item`(flavour: SecItemFlavour) throws {
        let temporary = TemporaryHome()
        let other = Functions(home: try temporary.open(groups: ["bystander"]))
        #expect(other.add(generic + [kSecValueData: bytes("untouched")]) == errSecSuccess)
        let functions = Functions(home: try temporary.open { $0.flavour = flavour })
        var maker = HostileDictionary(seed: Self.seed &+ 1)
        var seen: Set<OSStatus> = []
        for _ in 0..<(FuzzBudget.inputs(environment: Self.environment, bounded: 30_000) / 20) {
            seen.formUnion(call(&maker, functions))
        }
        #expect(seen.isSubset(of: Self.documented), "\(seen.subtracting(Self.documented))")
        #expect(seen.isSuperset(of: [errSecSuccess, errSecItemNotFound, errSecParam, errSecNoSuchAttr]))
        #expect(other.data(generic) == bytes("untouched"))
        #expect(other.list([kSecClass: kSecClassGenericPassword])?.count == 1)
    }

    private func call(_ maker: inout HostileDictionary, _ functions: Functions) -> [OSStatus] {
        let first = maker.next()
        let second = maker.next()
        defer { [first, second].forEach(HostileDictionary.release) }
        return Home.withCurrent(functions.home) {
            var object: CFTypeRef?
            return unsafe [
                SecItemAdd(first, &object), SecItemCopyMatching(second, &object), SecItemUpdate(first, second),
                SecItemDelete(maker.below(4) == 0 ? first : second),
            ]
        }
    }
}
