// SPDX-License-Identifier: Apache-2.0

import Credentials
import DataProtection
import Foundation
import Keychains

/// A home for a trial that leaves nothing behind: the chosen one, or if there is none, a temporary one that is
/// removed again.
final class TrialHome {
    private var folder: URL?

    func open(_ choice: HomeChoice) throws -> Home {
        do { return try ChosenHome.openUnlocked(choice) } catch let error as DataProtectionError {
            guard error.code == .noHome, ChosenHome.userName(choice) == nil else { throw error }
        }
        let folder = FileManager.default.temporaryDirectory.appendingPathComponent("zamok-trial-\(UUID().uuidString)")
        self.folder = folder
        var configuration = ChosenHome.configuration(.process)
        configuration.folder = folder.path
        return try Home(configuration)
    }

    func remove() {
        if let folder { try? FileManager.default.removeItem(at: folder) }
    }

    /// The names of items in a listing that the keychain doesn't have.
    static func names(of listing: ItemListing, missingIn keychain: Keychain) throws -> [String] {
        listing.rewind()
        var new: [ItemRecord] = []
        while let record = try listing.next() {
            guard [.genericPassword, .internetPassword].contains(record.itemClass), !KeptEntry.isOne(record) else {
                continue
            }
            var wanted = ItemRecord(record.itemClass)
            for code in ItemRecord.passwordCodes where record[code: code] != nil { wanted.copy(code: code, of: record) }
            if try keychain.records(matching: wanted, limit: 1).isEmpty { new.append(record) }
        }
        return ItemName.names(of: new).sorted().reduce(into: []) { if $0.last != $1 { $0.append($1) } }
    }
}
