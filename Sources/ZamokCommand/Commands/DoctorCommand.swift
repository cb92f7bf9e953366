// SPDX-License-Identifier: Apache-2.0

import AppUsers
import ArgumentParser
import DataProtection
import Keychains
import ProtectedFiles
import UserPreferences

/// `zamok doctor`
struct DoctorCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "doctor",
        abstract: "Examine everything that is stored; repair what is asked for.",
        discussion: """
            Opens every item and every preference and compares everything with everything: what was damaged, removed or put back \
            behind Zamok's back, and stores, users and folder indexes that were there and are not. Nothing is changed unless an option says so, and what is \
            removed is copied to a file beside the keychain first. Unlock before: what is locked can't be examined.

            Setting, removing and rotating a passcode draw new class keys; the old ones are retired, and go by themselves once nothing is left under \
            them. Those of files stay, as a file may lie anywhere. --remove-retired-keys wraps everything anew that can be, files in the folders that \
            Zamok knows and below them included, and removes what nobody there needs any more; what still needs which is told. Files that were copied \
            or moved elsewhere are not found and are lost with their keys: give their folders to zamok files rewrap before. A folder that is not \
            where it was, or whose name another one has, keeps all keys.

            Status: 0 nothing is wrong, 1 something is, 2 not everything could be examined.

            EXAMPLES:
              zamok doctor
              zamok doctor --remove-damaged
              zamok doctor --accept-restored
              zamok doctor --remove-retired-keys
            """
    )

    @OptionGroup var global: GlobalOptions

    @Flag(help: "A backup was put back or a store is gone: go on with what is there.")
    var acceptRestored = false

    @Flag(help: "Remove items that don't open, after copying the whole keychain.")
    var removeDamaged = false

    @Flag(help: "Remove items whose key does not exist any more, too.")
    var removeKeyDestroyed = false

    @Flag(help: "File every item under its own index entries again, after copying the whole keychain.")
    var rebuildIndex = false

    @Flag(help: "Wrap everything anew that is under retired keys, then remove those that nothing needs, files' too.")
    var removeRetiredKeys = false

    @Flag(
        help:
            "With --remove-retired-keys: folders of protected files that are not where they were are gone for good; keep no keys for them."
    )
    var forgetMissingFolders = false

    @Flag(help: "Print a JSON object.")
    var json = false

    func validate() throws {
        guard removeRetiredKeys || !forgetMissingFolders else {
            throw ValidationError("--forget-missing-folders goes with --remove-retired-keys.")
        }
    }

    func run() throws {
        let findings: [DoctorFinding]
        let retired: RetiredKeys
        var repairs: [(String, KeychainRepair)] = []
        do {
            let home = try Session.openUnlocked(global.choice)
            let doctor = KeychainDoctor(home: home)
            let preferences = PreferencesDoctor(home: home)
            if acceptRestored {
                try doctor.acceptRestoredCopy()
                try preferences.acceptRestoredCopy()
            }
            if removeDamaged || removeKeyDestroyed {
                repairs.append(("removed", try doctor.removeDamaged(includingDestroyedKeys: removeKeyDestroyed)))
            }
            if rebuildIndex { repairs.append(("filed anew", try doctor.rebuildIndex())) }
            retired = try retiredKeys(home)
            findings =
                try Self.examine(doctor) + preferences.examine().map(DoctorFinding.init)
                + ProtectedFilesDoctor(home: home).examine().map(DoctorFinding.init)
                + UsersDoctor(home: home).examine().map(DoctorFinding.init)
        } catch {
            guard let failure = CommandFailure(error), failure.exitStatus != 64 else { throw error }
            throw CommandFailure(exitStatus: 2, message: failure.message)
        }
        try Channel.output.lines(
            json
                ? [FindingPrinter.json(findings, repairs, retired).line]
                : FindingPrinter.lines(findings, repairs)
                    + RetiredKeysPrinter.lines(retired, removing: removeRetiredKeys)
        )
        throw CommandFailure.silent(Self.status(findings))
    }

    private func retiredKeys(_ home: Home) throws -> RetiredKeys {
        HomeStores.open(home)
        if forgetMissingFolders {
            for folder in try ProtectedFileStore(home: home).forgetMissingFolders() {
                try Channel.error.line("forgotten: \("\(folder)".printable)")
            }
        }
        return removeRetiredKeys ? try home.keybag.removeRetiredKeys() : try home.keybag.retiredKeys()
    }

    private static func examine(_ doctor: KeychainDoctor) throws(KeychainError) -> [DoctorFinding] {
        do {
            _ = try doctor.purge()
            return try doctor.examine().map(DoctorFinding.init)
        } catch  where error.code == .damaged {
            return [DoctorFinding(error)]
        }
    }

    private static func status(_ findings: [DoctorFinding]) -> Int32 {
        if findings.contains(where: { $0.severity != .note }) { return 1 }
        return findings.contains { $0.word == KeychainFinding.Kind.notExamined.word } ? 2 : 0
    }
}
