// SPDX-License-Identifier: Apache-2.0

import Foundation
import Security
import Testing

@Suite("12. Status codes")
struct StatusCodeTests {
    static let codes: [(OSStatus, OSStatus)] = [
        (errSecSuccess, 0), (errSecUnimplemented, -4), (errSecDiskFull, -34), (errSecIO, -36), (errSecOpWr, -49),
        (errSecParam, -50), (errSecWrPerm, -61), (errSecAllocate, -108), (errSecUserCanceled, -128),
        (errSecBadReq, -909),
        (errSecInternalComponent, -2070), (errSecCoreFoundationUnknown, -4960), (errSecACLNotSimple, -25240),
        (errSecPolicyNotFound, -25241), (errSecNoAccessForItem, -25243), (errSecUnsupportedFormat, -25256),
        (errSecUnknownFormat, -25257), (errSecPassphraseRequired, -25260), (errSecPkcs12VerifyFailure, -25264),
        (errSecNotAvailable, -25291), (errSecReadOnly, -25292), (errSecAuthFailed, -25293),
        (errSecNoSuchKeychain, -25294), (errSecInvalidKeychain, -25295), (errSecDuplicateKeychain, -25296),
        (errSecDuplicateItem, -25299), (errSecItemNotFound, -25300), (errSecBufferTooSmall, -25301),
        (errSecDataTooLarge, -25302), (errSecNoSuchAttr, -25303), (errSecInvalidItemRef, -25304),
        (errSecInvalidSearchRef, -25305), (errSecNoSuchClass, -25306), (errSecNoDefaultKeychain, -25307),
        (errSecInteractionNotAllowed, -25308), (errSecReadOnlyAttr, -25309), (errSecKeySizeNotAllowed, -25311),
        (errSecInteractionRequired, -25315), (errSecDataNotAvailable, -25316), (errSecDataNotModifiable, -25317),
        (errSecInDarkWake, -25320), (errSecNotSigner, -26267), (errSecDecode, -26275),
        (errSecMissingEntitlement, -34018),
        (errSecRestrictedAPI, -34020), (errSecServiceNotAvailable, -67585), (errSecInvalidEncoding, -67853),
        (errSecInvalidCertificateRef, -67690), (errSecMissingQualifiedCertStatement, -67904),
    ]

    @Test(arguments: codes)
    func `a name has Apple's number, and a message`(code: OSStatus, number: OSStatus) throws {
        #expect(code == number)
        let message = try #require(SecCopyErrorMessageString(code, nil) as String?)
        #expect(message.count > 3)
        #expect(!message.hasPrefix("OSStatus"))
    }

    @Test(arguments: [1, -1, -67905, -67584, 12345, .max, .min] as [OSStatus])
    func `an unknown code is told by its number`(code: OSStatus) {
        #expect(SecCopyErrorMessageString(code, nil) as String? == "OSStatus \(code)")
    }

    @Test func `codes can be matched`() {
        switch errSecItemNotFound as OSStatus {
        case errSecSuccess: Issue.record("not this one")
        case errSecItemNotFound: break
        default: Issue.record("not this one")
        }
    }
}
