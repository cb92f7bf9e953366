// SPDX-License-Identifier: Apache-2.0

import Foundation
import KeychainEngine
import SecItem
import Testing

@testable import SecItemEngine

@Suite struct StatusTableTests {
    @Test(arguments: KeychainError.Code.named)
    func `every code of the engine has its name and a sentence`(code: KeychainError.Code) {
        #expect(StatusName.of(code.rawValue) == code.name)
        #expect(StatusName.sentence(of: code.rawValue) == code.meaning)
    }

    @Test func `the codes from -67585 to -67904 have names without a gap, none twice`() {
        let names = (-67_904 ... -67_585).compactMap { StatusName.of(OSStatus($0)) }
        #expect(names.count == 320)
        #expect(Set(names).count == 320)
        #expect(StatusName.of(-67_905) == nil)
        #expect(StatusName.of(-67_584) == nil)
    }

    @Test(arguments: [
        (errSecServiceNotAvailable, "errSecServiceNotAvailable"),
        (errSecUnknownCRLExtension, "errSecUnknownCRLExtension"),
        (errSecSSLBadExtendedKeyUsage, "errSecSSLBadExtendedKeyUsage"), (errSecInternalError, "errSecInternalError"),
        (errSecInvalidHandle, "errSecInvalidHandle"), (errSecInvalidCRLGroup, "errSecInvalidCRLGroup"),
        (errSecCertificateExpired, "errSecCertificateExpired"), (errSecInvalidEncoding, "errSecInvalidEncoding"),
        (errSecTimestampMissing, "errSecTimestampMissing"), (errSecWrongSecVersion, "errSecWrongSecVersion"),
        (errSecNoTrustSettings, "errSecNoTrustSettings"),
    ])
    func `constants and names agree`(code: OSStatus, name: String) {
        #expect(StatusName.of(code) == name)
    }

    @Test(arguments: [
        (errSecInvalidCRLGroup, "Invalid CRL group."), (errSecOCSPNoSigner, "OCSP no signer."),
        (errSecHostNameMismatch, "Host name mismatch."), (errSecNoTrustSettings, "No trust settings."),
    ])
    func `a code without a sentence of its own is told in the words of its name`(code: OSStatus, sentence: String) {
        #expect(StatusName.sentence(of: code) == sentence)
    }
}
