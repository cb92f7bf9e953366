// SPDX-License-Identifier: Apache-2.0

import Foundation
import ProvisioningProfiles
import Testing

/// Profiles of every kind and fault, made by openssl under the test authority.
@Suite(.enabled(if: TestAuthority.isAvailable, TestAuthority.missing))
struct VerificationTests {
    @Test(arguments: [
        ("development", ProfileKind.development), ("ad-hoc", .adHoc), ("store", .appStore),
        ("enterprise", .enterprise), ("mac-development", .development), ("mac-store", .appStore),
        ("developer-id", .developerID),
    ])
    func `profiles of every kind verify, and their kind is told`(name: String, kind: ProfileKind) throws {
        let verified = try TestAuthority.profile(name).verified(under: TestAuthority.anchor())
        #expect(verified.profile.kind == kind)
        #expect(verified.profile.applicationIdentifier == "TESTTEAM01.org.example.app")
        #expect(verified.verification.root.commonName == "Test Root CA")
    }

    @Test(arguments: [
        ("store", true), ("sha1-chain", true), ("sha256", false), ("ecdsa", false), ("root-g3", false), ("ber", false),
        ("several-certificates", false), ("key-identifier", false), ("copy-agrees", true), ("copy-other-kind", true),
    ])
    func `every form that Apple or openssl writes verifies, and SHA-1 is told`(name: String, usesSHA1: Bool) throws {
        let verification = try TestAuthority.profile(name).verified(under: TestAuthority.anchor()).verification
        #expect(verification.sha1Uses.isEmpty == !usesSHA1)
        let usesInChain = verification.sha1Uses.filter { $0.hasPrefix("certificate") }.count
        #expect(usesInChain == (name == "sha1-chain" ? 2 : 0))
    }

    // Rule: the mobile signer's authority counts, not only its own name | any name of the authority taken |
    //   `developer-named-like-apple`
    // Rule: a pinned root signed the authority | a root of the right name taken without its signature | `wrong-root`
    // Rule: all three certificates were valid at the signing time | validity not checked | `expired-signer`; also "each
    //   fault of an envelope has its own name" (signing time before the certificates)
    // Rule: exactly one signer | the first of two taken | `two-signers`
    // Rule: SHA-1 only for the envelope and under Apple Root CA | accepted everywhere | `root-g3-sha1`, and `copy-sha1`
    //   by another reason
    // Rule: the authority is one, and may sign certificates | flag and key usage not checked | `authority-without-flag`
    // Rule: unknown critical extensions are refused | passed over | `critical-extension`
    // Rule: the DER copy says the same | not compared | `copy-disagrees`
    // Rule: the DER copy's signer has its marker | any certificate taken | `copy-wrong-signer`
    @Test(arguments: [
        ("wrong-root", ProfileError.Code.wrongRoot, "root"), ("wrong-leaf", .wrongSigner, "signer"),
        ("developer-leaf", .wrongSigner, "signer"), ("developer-named-like-apple", .wrongSigner, "signer"),
        ("expired-signer", .certificateNotValidThen, "signer's certificate was not valid"),
        ("no-attributes", .signedAttributes, "without signed attributes"),
        ("two-signers", .signerCount, "2 are there"), ("no-chain", .chainIncomplete, "not in the file"),
        ("authority-without-flag", .certificateRules, "not a certificate authority"),
        ("critical-extension", .certificateRules, "1.2.3.4"), ("mac-signer", .platform, "macOS"),
        ("bare", .unsigned, "without a signature"), ("copy-disagrees", .derCopyDisagrees, "TeamName"),
        ("copy-wrong-signer", .wrongSigner, "WWDR"), ("copy-wrong-root", .wrongRoot, "root"),
        ("copy-sha1", .algorithm, "SHA-1"), ("root-g3-sha1", .algorithm, "SHA-1"),
    ])
    func `every fault fails for its own reason`(name: String, code: ProfileError.Code, words: String) throws {
        let read = try TestAuthority.profile(name)
        let anchor = try TestAuthority.anchor()
        let error = try #require(profileError { _ = try read.verified(under: anchor) })
        #expect(error.code == code)
        #expect(error.message.contains(words), "\(error.message)")
        #expect(error.part == (name.hasPrefix("copy") ? .derCopy : .envelope))
    }

