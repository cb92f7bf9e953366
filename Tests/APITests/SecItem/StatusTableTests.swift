// SPDX-License-Identifier: Apache-2.0

import Foundation
import KeychainEngine
import SecItem
import Testing

@testable import SecItemEngine

@Suite struct StatusTableTests {
    @Test(arguments: KeychainError.Code.named)
    func `every code of the engine has its name and a sentence`(code: KeychainError.Code) {
        #expect(KeychainError.Code(rawValue: code.rawValue).name == code.name)
        #expect(ItemEngine().message(of: code.rawValue) == code.meaning)
    }

    @Test func `the codes from -67585 to -67904 have names without a gap, none twice`() {
        let names = (-67_904 ... -67_585).compactMap { KeychainError.Code(rawValue: OSStatus($0)).name }
        #expect(names.count == 320)
        #expect(Set(names).count == 320)
        #expect(KeychainError.Code(rawValue: -67_905).name == nil)
        #expect(KeychainError.Code(rawValue: -67_584).name == nil)
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
        #expect(KeychainError.Code(rawValue: code).name == name)
    }

    @Test(arguments: [
        (errSecInvalidCRLGroup, "The group of lists of revoked certificates is invalid."),
        (errSecOCSPNoSigner, "The answer about revocation has no signer."),
        (errSecHostNameMismatch, "The certificate is for another host name."),
        (errSecNoTrustSettings, "There are no trust settings."),
    ])
    func `a code is told in a sentence of its own`(code: OSStatus, sentence: String) {
        #expect(ItemEngine().message(of: code) == sentence)
    }

    @Test func `every code with a name has a written sentence`() {
        for status in (-67_904 ... -67_585).map(OSStatus.init) {
            let sentence = ItemEngine().message(of: status)
            #expect(sentence.hasSuffix(".") && sentence.contains(" "), "\(status)")
        }
        #expect(ItemEngine().message(of: -67_905) == "OSStatus -67905")
    }
}
