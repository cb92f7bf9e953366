// SPDX-License-Identifier: Apache-2.0

import ArgumentParser
import Foundation
import ProvisioningProfiles

struct Install: ParsableCommand {
    static let configuration = CommandConfiguration(
        abstract: "Put a profile into Xcode's folder under its UUID.",
        discussion: """
            Only profiles that Apple signed are installed, unless --allow-unverified is given. Prints the path.

            EXAMPLES:
              zamok profiles install App.mobileprovision
              zamok profiles install App.mobileprovision --folder Signing
            """)

    @Argument(help: "The profile.")
    var file: String

    @Option(help: ArgumentHelp("Another folder than that of Xcode 16 and later.", valueName: "folder"))
    var folder: String?

    @Flag(help: "Install a profile that does not verify.")
    var allowUnverified = false

    func run() throws {
        let home = ProcessInfo.processInfo.environment["HOME"] ?? ""
        let target = folder ?? "\(home)/\(ProfileFolders.current)"
        do throws(ProfileError) {
            let profile = try UnverifiedProfile(contentsOf: file)
            if !allowUnverified { try verify(profile) }
            Report.print(try ProfileFolders.install(contentsOf: file, into: target).printable)
        } catch {
            throw Run.failed(error)
        }
    }

    private func verify(_ profile: UnverifiedProfile) throws(ProfileError) {
        do throws(ProfileError) {
            _ = try profile.verified()
        } catch {
            let message = "\(file) is not installed: \(error.message); --allow-unverified installs it all the same"
            throw ProfileError(error.code, message, part: error.part)
        }
    }
}
