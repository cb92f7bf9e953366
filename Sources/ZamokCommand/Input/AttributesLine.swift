// SPDX-License-Identifier: Apache-2.0

import Foundation
import Keychains

/// The fields that `--attributes-from -` reads: a JSON object on one line.
struct AttributesLine {
    let fields: [(ItemField, String)]
    /// The classes that are meant; nil: any that has these fields.
    let classes: [ItemClass]?

    private struct Named: Decodable {
        let `class`: String?
    }

    init(_ line: [UInt8]) throws {
        do {
            let record = try ItemRecord(json: line)
            guard record.secret == nil else {
                throw CommandFailure.usage("the secret doesn't belong into the line of fields, but behind it")
            }
            fields = ItemField.allCases.compactMap { field in record[field].map { (field, $0) } }
            let isNamed = try JSONDecoder().decode(Named.self, from: Data(line)).class != nil
            classes = isNamed ? [record.itemClass] : nil
        } catch let error as KeychainError {
            throw CommandFailure.usage("the first line of standard input: \(error.message)")
        }
    }
}
