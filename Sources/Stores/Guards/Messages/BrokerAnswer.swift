// SPDX-License-Identifier: Apache-2.0

package import KeychainEngine
import Sealing

/// What the guard answers (Documentation/Formats/GuardMessages.md).
package enum BrokerAnswer: Sendable {
    case done
    case name(String, groups: [String])
    case items([ItemRecord])
    /// How many items were changed or deleted, and how many damaged ones were passed over.
    case count(Int, passedOver: Int)
    case failure(KeychainError)

    /// Bytes of an answer after its length. More found items than fit are `.dataTooLarge`.
    package static let limit = 64 << 20
    /// Bytes of the text of a failure.
    private static let textLimit = 1024

    package var bytes: [UInt8] {
        get throws {
            var writer = ByteWriter(capacity: 256)
            writer.append([BrokerRequest.version, number])
            switch self {
            case .done: break
            case .name(let name, let groups):
                writer.prefixed(name.utf8)
                writer.integer(UInt16(truncatingIfNeeded: groups.count))
                for group in groups { writer.prefixed(group.utf8) }
            case .items(let items):
                writer.integer(UInt32(truncatingIfNeeded: items.count))
                for item in items {
                    try writer.record(item)
                    guard writer.bytes.count <= Self.limit else {
                        throw KeychainError(.dataTooLarge, "more was found than a guest gets at once; set a limit")
                    }
                }
            case .count(let count, let passedOver):
                writer.integer(UInt32(clamping: count))
                writer.integer(UInt32(clamping: passedOver))
            case .failure(let error):
                writer.integer(error.code.rawValue)
                writer.prefixed(Array(error.message.utf8.prefix(Self.textLimit)))
            }
            return writer.bytes
        }
    }

    /// Errors: `SealingError.malformed`; `.notAvailable` for another version.
    package init(_ bytes: [UInt8]) throws {
        var reader = ByteReader(bytes)
        guard try reader.integer(UInt8.self) == BrokerRequest.version else {
            throw KeychainError(.notAvailable, "the guard and the program are of different versions of Zamok")
        }
        switch try reader.integer(UInt8.self) {
        case 1: self = .done
        case 2:
            let name = try reader.name()
            let count = Int(try reader.integer(UInt16.self))
            self = .name(name, groups: try (0..<count).map { _ in try reader.name() })
        case 3:
            let count = Int(try reader.integer(UInt32.self))
            // Each record has at least as many bytes.
            guard count <= reader.remaining / 11 else { throw SealingError.malformed }
            self = .items(try (0..<count).map { _ in try reader.record() })
        case 4:
            let count = Int(try reader.integer(UInt32.self))
            self = .count(count, passedOver: Int(try reader.integer(UInt32.self)))
        case 5:
            let code = KeychainError.Code(rawValue: try reader.integer())
            let text = String(decoding: try reader.prefixed(limit: Self.textLimit), as: UTF8.self)
            self = .failure(KeychainError(code, text))
        default: throw SealingError.malformed
        }
        try reader.end()
    }

    private var number: UInt8 {
        switch self {
        case .done: 1
        case .name: 2
        case .items: 3
        case .count: 4
        case .failure: 5
        }
    }
}
