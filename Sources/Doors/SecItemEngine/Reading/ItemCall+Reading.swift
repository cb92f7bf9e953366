// SPDX-License-Identifier: Apache-2.0

#if !canImport(Darwin)
import Foundation
import KeychainEngine
import SecItem

extension ItemCall {
    /// What the reading alone of a dictionary answers, as a query or item and, for update, as changes too; no keychain is looked at.
    func statusOfReading(_ dictionary: NSDictionary, isMac: Bool) -> OSStatus {
        do {
            var entries = try Entries(dictionary)
            if isMac { entries.prune(for: self) }
            let query = try QueryReader.read(entries, for: self)
            if self == .update { _ = try ChangesReader.read(entries, of: query.itemClass) }
            return errSecSuccess
        } catch {
            return error.code.rawValue
        }
    }
}
#endif
