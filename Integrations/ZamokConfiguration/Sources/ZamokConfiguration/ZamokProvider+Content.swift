// SPDX-License-Identifier: Apache-2.0

import Configuration
import Foundation
import SecretMemory

extension ZamokProvider {
    /// What a secret says as a value of a type; nil: nothing.
    func content(_ secret: Secret, _ type: ConfigType) throws -> ConfigContent? {
        guard let text = try String(exposing: secret) else { return nil }
        return switch type {
        case .string: .string(text)
        case .int: Int(text).map { .int($0) }
        case .double: Double(text).map { .double($0) }
        case .bool: Self.bool(text).map { .bool($0) }
        case .bytes: Self.bytes(text).map { .bytes($0) }
        case .stringArray: .stringArray(elements(text))
        case .intArray: all(text, Int.init).map { .intArray($0) }
        case .doubleArray: all(text, Double.init).map { .doubleArray($0) }
        case .boolArray: all(text, Self.bool).map { .boolArray($0) }
        case .byteChunkArray: all(text, Self.bytes).map { .byteChunkArray($0) }
        }
    }

    private func elements(_ text: String) -> [String] {
        text.split(separator: separator, omittingEmptySubsequences: false)
            .map { $0.trimmingCharacters(in: .whitespaces) }
    }

    private func all<Element>(_ text: String, _ element: (String) -> Element?) -> [Element]? {
        let texts = elements(text)
        let found = texts.compactMap(element)
        return found.count == texts.count ? found : nil
    }

    private static func bool(_ text: String) -> Bool? {
        ["true": true, "yes": true, "1": true, "false": false, "no": false, "0": false][text.lowercased()]
    }

    private static func bytes(_ text: String) -> [UInt8]? { Data(base64Encoded: text).map { Array($0) } }
}
