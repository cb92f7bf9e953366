// SPDX-License-Identifier: Apache-2.0

import Foundation
import Security

extension TourCall {
    /// Makes the call.
    func run() -> (status: OSStatus, result: Any?) {
        switch function {
        case .add: return (SecItemAdd(Self.dictionary(query), nil), nil)
        case .copyMatching:
            var result: CFTypeRef?
            let status = unsafe SecItemCopyMatching(Self.dictionary(query), &result)
            return (status, result)
        case .update: return (SecItemUpdate(Self.dictionary(query), Self.dictionary(changes ?? [:])), nil)
        case .delete: return (SecItemDelete(Self.dictionary(query)), nil)
        }
    }

    private static func dictionary(_ attributes: Attributes) -> CFDictionary {
        NSDictionary(objects: attributes.map(\.value), forKeys: attributes.map(\.key))
    }
}