    // Rule: signer and authority are those that Apple uses for this | every chain to the root taken | all nine cases;
    //   also "every fault fails for its own reason" (`wrong-leaf`, `developer-leaf`, `developer-named-like-apple`,
    //   `copy-wrong-signer`), "only certificates for code may sign code"
    @Test(arguments: ["development", "distribution", "developer-id"], [[Platform.iOS], [.macOS], []])
    func `a developer's certificate under the same root never signs a profile`(
        signer: String, platforms: [Platform]
    ) throws {
        let anchor = try TestAuthority.anchor()
        var recipe = try ProfileRecipe(.appStore)
        recipe.values["Platform"] = .array(platforms.map { .string($0.name) })
        recipe.envelope.signer = "mac-ec"
        recipe.envelope.chain = ["developer-relations"]
        let genuine = try UnverifiedProfile(bytes: recipe.bytes())
        let error = profileError { _ = try genuine.verified(under: anchor) }
        #expect(error?.code == (platforms == [.iOS] ? .platform : nil))
        // The same authority, root, and way of signing; only the marker of the signer is another.
        recipe.envelope.signer = signer
        let forged = try UnverifiedProfile(bytes: recipe.bytes())
        #expect(profileError { _ = try forged.verified(under: anchor) }?.code == .wrongSigner)
    }

    @Test func `a detached envelope holds no profile`() throws {
        #expect(profileError { _ = try TestAuthority.profile("detached") }?.code == .envelope)
    }

    // Rule: roots inside a file are ignored | a self-signed certificate of the file taken for the root | store, sha256,
    //   copy-agrees; also "every fault …" (`wrong-root`, `copy-wrong-root`), "exit status is 1 for findings …", "list
    //   finds both folders of Xcode …"
    @Test func `nothing of the test authority verifies under Apple's roots`() throws {
        for name in ["store", "sha256", "mac-store", "copy-agrees"] {
            let read = try TestAuthority.profile(name)
            #expect(profileError { _ = try read.verified() }?.code == .wrongRoot)
        }
    }

    @Test func `a signer that expired after signing still verifies`() throws {
        let read = try TestAuthority.profile("sha256")
        let afterExpiry = Date.now + 11 * 365 * 86_400
        let verified = try read.verified(under: TestAuthority.anchor(), at: afterExpiry)
        #expect(verified.verification.signer.notAfter < afterExpiry)
        #expect(verified.profile.isExpired(at: afterExpiry))
    }

    // Rule: the signing time is not in the future | a tolerance of a century | also "the same profile before its
    //   signing time is signed in the future", "each fault of an envelope …" (after the signer's expiry)
    @Test func `a profile signed tomorrow does not verify today`() throws {
        let read = try TestAuthority.profile("sha256")
        let anchor = try TestAuthority.anchor()
        let signed = try read.verified(under: anchor).verification.signingTime
        #expect(throws: Never.self) { try read.verified(under: anchor, at: signed - 200) }
        #expect(profileError { _ = try read.verified(under: anchor, at: signed - 400) }?.code == .signingTimeInFuture)
    }

    @Test func `one changed byte of the content fails with its digest`() throws {
        var bytes = try TestAuthority.bytes("profiles/sha256.mobileprovision")
        let name = Array("Test store".utf8)
        let position = try #require(bytes.indices.first { bytes[$0...].starts(with: name) })
        bytes[position] ^= 0x20
        let read = try UnverifiedProfile(bytes: bytes)
        let anchor = try TestAuthority.anchor()
        #expect(profileError { _ = try read.verified(under: anchor) }?.code == .contentDigest)
    }

    @Test func `the DER copy is verified, compared, and its kind told`() throws {
        let verified = try TestAuthority.profile("copy-agrees").verified(under: TestAuthority.anchor())
        #expect(verified.verification.derCopy?.distributionType == "STORE")
        let read = try TestAuthority.profile("copy-other-kind")
        let examined = ExaminedProfile(read, anchor: try TestAuthority.anchor())
        #expect(examined.findings(path: "", options: CheckOptions()).contains { $0.rule.id == "distribution-type" })
    }
}
