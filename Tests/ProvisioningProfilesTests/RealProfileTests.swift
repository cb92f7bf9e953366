// SPDX-License-Identifier: Apache-2.0

import Crypto
import Foundation
import ProvisioningProfiles
import Testing

@Suite(.enabled(if: Samples.isAvailable, Samples.missing))
struct RealProfileTests {
    @Test func `a real store profile verifies at its signing time and is expired`() throws {
        let read = try UnverifiedProfile(contentsOf: Samples.path("store-2015.mobileprovision"))
        let verified = try read.verified()
        #expect(verified.profile.kind == .appStore)
        #expect(verified.profile.isExpired(at: .now))
        #expect(!verified.profile.isExpired(at: Date(timeIntervalSince1970: 1_450_000_000)))
        #expect(verified.verification.signingTime.dayText == "2015-11-08")
        #expect(verified.verification.root.commonName == "Apple Root CA")
        #expect(verified.verification.sha1Uses.contains("content digest and signature"))
        #expect(verified.verification.derCopy == nil)
        let findings = ExaminedProfile(read).findings(path: "store", options: CheckOptions())
        #expect(findings.map(\.rule.id) == ["profile-sha1", "profile-expired", "certificates-expired"])
    }

    @Test func `its keys are read with their types`() throws {
        let profile = try UnverifiedProfile(contentsOf: Samples.path("store-2015.mobileprovision")).profile
        #expect(profile.platforms == [.iOS])
        #expect(profile.version == 1)
        #expect(profile.timeToLiveInDays == 364)
        #expect(profile.teamIdentifier == profile.applicationIdentifierPrefixes.first)
        #expect(profile.otherKeys.isEmpty)
        let certificate = try #require(profile.developerCertificates.first?.certificate)
        #expect(certificate.kind == .distribution)
        #expect(certificate.organizationalUnit == profile.teamIdentifier)
        #expect(certificate.notAfter.dayText == "2016-11-07")
    }

    @Test func `the same profile before its signing time is signed in the future`() throws {
        let read = try UnverifiedProfile(contentsOf: Samples.path("store-2015.mobileprovision"))
        let early = Date(timeIntervalSince1970: 1_400_000_000)
        #expect(profileError { _ = try read.verified(at: early) }?.code == .signingTimeInFuture)
    }

    // Rule: the content has the digest that was signed | any digest taken for right | said `platform`; also "one
    //   changed byte of the content fails with its digest", "an envelope over another directory is refused", "each
    //   fault of an envelope has its own name" (another message digest), "each rule fires for its case …"
    //   (`code-signature-invalid`)
    @Test func `a tampered profile fails with its content digest`() throws {
        let read = try UnverifiedProfile(contentsOf: Samples.path("tampered.provisionprofile"))
        let error = try #require(profileError { _ = try read.verified() })
        #expect(error.code == .contentDigest)
        #expect(error.message.contains("content digest"))
    }

    @Test(arguments: [
        ("unsigned-ios.mobileprovision", ProfileKind.development),
        ("unsigned-ios-no-get-task-allow.mobileprovision", .adHoc),
    ])
    func `bare property lists are read and called unsigned`(name: String, kind: ProfileKind) throws {
        let read = try UnverifiedProfile(contentsOf: Samples.path(name))
        #expect(!read.isSigned)
        #expect(read.profile.kind == kind)
        #expect(profileError { _ = try read.verified() }?.code == .unsigned)
        let rules = ExaminedProfile(read).findings(path: name, options: CheckOptions()).map(\.rule.id)
        #expect(rules == ["profile-unsigned", "certificate-unreadable"])
    }

    @Test func `the pinned roots are those that Apple publishes`() throws {
        let text = try String(contentsOfFile: Samples.path("apple-roots.pem"), encoding: .utf8)
        let custom = try CustomAnchor(pem: text)
        let read = try UnverifiedProfile(contentsOf: Samples.path("store-2015.mobileprovision"))
        let underGiven = try read.verified(under: custom).verification.root
        #expect(try read.verified().verification.root == underGiven)
    }

    @Test func `a developer certificate that Apple issued is no signer of profiles, under any authority`() throws {
        let verified = try UnverifiedProfile(contentsOf: Samples.path("store-2015.mobileprovision")).verified()
        let certificate = try #require(verified.profile.developerCertificates.first?.certificate)
        #expect(certificate.issuerCommonName?.contains("Worldwide Developer Relations") == true)
        let authority = verified.verification.authority
        #expect(InnerReaders.signsProfiles(verified.verification.signer, issuedBy: authority))
        #expect(!InnerReaders.signsProfiles(certificate, issuedBy: authority))
    }
}
