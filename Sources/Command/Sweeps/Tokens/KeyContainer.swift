// SPDX-License-Identifier: Apache-2.0

import Foundation
import KeychainEngine
import SecretMemory

/// Files of PKCS#12 (RFC 7292) with a private key that the empty passphrase opens.
enum KeyContainer {
    /// The largest one that is tried. Keys and their chains have some kilobytes.
    static let largest = 1 << 20

    /// A sequence whose first value is the version 3, and whose second is a sequence.
    static func isOne(_ bytes: [UInt8], _ count: Int) -> Bool {
        guard count > 32, bytes[0] == 0x30 else { return false }
        let length = bytes[1] < 0x80 ? 0 : Int(bytes[1] & 0x7F)
        return length <= 4 && bytes[(2 + length)...].starts(with: [0x02, 0x01, 0x03, 0x30])
    }

    /// One secret, the file, if it opens. The cost is bounded: PKCS12 refuses a file that wants too many rounds.
    static func secrets(in bytes: [UInt8], _ path: String) throws -> [ClearSecret] {
        guard let file = try? PKCS12(file: Data(bytes), passphrase: ""), !file.keys.isEmpty else { return [] }
        return [
            ClearSecret(
                rule: Rule(.privateKey, "key/pkcs12", issuer: "a private key without a passphrase"), path: path,
                line: 1,
                range: 0..<bytes.count, form: .block, secret: try Secret(copying: bytes),
                service: path.split(separator: "/").last.map(String.init) ?? "file", account: "PKCS#12")
        ]
    }
}
