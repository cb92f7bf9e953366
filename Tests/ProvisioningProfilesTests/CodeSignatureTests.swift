// SPDX-License-Identifier: Apache-2.0

import Foundation
import ProvisioningProfiles
import Testing

@Suite(.enabled(if: TestAuthority.isAvailable, TestAuthority.missing))
struct CodeSignatureTests {
    static let entitlements: [String: PropertyList] = [
        "application-identifier": .string("TESTTEAM01.org.example.app"),
        "keychain-access-groups": .array([.string("TESTTEAM01.org.example.app")]), "get-task-allow": .boolean(false),
    ]

    private func signature(_ change: (inout SliceRecipe) -> Void = { _ in }) throws -> CodeSignature {
        var slice = SliceRecipe(entitlements: Self.entitlements)
        change(&slice)
        let slices = try InnerReaders.machO(slice.bytes())
        return try #require(slices.first?.signature)
    }

    private func failure(_ signature: CodeSignature) throws -> ProfileError.Code? {
        guard case .invalid(let error) = signature.signer(anchor: try TestAuthority.anchor()) else { return nil }
        #expect(error.part == .code)
        return error.code
    }

    @Test func `a thin file tells identifier, team, entitlements and signer`() throws {
        let slices = try InnerReaders.machO(SliceRecipe(entitlements: Self.entitlements).bytes())
        #expect(slices.map(\.architecture) == ["arm64"])
        #expect(slices.first?.platform == .iOS)
        let signature = try signature()
        #expect(signature.identifier == "org.example.app")
        #expect(signature.teamIdentifier == "TESTTEAM01")
        #expect(signature.xmlEntitlements?.entitlements.values == Self.entitlements)
        #expect(signature.derEntitlements?.entitlements.values == Self.entitlements)
        #expect(signature.xmlEntitlements?.binding == .bound)
        #expect(signature.derEntitlements?.binding == .bound)
        let signer = signature.signer(anchor: try TestAuthority.anchor())
        #expect(signer.certificate?.kind == .distribution)
        guard case .custom = signer else {
            Issue.record("not verified under the test authority")
            return
        }
        guard case .invalid(let error) = signature.signer() else {
            Issue.record("verified under Apple's roots")
            return
        }
        #expect(error.code == .wrongRoot)
    }

    @Test func `a fat file tells every slice`() throws {
        let arm = try SliceRecipe(entitlements: Self.entitlements).bytes()
        var intel = SliceRecipe(entitlements: nil, signer: nil, cpu: 0x0100_0007)
        intel.hasSignature = false
        let slices = try InnerReaders.machO(FatFile.bytes([arm, intel.bytes()]))
        #expect(slices.map(\.architecture) == ["arm64", "x86_64"])
        #expect(slices.map { $0.signature != nil } == [true, false])
    }

    // Rule: code directories hold the hashes of the entitlements | only the lengths compared
    @Test func `changed entitlements are told by their hash`() throws {
        let inXML = try signature {
            $0.changeBlobs = { $0[5] = $0[5]?.replacing(Array("<false/>".utf8), with: Array("<true />".utf8)) }
        }
        #expect(inXML.xmlEntitlements?.binding == .changed)
        #expect(inXML.xmlEntitlements?.entitlements.allowsDebugging == true)
        #expect(inXML.derEntitlements?.binding == .bound)
        let inDER = try signature { $0.changeBlobs = { $0[7] = $0[7]?.replacing([1, 1, 0], with: [1, 1, 0xFF]) } }
        #expect(inDER.derEntitlements?.binding == .changed)
        #expect(inDER.derEntitlements?.entitlements.allowsDebugging == true)
        #expect(try signature { $0.specialSlots = 5 }.derEntitlements?.binding == .notListed)
        #expect(try signature { $0.specialSlots = 0 }.xmlEntitlements?.binding == .notListed)
    }

    @Test func `an envelope over another directory is refused`() throws {
        let other = try signature { $0.changeBlobs = { $0[0]?[9] ^= 1 } }
        #expect(try failure(other) == .contentDigest)
        #expect(try failure(signature { $0.changeEnvelope = { $0.changeSignature = { $0[8] ^= 1 } } }) == .signature)
        #expect(try failure(signature { $0.changeEnvelope = { $0.isDetached = false } }) == .envelope)
        #expect(try failure(signature()) == nil)
    }

    // Rule: code is signed by a developer's certificate for code | any certificate taken
    @Test func `only certificates for code may sign code`() throws {
        #expect(try failure(signature { $0.changeEnvelope = { $0.signer = "copy" } }) == .chainIncomplete)
        let phone = try signature {
            $0.changeEnvelope = {
                $0.signer = "phone-ec"
                $0.chain = ["phone-authority"]
            }
        }
        #expect(try failure(phone) == .wrongSigner)
    }

    // Rule: every alternate code directory is signed too | only the first looked at
    @Test func `every alternate directory must be signed too`() throws {
        #expect(try failure(signature { $0.hasAlternate = true }) == nil)
        #expect(try signature { $0.hasAlternate = true }.directories.count == 2)
        let unlisted = try signature {
            $0.hasAlternate = true
            $0.listsAlternate = false
        }
        #expect(try failure(unlisted) == .codeSignature)
    }

    @Test func `without an envelope code is signed ad hoc`() throws {
        guard case .adHoc = try signature({ $0.signer = nil }).signer() else {
            Issue.record("not ad hoc")
            return
        }
    }

    @Test func `a file cut anywhere never yields a signature`() throws {
        let whole = try SliceRecipe(entitlements: Self.entitlements).bytes()
        let end = whole.count
        for length in Array(0..<120) + stride(from: 120, to: end, by: 37) + [end - 1] {
            let error = profileError { _ = try InnerReaders.machO(Array(whole.prefix(length))) }
            #expect(error?.code == .machO || error?.code == .io || error?.code == .codeSignature, "\(length)")
        }
        #expect(throws: Never.self) { try InnerReaders.machO(whole) }
    }
}
