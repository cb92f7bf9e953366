// SPDX-License-Identifier: Apache-2.0

import Foundation
import ProvisioningProfiles
import Testing

/// Envelopes with one fault each that openssl can't be asked for, and the same envelope without it.
@Suite(.enabled(if: TestAuthority.isAvailable, TestAuthority.missing))
struct EnvelopeFaultTests {
    struct Fault: CustomTestStringConvertible, Sendable {
        let testDescription: String
        let code: ProfileError.Code
        let apply: @Sendable (inout EnvelopeRecipe) -> Void

        init(_ name: String, _ code: ProfileError.Code, _ apply: @escaping @Sendable (inout EnvelopeRecipe) -> Void) {
            (testDescription, self.code, self.apply) = (name, code, apply)
        }
    }

    static let faults = [
        Fault("no signing time", .signingTimeMissing) { $0.signingTime = nil },
        Fault("signing time before the certificates", .certificateNotValidThen) {
            $0.signingTime = .now - 30 * 86_400
        },
        Fault("signing time after the signer's expiry", .signingTimeInFuture) { $0.signingTime = .now + 3600 },
        Fault("signing time twice", .signedAttributes) { recipe in
            recipe.changeAttributes = {
                $0.append(EnvelopeRecipe.attribute(EnvelopeRecipe.signingTime, DERWriter.time(.now)))
            }
        },
        Fault("no message digest", .signedAttributes) { $0.changeAttributes = { $0.remove(at: 1) } },
        Fault("no content type", .signedAttributes) { $0.changeAttributes = { $0.remove(at: 0) } },
        Fault("another content type", .signedAttributes) {
            $0.changeAttributes = {
                $0[0] = EnvelopeRecipe.attribute(
                    EnvelopeRecipe.contentType, DERWriter.identifier([1, 2, 840, 113_549, 1, 7, 2]))
            }
        },
        Fault("two message digests in one attribute", .signedAttributes) {
            $0.changeAttributes = {
                $0[1] = EnvelopeRecipe.attribute(
                    EnvelopeRecipe.messageDigest, DERWriter.octets([1]), DERWriter.octets([2]))
            }
        },
        Fault("another message digest", .contentDigest) {
            $0.changeAttributes = {
                $0[1] = EnvelopeRecipe.attribute(
                    EnvelopeRecipe.messageDigest, DERWriter.octets([UInt8](repeating: 1, count: 32)))
            }
        },
        Fault("other protected algorithms", .signedAttributes) { recipe in
            recipe.changeAttributes = { $0.append(protection(digest: [2, 16, 840, 1, 101, 3, 4, 2, 2])) }
        },
        Fault("a flipped bit in the signature", .signature) { $0.changeSignature = { $0[$0.count - 1] ^= 1 } },
        Fault("a digest algorithm that does not exist", .algorithm) { $0.digestAlgorithm = [1, 2, 3, 4] },
        Fault("MD5", .algorithm) { $0.digestAlgorithm = [1, 2, 840, 113_549, 2, 5] },
        Fault("another digest in the signature algorithm", .algorithm) {
            $0.signatureAlgorithm = [1, 2, 840, 10_045, 4, 3, 3]
        },
        Fault("PSS", .algorithm) { $0.signatureAlgorithm = [1, 2, 840, 113_549, 1, 1, 10] },
        Fault("RSA with a key that is none", .signature) { $0.signatureAlgorithm = [1, 2, 840, 113_549, 1, 1, 1] },
        Fault("a signer certificate that is not there", .chainIncomplete) {
            $0.signer = "phone-ec"
            $0.chain = []
        },
    ]

    @Sendable static func protection(digest: [UInt]) -> [UInt8] {
        let signature = DERWriter.identifier(EnvelopeRecipe.ecdsaWithSHA256)
        return EnvelopeRecipe.attribute(
            EnvelopeRecipe.algorithmProtection,
            DERWriter.sequence(DERWriter.algorithm(digest), DERWriter.value(0xA1, signature)))
    }

    private func verify(_ change: (inout EnvelopeRecipe) -> Void) throws -> ProfileError? {
        var recipe = try ProfileRecipe(.appStore)
        // Certificates of the test authority begin now; clocks are a second apart at most.
        recipe.envelope.signingTime = .now
        change(&recipe.envelope)
        let read = try UnverifiedProfile(bytes: recipe.bytes())
        let anchor = try TestAuthority.anchor()
        return profileError { _ = try read.verified(under: anchor) }
    }

    // Rule: the signature was made by the key of the certificate | any signature taken | a flipped bit, a key that is
    //   none; also "an envelope over another directory is refused"
    // Rule: there is a signing time | today taken where it is missing | no signing time
    // Rule: the algorithms are those that were protected | one of the two compared | other protected algorithms
    @Test(arguments: faults)
    func `each fault of an envelope has its own name`(fault: Fault) throws {
        #expect(try verify(fault.apply)?.code == fault.code)
    }

    @Test func `the same envelope without a fault verifies, with and without the optional attribute`() throws {
        #expect(try verify { _ in } == nil)
        #expect(
            try verify { $0.changeAttributes = { $0.append(Self.protection(digest: EnvelopeRecipe.sha256)) } } == nil)
    }

    // Rule: the signer's platform is the profile's | not compared | also "every fault …" (`mac-signer`)
    @Test func `platforms decide which certificates may sign`() throws {
        let anchor = try TestAuthority.anchor()
        for (platforms, isFine) in [
            (["iOS", "visionOS"], true), ([], true), (["OSX"], false), (["iOS", "OSX"], false),
        ] {
            var recipe = try ProfileRecipe(.appStore)
            recipe.values["Platform"] = .array(platforms.map(PropertyList.string))
            let read = try UnverifiedProfile(bytes: recipe.bytes())
            let error = profileError { _ = try read.verified(under: anchor) }
            #expect(error?.code == (isFine ? nil : .platform))
        }
    }
}
