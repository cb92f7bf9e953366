// SPDX-License-Identifier: Apache-2.0

public import DataProtection
import SealedDatabases

/// A finding of an examination of the stored preferences. Every finding is damage.
public struct PreferencesFinding: Sendable, Equatable {
    /// The word in reports: "damaged-file", "damaged-preference" or "rows-differ". More may be added.
    public let word: String
    /// What happened and what to do next.
    public let message: String
    /// The number of preferences that the finding concerns.
    public let count: Int
}

/// Examines the stored preferences of a home, and those of the app in its root home. Creates no file.
public struct PreferencesDoctor: Sendable {
    private let home: Home

    /// Creates a doctor for the preferences of `home`.
    public init(home: Home) { self.home = home }

    /// Opens all that is readable in this lock state and counts all rows. Changes nothing.
    public func examine() -> [PreferencesFinding] { stores.flatMap(Self.examine) }

    /// Accepts the current state: the keybag is older than the preferences, or the preferences are an older state, or
    /// missing. Errors: those of opening preferences, except these.
    public func acceptRestoredCopy() throws(PreferencesError) {
        do {
            for (domain, home) in stores {
                _ = try SealedDatabase(domain.database, of: home, acceptingRestoredCopy: true)
            }
        } catch {
            throw PreferencesError(error)
        }
    }

    private typealias Place = (domain: Preferences.Domain, home: Home)

    /// The stores that exist, or existed.
    private var stores: [Place] {
        [(.user, home), (.device, home.root ?? home)].filter { (place: Place) in
            let database = place.domain.database
            if (try? place.home.isMissingOrEmpty(database.fileName)) == false { return true }
            let record = place.home.record(of: database.changes, database.applicationID, database.fileName)
            return (try? record.known()?.revision) != .some(.none)
        }
    }

    private static func examine(_ place: Place) -> [PreferencesFinding] {
        let name = "\(place.home.folder)/\(place.domain.fileName)"
        do {
            let store = try PreferencesStore(place.domain, durability: .durable, home: place.home)
            var findings = try store.database.structuralDamage().map {
                PreferencesFinding(
                    word: "damaged-file",
                    message:
                        "the structure of \(name) is damaged: \($0); put it back from a backup, with all files of its name",
                    count: 1)
            }
            if let finding = try store.database.examineRows() {
                findings.append(PreferencesFinding(finding, name, accepting: store.database.kind.acceptCommand))
            }
            guard place.domain == .device || place.home.keybag.lockState != .beforeFirstUnlock else { return findings }
            let damaged = try store.loadAll().damaged
            if damaged > 0 {
                findings.append(
                    PreferencesFinding(
                        word: "damaged-preference",
                        message:
                            "\(damaged) preferences in \(name) are damaged, the others are not; set them again or remove them",
                        count: damaged))
            }
            return findings
        } catch {
            let error = PreferencesError(error)
            return [PreferencesFinding(word: "damaged-file", message: error.message, count: 1)]
        }
    }
}

extension PreferencesFinding {
    fileprivate init(_ finding: RowsFinding, _ name: String, accepting command: String) {
        let what =
            switch finding {
            case .missing: "a preference was removed from \(name) by a program without the keys"
            case .older: "an older state of a preference was put back into \(name)"
            case .resurrected: "a preference that had been removed was put back into \(name)"
            case .several(let present, let expected):
                "\(name) has \(present) rows where there should be \(expected), or some are older states of themselves"
            }
        self.init(
            word: "rows-differ",
            message: "\(what); put the file back from a backup, or accept what is there: \(command)",
            count: 1)
    }
}
