// SPDX-License-Identifier: Apache-2.0

#if !canImport(Darwin)
import Crypto
import Foundation
import KeychainStore

extension FoundItem {
    /// The attribute `sha1`: 20 bytes that change with anything in the item. It tells versions apart and protects nothing.
    func digest(_ secret: Data?) -> Data {
        var hash = Insecure.SHA1()
        for (name, value) in attributes.sorted(by: { $0.key.text < $1.key.text }) {
            hash.update(field: Data(name.text.utf8))
            hash.update(field: value.digestedBytes)
        }
        if let secret { hash.update(field: secret) }
        return Data(hash.finalize())
    }
}

extension Insecure.SHA1 {
    /// With its length, so that no two lists of fields are one run of bytes.
    fileprivate mutating func update(field: Data) {
        update(data: Data("\(field.count):".utf8))
        update(data: field)
    }
}

extension AttributeValue {
    fileprivate var digestedBytes: Data {
        switch self {
        case .text(let text): Data(text.utf8)
        case .data(let bytes): Data(bytes)
        case .number(let number): Data(String(number).utf8)
        case .date(let seconds): Data(String(seconds.bitPattern).utf8)
        }
    }
}
#endif
