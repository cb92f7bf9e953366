// SPDX-License-Identifier: Apache-2.0

/// The numbering plans of the world, as an automaton over the digits behind the plus sign
/// (Documentation/Formats/NumberingPlans.md). It takes a number exactly if its country has given out such numbers.
enum NumberingPlans {
    /// Whether `digits`, each 0 to 9, are a country code and a number of one of its plans.
    static func contain(_ digits: [UInt8]) -> Bool {
        var place = 0
        var mayEnd = false
        for (index, digit) in digits.enumerated() {
            guard index == 0 || place > 0 else { return false }
            while arcs[place] >> (20 + UInt32(digit)) & 1 == 0 {
                guard arcs[place] >> 18 & 1 == 0 else { return false }
                place += 1
            }
            mayEnd = arcs[place] >> 19 & 1 == 1
            place = Int(arcs[place] & 0x3FFFF)
        }
        return mayEnd
    }

    /// The country code at the start of `digits`; nil if there is none such.
    static func countryCode(of digits: [UInt8]) -> Int? {
        var code = 0
        for digit in digits.prefix(3) {
            code = code * 10 + Int(digit)
            if trunks[code] != nil { return code }
        }
        return nil
    }

    /// What is dialled before a number inside the country, and never behind its code: "0" in Britain.
    static func trunks(of code: Int) -> [[UInt8]] { trunks[code] ?? [] }

    // The highest ten bits: its digits. Then: whether a number may end behind it, whether it is its node's last arc, and
    // where the arcs behind it begin; 0 if there are none.
    private static let arcs: [UInt32] = {
        var arcs: [UInt32] = []
        arcs.reserveCapacity(arcCount)
        var (value, count): (UInt32, Int) = (0, 0)
        for byte in arcText.utf8 {
            (value, count) = (value << 6 | UInt32(byte - 48), count + 1)
            guard count == 5 else { continue }
            arcs.append(value)
            (value, count) = (0, 0)
        }
        return arcs
    }()

    private static let trunks: [Int: [[UInt8]]] = {
        var trunks: [Int: [[UInt8]]] = [:]
        for entry in trunkText.split(separator: " ") {
            let parts = entry.split(separator: ":", omittingEmptySubsequences: false)
            guard parts.count == 2, let code = Int(parts[0]) else { continue }
            trunks[code] = parts[1].split(separator: "/").map { $0.utf8.map { $0 - 48 } }
        }
        return trunks
    }()
}
