// SPDX-License-Identifier: Apache-2.0

import Foundation

/// The bytes beside a step: a named field of a file as it is after the step, and whether it is what the sentence says.
/// Formats are in Documentation/Formats.
struct TourEvidence {
    /// Its name and a dump, each line at most 32 columns wide.
    let lines: [String]
    let isAsSaid: Bool

    /// Bytes at an offset of a file, under a title.
    init(_ title: String, _ bytes: [UInt8], at offset: Int = 0, isAsSaid: Bool) {
        lines = [title] + TourDisk.dump(bytes, at: offset)
        self.isAsSaid = isAsSaid
    }

    /// A field of a file as it is now. `isAsSaid` is asked with the field before and after the step.
    init(
        _ title: String, of path: String, _ range: Range<Int>, _ before: TourDisk, _ now: TourDisk,
        _ isAsSaid: (_ before: [UInt8], _ now: [UInt8]) -> Bool
    ) {
        let field = now.bytes(of: path, range)
        self.init(title, field, at: range.lowerBound, isAsSaid: isAsSaid(before.bytes(of: path, range), field))
    }
}

extension TourDisk {
    /// The bytes of a range of a file; fewer where the file ends.
    func bytes(of path: String, _ range: Range<Int>) -> [UInt8] {
        Array((files[path] ?? []).dropFirst(range.lowerBound).prefix(range.count))
    }

    /// What scrypt is given, and a class key of the class complete as the keybag has it (Keybag.md).
    func wrappedKeys(since before: TourDisk) -> [TourEvidence] {
        let keybag = files["keybag"] ?? []
        let (header, slot) = (96, 136)
        let complete =
            stride(from: header, to: keybag.count, by: slot).first { offset in
                Array(keybag[offset..<min(offset + 3, keybag.count)]) == [1, 1, 0]
            } ?? header
        func isNew(_ before: [UInt8], _ now: [UInt8]) -> Bool { before != now && Set(now).count > 8 }
        return [
            TourEvidence("keybag: the salt for scrypt", of: "keybag", 64..<80, before, self, isNew),
            TourEvidence(
                "keybag: a class key, wrapped", of: "keybag", complete + 48..<complete + 88, before, self, isNew),
        ]
    }

    /// The token in the page that every process maps (Keybag.md, `generation`).
    func lockToken(since before: TourDisk) -> [TourEvidence] {
        [TourEvidence("generation: the lock's token", of: "generation", 128..<160, before, self) { $0 != $1 }]
    }

    /// Version and failed tries in a row (Keybag.md, `attempts`).
    func failedTries(_ count: UInt8, since before: TourDisk) -> [TourEvidence] {
        [
            TourEvidence("attempts: failed tries, at 000c", of: "attempts", 8..<16, before, self) {
                $0 != $1 && Array($1.suffix(4)) == [0, 0, 0, count]
            }
        ]
    }
}
