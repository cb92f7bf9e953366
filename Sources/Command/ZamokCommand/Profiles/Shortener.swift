// SPDX-License-Identifier: Apache-2.0

import Foundation

/// Shortens what identifies people and their devices, so that logs of CI jobs hold neither.
struct Shortener {
    let isFull: Bool

    /// The first and last four characters of a device identifier.
    func device(_ identifier: String) -> String {
        isFull || identifier.count <= 8 ? identifier : "\(identifier.prefix(4))…\(identifier.suffix(4))"
    }

    /// The first letter of every word: teams may be people.
    func name(_ name: String) -> String {
        isFull ? name : name.split(separator: " ").map { "\($0.prefix(1))…" }.joined(separator: " ")
    }

    /// `Apple Development: Jane Doe (ABCDE12345)` becomes `Apple Development: J… D… (ABCDE12345)`.
    func certificate(_ commonName: String) -> String {
        guard !isFull else { return commonName }
        guard let colon = commonName.range(of: ": ") else { return name(commonName) }
        var person = commonName[colon.upperBound...]
        var tail = ""
        if person.hasSuffix(")"), let open = person.lastIndex(of: "(") {
            tail = " " + person[open...]
            person = person[..<open]
        }
        return commonName[..<colon.upperBound] + name(String(person)) + tail
    }
}
