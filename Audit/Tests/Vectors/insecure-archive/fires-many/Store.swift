// SPDX-License-Identifier: Apache-2.0

import Foundation

/// One finding, with the other places beside it.
final class Store {
    func one(_ data: Data) -> Any? { NSKeyedUnarchiver.unarchiveObject(with: data) }  // finds
    func two(_ data: Data) -> Any? { NSKeyedUnarchiver.unarchiveObject(with: data) }
    func three(_ data: Data) -> Any? { NSKeyedUnarchiver.unarchiveObject(with: data) }
    func four(_ data: Data) -> Any? { NSKeyedUnarchiver.unarchiveObject(with: data) }
    func five(_ data: Data) -> Any? { NSKeyedUnarchiver.unarchiveObject(with: data) }
}
