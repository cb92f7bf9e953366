// SPDX-License-Identifier: Apache-2.0

import ArgumentParser
import AuditModel
import AuditRules
import Findings

@main
struct ZamokAudit: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "zamok-audit", abstract: "Find in an app's sources what leaks its users' data.")

    func run() throws {}
}
