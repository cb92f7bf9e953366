// SPDX-License-Identifier: Apache-2.0

import Foundation
import SecItem
import TestSupport
import Testing

/// Real programs, with and without entitlements beside them, over one home.
@Suite struct AccessGroupProgramTests {
    let home = TemporaryHome()
    let folder: TemporaryFolder

    init() throws { folder = try TemporaryFolder(in: Tool.folder) }

    /// The program under another name; nil: without entitlements. It is a link and no copy. A file that was just
    /// written can't be run while a child of another test still has it open (ETXTBSY). So the folder is on the
    /// programs' own file system.
    private func program(_ name: String, groups: [String]?, identifier: String? = nil) throws -> String {
        try FileManager.default.linkItem(at: Tool.url("keychain-program"), to: folder.url.appendingPathComponent(name))
        if let groups {
            var entitlements: [String: Any] = ["keychain-access-groups": groups]
            entitlements["application-identifier"] = identifier
            try write(entitlements, to: "\(name).entitlements")
        }
        return folder.path(name)
    }

    private func write(_ plist: [String: Any], to name: String) throws {
        let data = try PropertyListSerialization.data(fromPropertyList: plist, format: .xml, options: 0)
        try data.write(to: folder.url.appendingPathComponent(name))
    }

    private func run(_ program: String, _ arguments: String...) throws -> String {
        let answer = try Child(program, arguments, environment: ["ZAMOK_HOME": home.path]).rest()
        #expect(answer.status == 0)
        return answer.text.trimmingCharacters(in: .newlines)
    }

    @Test func `two programs share an item through a group that both are entitled to`() throws {
        let writer = try program("writer", groups: ["team.writer", "team.shared"])
        let reader = try program("reader", groups: ["team.reader", "team.shared"])
        #expect(try run(writer, "add", "service", "account", "shared secret", "team.shared") == "0")
        #expect(try run(reader, "find", "service", "account") == "0 team.shared shared secret")
        #expect(try run(reader, "find", "service", "account", "team.shared") == "0 team.shared shared secret")
    }

    // Rule: an item is seen in the program's access groups alone | every group accepted
    @Test func `what one program keeps for itself the other can't name and does not find`() throws {
        let writer = try program("writer", groups: ["team.writer", "team.shared"])
        let reader = try program("reader", groups: ["team.reader", "team.shared"])
        #expect(try run(writer, "add", "service", "account", "own secret") == "0")
        #expect(try run(writer, "find", "service", "account") == "0 team.writer own secret")
        #expect(try run(reader, "find", "service", "account") == "\(errSecItemNotFound)")
        #expect(try run(reader, "find", "service", "account", "team.writer") == "\(errSecMissingEntitlement)")
        #expect(try run(reader, "add", "service", "account", "x", "team.writer") == "\(errSecMissingEntitlement)")
        #expect(try run(writer, "find", "service", "account") == "0 team.writer own secret")
    }

    @Test func `a program without entitlements has the group of its file name alone`() throws {
        let plain = try program("plain", groups: nil)
        let entitled = try program("entitled", groups: ["team.shared"])
        #expect(try run(plain, "add", "service", "account", "secret") == "0")
        #expect(try run(plain, "find", "service", "account") == "0 plain secret")
        #expect(try run(plain, "find", "service", "account", "team.shared") == "\(errSecMissingEntitlement)")
        #expect(try run(entitled, "find", "service", "account", "plain") == "\(errSecMissingEntitlement)")
    }

    @Test func `entitlements without any group allow nothing`() throws {
        let nobody = try program("nobody", groups: [])
        #expect(try run(nobody, "add", "service", "account", "secret") == "\(errSecMissingEntitlement)")
        #expect(try run(nobody, "find", "service", "account") == "\(errSecMissingEntitlement)")
    }

    @Test func `a bundle's identifier is the program's group`() throws {
        try FileManager.default.createDirectory(
            at: folder.url.appendingPathComponent("Wallet.app"), withIntermediateDirectories: false)
        try write(
            ["CFBundleIdentifier": "org.example.wallet", "CFBundleExecutable": "wallet"], to: "Wallet.app/Info.plist")
        let wallet = try program("Wallet.app/wallet", groups: nil)
        #expect(try run(wallet, "identity") == "org.example.wallet")
        #expect(try run(wallet, "add", "service", "account", "secret") == "0")
        #expect(try run(wallet, "find", "service", "account") == "0 org.example.wallet secret")
    }

    @Test func `an item under an empty service is told in a warning, once`() throws {
        let plain = try program("plain", groups: nil)
        let process = Process()
        process.executableURL = URL(fileURLWithPath: plain)
        process.arguments = ["add", "", "account", "secret"]
        process.environment = ["ZAMOK_HOME": home.path]
        let said = Pipe()
        process.standardError = said
        process.standardOutput = said
        try process.run()
        let text = String(decoding: said.fileHandleForReading.readDataToEndOfFile(), as: UTF8.self)
        process.waitUntilExit()
        #expect(text.contains("empty service"))
        #expect(text.contains("Info.plist"))
        #expect(!text.contains("secret\n"))
    }
}
