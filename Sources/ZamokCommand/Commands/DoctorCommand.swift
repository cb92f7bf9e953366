// SPDX-License-Identifier: Apache-2.0

import ArgumentParser
import DataProtection
import Keychains

/// `zamok doctor`
struct DoctorCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "doctor",
        abstract: "Examine everything that is stored; repair what is asked for.",
        discussion: """
            Opens every item and compares everything with everything. Nothing is changed unless an option says so, and what is \
            removed is copied to a file beside the keychain first. Unlock before: what is locked can't be examined.

            Status: 0 nothing is wrong, 1 something is, 2 not everything could be examined.

            EXAMPLES:
              zamok doctor
              zamok doctor --remove-damaged
              zamok doctor --accept-restored
            """
    )

    @OptionGroup var global: GlobalOptions

    @Flag(help: "A backup was put back and its keys are older than the items: go on with them.")
    var acceptRestored = false

    @Flag(help: "Remove items that don't open, after copying the whole keychain.")
    var removeDamaged = false

    @Flag(help: "Remove items whose key does not exist any more, too.")
    var removeKeyDestroyed = false

    @Flag(help: "File every item under its own index entries again, after copying the whole keychain.")
    var rebuildIndex = false

    @Flag(help: "Print a JSON object.")
    var json = false

    func run() throws {
        let findings: [KeychainFinding]
        var repairs: [(String, KeychainRepair)] = []
        do {
            let home = try Session.openUnlocked(global.choice)
            let doctor = KeychainDoctor(home: home)
            if acceptRestored { try doctor.acceptRestoredCopy() }
            if removeDamaged || removeKeyDestroyed {
                repairs.append(("removed", try doctor.removeDamaged(includingDestroyedKeys: removeKeyDestroyed)))
            }
            if rebuildIndex { repairs.append(("filed anew", try doctor.rebuildIndex())) }
            _ = try doctor.purge()
            findings = try doctor.examine()
        } catch {
            guard let failure = CommandFailure(error), failure.exitStatus != 64 else { throw error }
            throw CommandFailure(exitStatus: 2, message: failure.message)
        }
        try Channel.output.lines(
            json ? [FindingPrinter.json(findings, repairs).line] : FindingPrinter.lines(findings, repairs)
        )
        throw CommandFailure.silent(Self.status(findings))
    }

    private static func status(_ findings: [KeychainFinding]) -> Int32 {
        if findings.contains(where: { $0.severity != .note }) { return 1 }
        return findings.contains { $0.kind == .notExamined } ? 2 : 0
    }
}
