// SPDX-License-Identifier: Apache-2.0

import ArgumentParser
import DataProtection
import ProtectedFiles

/// `zamok files`
struct FilesCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "files",
        abstract: "Protect files with a protection class, and use them.",
        discussion: """
            A file's class says when it can be read: complete while unlocked; complete-unless-open likewise, but such a file can be made \
            while locked; complete-until-first-user-authentication from the first unlock on; none always. The raw values of \
            FileProtectionType, NSFileProtectionComplete for example, are understood too.

            EXAMPLES:
              zamok files protect notes.txt --class complete
              zamok files cat notes.txt
              zamok files audit ~/Documents
            """,
        subcommands: [
            FilesProtect.self, FilesOpen.self, FilesCat.self, FilesInfo.self, FilesReclassify.self, FilesVerify.self,
            FilesRepair.self, FilesAudit.self, FilesRewrap.self, FilesDefault.self, FilesIndex.self,
        ]
    )

    /// The store of the home, for what needs keys.
    static func unlockedStore(_ choice: HomeChoice) throws -> ProtectedFileStore {
        ProtectedFileStore(home: try Session.openUnlocked(choice))
    }

    /// The store of the home as it is.
    static func store(_ choice: HomeChoice) throws -> ProtectedFileStore {
        ProtectedFileStore(home: try Session.open(choice))
    }
}
