// SPDX-License-Identifier: Apache-2.0

import DataProtection
import Foundation
import SecItem
import TestSupport
import Testing

/// What has a name and a shape, and says plainly that it is not there.
@Suite struct UnimplementedTests {
    private let functions: Functions
    private let temporary = TemporaryHome()

    init() throws { functions = Functions(home: try temporary.open()) }

    // Where there is no TPM a key in the Secure Enclave is refused.
    @Test(
        .enabled(if: !FileManager.default.fileExists(atPath: "/dev/tpmrm0"), "this machine has a chip"),
        arguments: [true, false])
    func `a key in the Secure Enclave is refused where there is no TPM, never made in software`(
        isOfPrivateHalf: Bool
    ) throws {
        var error: Unmanaged<CFError>?
        let token: Item = [kSecAttrTokenID: kSecAttrTokenIDSecureEnclave, kSecAttrIsPermanent: true]
        let parameters: Item =
            [kSecAttrKeyType: kSecAttrKeyTypeECSECPrimeRandom, kSecAttrKeySizeInBits: 256]
            + (isOfPrivateHalf ? [kSecPrivateKeyAttrs: token] : token)
        let key = Home.withCurrent(functions.home) { unsafe SecKeyCreateRandomKey(parameters as CFDictionary, &error) }
        #expect(key == nil)
        let failure = try #require(unsafe error?.takeRetainedValue())
        #expect(CFErrorGetCode(failure) == Int(errSecUnimplemented))
        #expect(functions.status([kSecClass: kSecClassKey]) == errSecItemNotFound)
        #expect(SecKeyCreateWithData(Data() as CFData, parameters as CFDictionary, nil) == nil)
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
