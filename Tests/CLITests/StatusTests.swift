// SPDX-License-Identifier: Apache-2.0

import AppUsers
import DataProtection
import Foundation
import InterfaceProtection
import KeychainEngine
import ProtectedFiles
import ProvisioningProfiles
import SecretMemory
import Statuses
import SyncEngines
import SyncLog
import TerminalPrivacy
import Testing
import UserPreferences

@testable import ZamokCommand

/// One cause has one number, whichever module tells it: Documentation/Statuses.md.
@Suite struct StatusTests {
    private struct Row {
        let type: String
        let code: String
        let status: Status?
    }

    /// Every code of every error that leaves a module.
    private static let codes: [Row] = {
        func rows<E: StatusError>(_ type: E.Type) -> [Row] {
            E.Code.all.map { Row(type: "\(type)", code: $0.codeName, status: $0.status) }
        }
        return rows(SecretMemoryError.self) + rows(DataProtectionError.self) + rows(KeychainError.self)
            + rows(ProtectedFileError.self) + rows(PreferencesError.self) + rows(AppUsersError.self)
            + rows(ProfileError.self) + rows(SecretFieldError.self) + rows(MessageError.self)
            + rows(TerminalError.self) + rows(SyncLogError.self) + rows(SyncEngineError.self)
    }()

    @Test func `every code has a number that the table knows, or leaves it to the error underneath`() {
        #expect(Self.codes.count > 150)
        for row in Self.codes {
            guard let status = row.status else {
                #expect(["home", "store", "stopped"].contains(row.code), "\(row.type).\(row.code)")
                continue
            }
            #expect(status.name != nil, "\(row.type).\(row.code): \(status.rawValue)")
        }
    }

    @Test func `codes of one name have one number in all modules`() {
        for (name, rows) in Dictionary(grouping: Self.codes, by: \.code) {
            #expect(Set(rows.map(\.status)).count == 1, "\(name) in \(rows.map(\.type))")
        }
    }

    @Test func `a number of the table and its name lead to each other`() {
        for row in Status.table {
            let code = KeychainError.Code(rawValue: row.rawValue)
            #expect(code.status?.rawValue == row.rawValue)
            #expect(KeychainError.Code(name: row.name) == code)
            #expect(code.name == row.name)
            #expect(code.meaning == row.meaning)
        }
        #expect(Set(Status.table.map(\.name)).count == Status.table.count)
        #expect(Status.table.map(\.rawValue) == Set(Status.table.map(\.rawValue)).sorted(by: >))
        #expect(KeychainError.Code(rawValue: -1).name == nil)
        #expect(KeychainError.Code(rawValue: -1).status?.rawValue == -1)
    }

    @Test func `an error is known by its code, and has what a person needs`() throws {
        let cause = SecretMemoryError(.outOfMemory, "no memory")
        let error = KeychainError(cause)
        #expect(error == KeychainError(.outOfMemory, "another message"))
        #expect(error.message == cause.message)
        #expect(error.status == -108 && cause.status == -108)
        #expect((error.cause as? SecretMemoryError) == cause)
        #expect(error.location.hasPrefix("CLITests/StatusTests.swift:"))
        // Through two borders.
        let locked = DataProtectionError(.wrongPasscode, "wrong")
        #expect(ProtectedFileError(locked, about: "/f").status == locked.status)
        #expect(AppUsersError(PreferencesError(locked)).status == locked.status)
        #expect(AppUsersError(KeychainError(ProtectedFileError(.damaged, "d"))).status == -26_275)
        #expect(CommandFailure(AppUsersError(PreferencesError(locked)))?.exitStatus == 51)
        // A border passes on what is its own already.
        let own = #expect(throws: KeychainError.self) {
            try KeychainError.mapping { throw KeychainError(.itemNotFound, "there is none") }
        }
        #expect(own?.message == "there is none")
    }

    @Test func `an unforeseen error is not called damage`() {
        struct Unforeseen: Error {}
        #expect(DataProtectionError(Unforeseen(), about: nil).code == .internalFailure)
        #expect(KeychainError(Unforeseen()).code == .internalComponent)
        #expect(PreferencesError(Unforeseen()).code == .internalFailure)
        #expect(AppUsersError(Unforeseen()).code == .internalFailure)
        let stopped = ProtectedFileError(Unforeseen(), about: "/f")
        #expect(stopped.code == .stopped && stopped.asStatus == .internalComponent)
    }

    @Test func `the command's own exit statuses are used by no other error`() {
        let own = [
            ExitStatus.findings, ExitStatus.notRun, ExitStatus.inPart, ExitStatus.usage, ExitStatus.notSetUp,
            ExitStatus.notStarted, ExitStatus.noProgram,
        ]
        #expect(Set(own).count == own.count)
        #expect(Set(own).isDisjoint(with: Status.table.dropFirst().map { Status(rawValue: $0.rawValue).exitStatus }))
    }

    @Test func `the page of statuses has each of them`() throws {
        let url = ReadmeTests.readme.deletingLastPathComponent().appending(path: "Documentation/Statuses.md")
        let page = try String(contentsOf: url, encoding: .utf8)
        let rows = page.split(separator: "\n").filter { $0.hasPrefix("| ") }.dropFirst()
        let wanted = ExitStatus.table.map { "| \($0.status) | \($0.name) | \($0.meaning) |" }
        #expect(Array(rows.map(String.init)) == wanted, "the page should have:\n\(wanted.joined(separator: "\n"))")
    }
}
