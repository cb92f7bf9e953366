// SPDX-License-Identifier: Apache-2.0

import AuditModel
import AuditRules
import Findings
import Foundation
import Testing

/// Each rule that joins files or functions, on a vector from which the join is taken away: the answer must turn.
@Suite("Joins of the rules")
struct JoinTests {
    private func lines(_ rule: any Rule, in vector: String, changing: [(String, String)] = []) throws -> [String] {
        let folder = "\(VectorTests.folder)/\(type(of: rule).description.id)/\(vector)"
        var unused = Set(changing.map(\.0))
        let sources = try FileManager.default.contentsOfDirectory(atPath: folder).sorted().map { name in
            var text = String(decoding: try Data(contentsOf: URL(filePath: "\(folder)/\(name)")), as: UTF8.self)
            for (old, new) in changing where text.contains(old) {
                text = text.replacing(old, with: new)
                unused.remove(old)
            }
            return (path: name, text: text)
        }
        #expect(unused.isEmpty, "the vector has changed")
        return rule.examine(ProjectModel.read(sources: sources)).filter { $0.certainty >= .likely }.map {
            "\($0.place.file):\($0.place.line)"
        }.sorted()
    }

    // Rule: an outlet joins a field with the class that makes it secure
    @Test func `without the superclass or the outlet a secure field is found`() throws {
        #expect(try lines(SecureEntry(), in: "fine-outlet") == [])
        #expect(
            try lines(
                SecureEntry(), in: "fine-outlet",
                changing: [
                    ("LoginController: BaseController", "LoginController: UIViewController")
                ]
            ).count == 1)
        let without = try lines(
            SecureEntry(), in: "fires-storyboard",
            changing: [("<outlet property=\"passwordField\" destination=\"two\" id=\"o2\"/>", "")])
        #expect(without == ["Login.storyboard:10", "Login.storyboard:12"])
    }

    // Rule: a field is as secure as its class
    @Test func `without the superclass that makes it secure a field is found`() throws {
        #expect(
            try lines(SecureEntry(), in: "fine-class", changing: [("isSecureTextEntry = true", "isEnabled = true")])
                .count == 2)
    }

    // Rule: a request is followed to the function that sends it
    @Test func `without the hop a request in plain HTTP isn't one`() throws {
        let hop = try lines(TransportSecurity(), in: "fires", changing: [("send(to: url)\n    }", "open(url)\n    }")])
        #expect(!hop.contains("Send.swift:7"))
        #expect(try lines(TransportSecurity(), in: "fires").contains("Send.swift:7"))
    }

    // Rule: a certificate is judged by what the delegate calls
    @Test func `without the evaluation every certificate is accepted`() throws {
        #expect(try lines(TransportSecurity(), in: "fine-pinned") == [])
        let open = [
            (
                "guard let trust = challenge.protectionSpace.serverTrust, isPinned(trust) else",
                "guard let trust = challenge.protectionSpace.serverTrust else"
            )
        ]
        #expect(try lines(TransportSecurity(), in: "fine-pinned", changing: open).count == 1)
    }

    // Rule: an item that was looked for is no duplicate
    @Test func `without the look-up one call away a duplicate is unanswered`() throws {
        #expect(
            try lines(
                KeychainUse(), in: "fine-lookup",
                changing: [
                    ("if exists(item) {", "if known {"),
                    ("SecItemUpdate(item as CFDictionary, change as CFDictionary)", "errSecSuccess"),
                ]
            ).count == 1)
    }

    // Rule: a view reads what its own storyboard wrote
    @Test func `without the superclass a view's decoding is an archive's`() throws {
        #expect(
            try lines(Archives(), in: "fine-view", changing: [("class BaseBadge: UIView", "class BaseBadge: NSObject")])
                .count == 1)
    }

    // Rule: a field of SwiftUI is joined with its property
    @Test func `without the outlet autocorrection that code switches off is on`() throws {
        #expect(
            try lines(
                KeyboardCache(), in: "fine-code",
                changing: [("<outlet property=\"answerField\" destination=\"a\" id=\"o\"/>", "")]
            ).count == 1)
    }
}
