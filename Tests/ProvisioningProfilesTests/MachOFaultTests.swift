// SPDX-License-Identifier: Apache-2.0

import Foundation
import ProvisioningProfiles
import Testing

/// Structures that two readers could take differently, or that lead outside.
struct MachOFaultTests {
    private func slice(_ change: (inout SliceRecipe) -> Void = { _ in }) throws -> [UInt8] {
        var slice = SliceRecipe(entitlements: ["a": .boolean(true)], signer: nil)
        change(&slice)
        return try slice.bytes()
    }

    private func error(_ bytes: [UInt8]) -> ProfileError.Code? {
        profileError { _ = try InnerReaders.machO(bytes) }?.code
    }

    private func patched(_ bytes: [UInt8], _ offset: Int, _ value: UInt32) -> [UInt8] {
        var bytes = bytes
        bytes.replaceSubrange(offset..<offset + 4, with: little(value))
        return bytes
    }

    @Test func `the file these tests change is read`() throws { #expect(error(try slice()) == nil) }

    @Test(arguments: [
        (16, UInt32(5000), ProfileError.Code.tooLarge), (20, 2 << 20, .tooLarge), (20, 8, .machO), (36, 0, .machO),
        (36, 4, .machO), (36, 26, .machO), (64, 8, .machO), (68, 17 << 20, .tooLarge), (68, 100_000, .io),
        (0, 0, .machO),
    ])
    func `wrong numbers in header and load commands are refused`(
        offset: Int, value: UInt32, code: ProfileError.Code
    ) throws {
        #expect(error(patched(try slice(), offset, value)) == code)
    }

    @Test func `two code signatures in one slice are refused`() throws {
        var bytes = try slice()
        // LC_BUILD_VERSION becomes a second LC_CODE_SIGNATURE.
        bytes = patched(bytes, 32, 0x1D)
        #expect(error(bytes) == .machO)
    }

    // Rule: no second LC_BUILD_VERSION hides or replaces a platform that profiles name | the last one counts | [1, 6]
    //   has no platform, and [2, 1] isn't refused
    @Test(arguments: [(1, 6, Platform?.some(.macOS)), (6, 1, .macOS), (2, 99, .iOS), (2, 2, .iOS), (2, 1, nil)])
    func `a second platform in one slice hides none`(first: UInt32, second: UInt32, platform: Platform?) throws {
        let bytes = try slice { ($0.platform, $0.secondPlatform) = (first, second) }
        guard let platform else {
            #expect(error(bytes) == .machO)
            return
        }
        #expect(try InnerReaders.machO(bytes).map(\.platform) == [platform])
    }

    @Test(arguments: ["same slot twice", "wrong magic", "outside", "before the index", "too many", "no directory"])
    func `blobs that do not fit are refused`(fault: String) throws {
        let bytes = try slice {
            $0.changeBlobs = { blobs in
                switch fault {
                case "wrong magic": blobs[5]?[3] = 0x72
                case "no directory": blobs[0] = nil
                default: break
                }
            }
        }
        let start = 0x400
        let broken: [UInt8] =
            switch fault {
            case "same slot twice": bytes.replacing(at: start + 12 + 8, with: SliceRecipe.big(0))
            case "outside": bytes.replacing(at: start + 16, with: SliceRecipe.big(0x00FF_FFFF))
            case "before the index": bytes.replacing(at: start + 16, with: SliceRecipe.big(12))
            case "too many": bytes.replacing(at: start + 8, with: SliceRecipe.big(65))
            default: bytes
            }
        #expect(error(broken) == .codeSignature)
    }

    @Test(arguments: [
        (37, [UInt8(9)]), (36, [21]), (24, SliceRecipe.big(33)), (16, SliceRecipe.big(0x7FFF_FFFF)),
        (16, SliceRecipe.big(0)), (28, SliceRecipe.big(.max)), (20, SliceRecipe.big(0x00FF_0000)),
        (48, SliceRecipe.big(0x7FFF_FFFF)),
    ])
    func `wrong numbers in a code directory are refused`(offset: Int, value: [UInt8]) throws {
        let bytes = try slice {
            $0.changeBlobs = { blobs in blobs[0] = blobs[0]?.replacing(at: offset, with: value) }
        }
        #expect(error(bytes) == .codeSignature)
    }

    @Test func `slices that overlap or lie outside are refused`() throws {
        let fat = FatFile.bytes([try slice(), try slice()])
        #expect(error(fat) == nil)
        #expect(error(fat.replacing(at: 36, with: SliceRecipe.big(0x1000))) == .machO)
        #expect(error(fat.replacing(at: 16, with: SliceRecipe.big(16))) == .machO)
        #expect(error(fat.replacing(at: 20, with: SliceRecipe.big(.max))) == .machO)
        #expect(error(fat.replacing(at: 4, with: SliceRecipe.big(17))) == .machO)
        #expect(error(fat.replacing(at: 4, with: SliceRecipe.big(0))) == .machO)
    }

    @Test func `entitlements in DER of another version, or with a key twice, are refused`() throws {
        let entry = DERWriter.sequence(DERWriter.text("a"), DERWriter.integer(1))
        let good = DERWriter.value(0x70, DERWriter.integer(1), DERWriter.value(0xB0, entry))
        #expect(try InnerReaders.der(good) == .dictionary(["a": .integer(1)]))
        for bad in [
            DERWriter.value(0x70, DERWriter.integer(2), DERWriter.value(0xB0, entry)),
            DERWriter.value(0x70, DERWriter.integer(1), DERWriter.value(0xB0, entry, entry)),
            DERWriter.value(0x70, DERWriter.integer(1)), DERWriter.value(0x05), good + [0], Array(good.dropLast()),
        ] {
            #expect(profileError { _ = try InnerReaders.der(bad) }?.code == .codeSignature)
        }
    }
}

extension [UInt8] {
    func replacing(at offset: Int, with bytes: [UInt8]) -> [UInt8] {
        var changed = self
        changed.replaceSubrange(offset..<offset + bytes.count, with: bytes)
        return changed
    }
}
