// SPDX-License-Identifier: Apache-2.0

import Foundation
import SecItem
import TestHomes
import Testing

/// What has a name and a shape already, and says plainly that it does nothing yet.
@Suite struct UnimplementedTests {
    private let functions: Functions
    private let temporary = TemporaryHome()

    init() throws { functions = Functions(home: try temporary.open()) }

    @Test func `a key can't be made yet`() throws {
        var error: Unmanaged<CFError>?
        let parameters =
            [kSecAttrKeyType: kSecAttrKeyTypeRSA, kSecAttrKeySizeInBits: 2048] as [CFString: Any] as CFDictionary
        #expect(unsafe SecKeyCreateRandomKey(parameters, &error) == nil)
        let failure = try #require(unsafe error?.takeRetainedValue())
        #expect(CFErrorGetCode(failure) == Int(errSecUnimplemented))
        #expect(SecKeyCreateWithData(Data() as CFData, parameters, nil) == nil)
    }

    @Test func `PKCS#12 can't be imported yet`() {
        var items: CFArray?
        #expect(unsafe SecPKCS12Import(Data() as CFData, [:] as CFDictionary, &items) == errSecUnimplemented)
    }

    @Test(arguments: ["cert", "keys", "idnt"])
    func `items of other classes can't be added yet`(itemClass: String) {
        #expect(functions.add([kSecClass: itemClass, kSecValueData: bytes("x")]) == errSecUnimplemented)
        #expect(functions.status([kSecClass: itemClass]) == errSecItemNotFound)
    }

    @Test func `there are no shared web credentials`() async {
        let code = await withCheckedContinuation { continuation in
            SecRequestSharedWebCredential(nil, nil) { _, error in
                continuation.resume(returning: error.map(CFErrorGetCode))
            }
        }
        #expect(code == Int(errSecUnimplemented))
        #expect(SecCreateSharedWebCredentialPassword() == nil)
    }
}
