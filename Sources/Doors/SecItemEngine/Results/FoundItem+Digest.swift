// SPDX-License-Identifier: Apache-2.0

#if !canImport(Darwin)
import Crypto
import Foundation
import KeychainEngine
import SecItem

extension FoundItem {
    /// The attribute `sha1`: 20 bytes that change with anything in the item. It tells versions apart and protects nothing.
    func digest(_ secret: NSData?) -> Data {
        var hash = Insecure.SHA1()
        for (name, value) in attributes.sorted(by: { $0.key.text < $1.key.text }) {
            hash.update(field: Array(name.text.utf8))
            hash.update(field: value.digestedBytes)
        }
        if let secret { unsafe hash.update(bufferPointer: secret.byteBuffer) }
        return Data(hash.finalize())
    }
}

extension Insecure.SHA1 {
    /// With its length, so that no two lists of fields are one run of bytes.
    fileprivate mutating func update(field: [UInt8]) {
        update(data: Array("\(field.count):".utf8))
        update(data: field)
    }
}

extension AttributeValue {
    fileprivate var digestedBytes: [UInt8] {
        switch self {
        case .text(let text): Array(text.utf8)
        case .data(let bytes): bytes
        case .number(let number): Array(String(number).utf8)
        case .date(let seconds): Array(String(seconds.bitPattern).utf8)
        }
    }
}
#endif
