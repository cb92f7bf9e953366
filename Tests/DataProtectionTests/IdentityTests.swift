// SPDX-License-Identifier: Apache-2.0

import Files
import Foundation
import TestSupport
import Testing

@testable import DataProtection

/// A program's identity, without a line of code that says it.
@Suite struct IdentityTests {
    private let both: [String: Any] = [
        "application-identifier": "TEAM.com.example.app", "keychain-access-groups": ["TEAM.shared", "TEAM.other"],
    ]

    private let folder: TemporaryFolder

    init() throws { folder = try TemporaryFolder() }

    private func put(_ plist: Any, _ path: String) throws {
        let file = folder.url.appendingPathComponent(path)
        try FileManager.default.createDirectory(
            at: file.deletingLastPathComponent(), withIntermediateDirectories: true)
        let format: PropertyListSerialization.PropertyListFormat = path.contains("Contents") ? .binary : .xml
        try PropertyListSerialization.data(fromPropertyList: plist, format: format, options: 0).write(to: file)
    }

    private func discover(_ executable: String = "tool") throws -> ApplicationIdentity {
        try ApplicationIdentity.discover(executable: folder.path(executable), files: FileHooks())
    }

    @Test func `With nothing beside it a program is its file name`() throws {
        #expect(try discover() == ApplicationIdentity(applicationIdentifier: "tool", accessGroups: ["tool"]))
    }

    @Test func `a name of the environment is the identity, with any files beside the program`() throws {
        let named = try ApplicationIdentity.discover(
            executable: folder.path("tool"), files: FileHooks(), named: "com.example.server")
        #expect(
            named
                == ApplicationIdentity(
                    applicationIdentifier: "com.example.server", accessGroups: ["com.example.server"]))
        let empty = try ApplicationIdentity.discover(executable: folder.path("tool"), files: FileHooks(), named: "")
        #expect(empty.applicationIdentifier == "tool")
    }

    @Test func `Of entitlements the listed groups come first, then the application identifier`() throws {
        try put(both, "tool.entitlements")
        let identity = try discover()
        #expect(identity.applicationIdentifier == "TEAM.com.example.app")
        #expect(identity.accessGroups == ["TEAM.shared", "TEAM.other", "TEAM.com.example.app"])
        #expect(!identity.seesAllGroups)
    }

    @Test func `A group is not listed twice`() throws {
        try put(["application-identifier": "one", "keychain-access-groups": ["two", "one"]], "tool.entitlements")
        #expect(try discover().accessGroups == ["two", "one"])
    }

    @Test func `Entitlements that name no application give no group, with any other file there`() throws {
        try put(["get-task-allow": true], "tool.entitlements")
        try put(["CFBundleIdentifier": "com.example.app"], "tool.app/Info.plist")
        #expect(try discover().accessGroups == [])
    }

    @Test(arguments: [
        ("tool", "tool.app/Info.plist"), ("X.app/tool", "X.app/Info.plist"),
        ("X.app/Contents/MacOS/tool", "X.app/Contents/Info.plist"),
    ])
    func `An app's Info.plist names the program`(executable: String, plist: String) throws {
        try put(["CFBundleIdentifier": "com.example.app"], plist)
        let identity = ApplicationIdentity(
            applicationIdentifier: "com.example.app", accessGroups: ["com.example.app"])
        #expect(try discover(executable) == identity)
    }

    @Test func `An Info.plist without any of the keys is passed over`() throws {
        try put(["CFBundleName": "App"], "tool.app/Info.plist")
        #expect(try discover().applicationIdentifier == "tool")
    }

    @Test(arguments: ["no property list", "", String(repeating: "x", count: 1 << 20 + 1)])
    func `A file that can't be read as entitlements is an error, and not taken for none`(text: String) throws {
        try Data(text.utf8).write(to: folder.url.appendingPathComponent("tool.entitlements"))
        #expect(failure { try discover() }?.code == .invalidArgument)
    }

    @Test func `A key that occurs twice is an error: two readers could take different groups`() throws {
        let key = "<key>keychain-access-groups</key>"
        let text = "<plist version=\"1.0\"><dict>\(key)<array><string>a</string></array>\(key)<array/></dict></plist>"
        try Data(text.utf8).write(to: folder.url.appendingPathComponent("tool.entitlements"))
        #expect(failure { try discover() }?.code == .invalidArgument)
    }

    @Test func `Keys of another type are an error`() throws {
        try put(["keychain-access-groups": "one"], "tool.entitlements")
        #expect(failure { try discover() }?.code == .invalidArgument)
    }

    @Test func `A folder in the place of the file is as if nothing were there`() throws {
        try FileManager.default.createDirectory(
            at: folder.url.appendingPathComponent("tool.entitlements"), withIntermediateDirectories: false)
        #expect(try discover().applicationIdentifier == "tool")
    }

    @Test func `The running program is discovered without a word`() throws {
        #expect(try !ApplicationIdentity.discover().applicationIdentifier.isEmpty)
    }
}
