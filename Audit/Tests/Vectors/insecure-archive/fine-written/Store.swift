// SPDX-License-Identifier: Apache-2.0

import Foundation

/// Secure coding reads what was written without it.
final class Store {
    func write(_ values: [NSString]) throws -> Data {
        try NSKeyedArchiver.archivedData(withRootObject: values, requiringSecureCoding: false)
    }

    func read(_ data: Data) throws -> Any? {
        try NSKeyedUnarchiver.unarchivedObject(ofClasses: [NSArray.self, NSString.self], from: data)
    }
}
