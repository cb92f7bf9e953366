// SPDX-License-Identifier: Apache-2.0

import ArgumentParser
import Keychains

/// A persistent reference in hexadecimal digits, as `--json` shows it.
struct ReferenceWord: ExpressibleByArgument {
    let reference: PersistentReference

    init?(argument: String) {
        let digits = Array(argument.utf8)
        guard digits.count.isMultiple(of: 2), digits.count <= 40 else { return nil }
        var bytes: [UInt8] = []
        for index in stride(from: 0, to: digits.count, by: 2) {
            let pair = String(decoding: digits[index...index + 1], as: UTF8.self)
            guard pair.first != "+", let byte = UInt8(pair, radix: 16) else { return nil }
            bytes.append(byte)
        }
        guard let found = PersistentReference(bytes: bytes) else { return nil }
        reference = found
    }

    /// The digits of a reference.
    static func text(of reference: PersistentReference) -> String {
        reference.digits
    }
}
