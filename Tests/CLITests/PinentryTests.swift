// SPDX-License-Identifier: Apache-2.0

import DataProtection
import Foundation
import SecretMemory
import TestSupport
import Testing

@testable import ZamokCommand

/// What is asked by pinentry, and what its answers come to.
@Suite struct PinentryTests {
    private func answer(_ said: String, after count: Int = 3) throws -> String {
        let typed = Secret(try Pinentry.answer(in: try Secret(said), after: count))
        return String(decoding: typed.exposedBytes, as: UTF8.self)
    }

    private func code(_ said: String) -> DataProtectionError.Code? {
        do { _ = try answer(said) } catch { return (error as? DataProtectionError)?.code }
        return nil
    }

    @Test(arguments: [
        ("OK Pleased\nOK\nOK\nOK\nD tall-grass\nOK\nOK closing\n", "tall-grass"),
        ("OK\nERR 1 no title\nOK\nOK\nD a%25b%0Ac%0a%\u{32}5\nOK\n", "a%b\nc\n%"),
        ("OK\nOK\nOK\nOK\nD a\nD b c \nOK\n", "ab c "),
        ("OK\n# comment\nOK\nS STATUS x\nOK\nOK\nS PASSWORD_FROM_CACHE\nD é\nOK\n", "é"),
        ("OK\nOK\nOK\nOK\nD D OK\nOK\n", "D OK"),
    ])
    func `what was typed is what came before the answer to the question`(said: String, typed: String) throws {
        #expect(try answer(said) == typed)
    }

    // Rule: an answer of pinentry is one to a question | data taken at any time | it gives a passcode
    @Test func `a refusal, nothing typed, and what is no answer give no passcode`() {
        for cancelled in [
            "OK\nOK\nOK\nOK\nERR 83886179 Operation cancelled <Pinentry>\n", "OK\nOK\nOK\nOK\nOK\n",
            "OK\nOK\nOK\nOK\nD x\nERR 1\n",
            // Data of an earlier answer is none of this one.
            "OK\nD x\nOK\nOK\nOK\nOK\n",
        ] { #expect(code(cancelled) == .cancelled, "\(cancelled)") }
        for none in [
            "", "OK\nOK\nOK\nOK\n", "OK\nOK\nOK\nOK\nD x", "OK\nOK\nOK\nOK\nD x%2\nOK\n",
            "OK\nOK\nOK\nOK\nD x%zz\nOK\n", "nonsense\n",
        ] {
            #expect(code(none) == .noTerminal, "\(none)")
        }
    }

    /// A pinentry that is a script.
    private func program(_ lines: String) throws -> (folder: String, Pinentry) {
        let folder = FileManager.default.temporaryDirectory.appending(path: "zamok pinentry \(UUID().uuidString)").path
        try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
        let path = folder + "/pinentry"
        #expect(
            FileManager.default.createFile(
                atPath: path, contents: Data("#!/bin/sh\ncd \"${0%/*}\"\n\(lines)".utf8),
                attributes: [.posixPermissions: 0o700]))
        return (folder, Pinentry(path: path))
    }

    @Test func `it is told what to ask, and its answer is taken`() throws {
        let (folder, pinentry) = try program(
            "echo OK; while read -r line; do echo \"$line\" >> asked; case $line in GETPIN) echo 'D tall%25grass';; esac; echo OK; done"
        )
        defer { try? FileManager.default.removeItem(atPath: folder) }
        let request = PromptRequest(purpose: .passcode, reason: "a program wants\n100% of it")
        let typed = Secret(try pinentry.answer(request))
        #expect(typed.exposedBytes == Array("tall%grass".utf8))
        #expect(
            try String(contentsOfFile: folder + "/asked", encoding: .utf8)
                == "SETTITLE zamok\nSETDESC zamok: a program wants 100%25 of it\nSETPROMPT Passcode:\nGETPIN\nBYE\n")
    }

    @Test func `a question that no client waits for ends its program, and one that was not asked is not begun`()
        throws
    {
        let (folder, pinentry) = try program("echo $$ > pid; exec sleep 60")
        defer { try? FileManager.default.removeItem(atPath: folder) }
        let process = AskingProcess()
        let request = PromptRequest(purpose: .passcode, reason: "")
        let thread = Thread {
            while (try? String(contentsOfFile: folder + "/pid", encoding: .utf8))?.hasSuffix("\n") != true {
                usleep(1000)
            }
            process.end()
        }
        thread.start()
        let begin = ContinuousClock.now
        #expect(throws: DataProtectionError.self) { _ = try pinentry.answer(request, by: process) }
        #expect(ContinuousClock.now - begin < .seconds(30))
        let number = try #require(
            Int32(
                try String(contentsOfFile: folder + "/pid", encoding: .utf8).trimmingCharacters(
                    in: .whitespacesAndNewlines)))
        #expect(kill(number, 0) != 0)
        try FileManager.default.removeItem(atPath: folder + "/pid")
        #expect(throws: DataProtectionError.self) { _ = try pinentry.answer(request, by: process) }
        #expect(!FileManager.default.fileExists(atPath: folder + "/pid"))
    }
}
