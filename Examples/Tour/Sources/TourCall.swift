// SPDX-License-Identifier: Apache-2.0

import Foundation
import Security

/// A call of one of the SecItem functions. What is shown is made from the dictionaries that are passed.
struct TourCall {
    typealias Attributes = KeyValuePairs<CFString, Any>

    enum Function: String {
        case add = "SecItemAdd"
        case copyMatching = "SecItemCopyMatching"
        case update = "SecItemUpdate"
        case delete = "SecItemDelete"
    }

    let function: Function
    let query: Attributes
    let changes: Attributes?

    static func add(_ attributes: Attributes) -> TourCall {
        TourCall(function: .add, query: attributes, changes: nil)
    }
    static func copyMatching(_ query: Attributes) -> TourCall {
        TourCall(function: .copyMatching, query: query, changes: nil)
    }
    static func update(_ query: Attributes, _ changes: Attributes) -> TourCall {
        TourCall(function: .update, query: query, changes: changes)
    }
    static func delete(_ query: Attributes) -> TourCall {
        TourCall(function: .delete, query: query, changes: nil)
    }

    /// The call as an iOS developer writes it, a line each.
    var lines: [String] {
        var lines = ["\(function.rawValue)(["] + Self.lines(of: query)
        if let changes { lines += ["] as CFDictionary, ["] + Self.lines(of: changes) }
        let end =
            switch function {
            case .add: "] as CFDictionary, nil)"
            case .copyMatching: "] as CFDictionary, &result)"
            case .update, .delete: "] as CFDictionary)"
            }
        return lines + [end]
    }

    private static func lines(of attributes: Attributes) -> [String] {
        attributes.map { "  \(TourNames.name(of: $0.key)): \(TourNames.name(of: $0.value, for: $0.key))," }
    }
}
