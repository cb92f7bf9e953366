// SPDX-License-Identifier: Apache-2.0

import Foundation
import ProvisioningProfiles
import Testing

struct CatalogueTests {
    private var repository: URL {
        URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent()
    }
    private var documentation: URL { repository.appending(path: "Documentation") }

    @Test func `the catalogue in the documentation is that of the code`() throws {
        let text = try String(contentsOf: documentation.appending(path: "ProfileFindings.md"), encoding: .utf8)
        let rows = text.split(separator: "\n").filter { $0.hasPrefix("| `") }.map(String.init)
        let expected = Rule.all.map { "| `\($0.id)` | \($0.severity.rawValue) | \($0.title) | \($0.remedy) |" }
        #expect(rows == expected)
    }

    @Test func `every rule of the sources is in the catalogue, so that none escapes its two cases`() throws {
        let folder = repository.appending(path: "Sources/Shipping/ProvisioningProfiles/Checks")
        let files = try FileManager.default.contentsOfDirectory(at: folder, includingPropertiesForKeys: nil)
        let identifiers = try files.flatMap { file in
            try String(contentsOf: file, encoding: .utf8).matches(of: /Rule\(\s*"([a-z0-9-]+)"/).map { String($0.1) }
        }
        #expect(identifiers.sorted() == Rule.all.map(\.id).sorted())
    }

    @Test func `every rule has a name of its own and says what to do`() {
        #expect(Set(Rule.all.map(\.id)).count == Rule.all.count)
        #expect(Rule.all.allSatisfy { $0.title.hasSuffix(".") && $0.remedy.hasSuffix(".") })
    }

    @Test func `the documentation names every option of the command`() throws {
        let text = try String(contentsOf: documentation.appending(path: "ProvisioningProfiles.md"), encoding: .utf8)
        for command in ["show", "verify", "check", "list", "install"] {
            let help = try ProfilesCommand.run([command, "--help"]).output
            let options = help.matches(of: /--[a-z0-9-]+/).map { String($0.output) }.filter {
                $0 != "--help" && $0 != "--version"
            }
            #expect(!options.isEmpty)
            for option in options { #expect(text.contains("`\(option)"), "\(command) \(option)") }
        }
    }
}
