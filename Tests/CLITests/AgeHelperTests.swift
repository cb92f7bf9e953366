// SPDX-License-Identifier: Apache-2.0

import Foundation
import Keychains
import SecretMemory
import TestSupport
import Testing

@testable import Credentials

/// Input of the helpers for age, askpass and systemd from outside. The helpers themselves are driven by the real
/// programs in the transcripts.
@Suite struct AgeHelperTests {
    /// A small generator whose numbers come again with the same seed.
    private struct Numbers: RandomNumberGenerator {
        var state: UInt64
        mutating func next() -> UInt64 {
            state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
            return state ^ (state >> 29)
        }
    }

    @Test func `Bech32 comes back, and one letter that is wrong is noticed`() throws {
        let seed = FuzzBudget.seed(environment: ProcessInfo.processInfo.environment)
        print("seed \(seed)")
        var numbers = Numbers(state: seed)
        for count in [0, 1, 4, 5, 31, 32, 33, 200] {
            let bytes = (0..<count).map { _ in UInt8.random(in: 0...255, using: &numbers) }
            let text = Bech32.encode("age-plugin-zamok-", bytes)
            #expect(Bech32.decode(text)?.bytes == bytes)
            #expect(Bech32.decode(text.uppercased())?.bytes == bytes)
            guard let place = text.indices.randomElement(using: &numbers) else { continue }
            var other = text
            other.replaceSubrange(place...place, with: text[place] == "q" ? "p" : "q")
            #expect(Bech32.decode(other).map { $0.prefix == "age-plugin-zamok-" } != true)
        }
        // BIP 173, and what is nearly one.
        #expect(Bech32.decode("A12UEL5L")?.prefix == "a")
        for text in ["", "1", "a1", "A12uel5l", "a12uel5m", "\u{7F}1axkwrx", "10a06t8", "1qzzfhee", "aé12uel5l"] {
            #expect(Bech32.decode(text) == nil, "\(text)")
        }
    }

    @Test func `a conversation that is cut off, changed or invented never traps`() throws {
        let seed = FuzzBudget.seed(environment: ProcessInfo.processInfo.environment)
        print("seed \(seed)")
        var numbers = Numbers(state: seed)
        let wholes = [
            "-> add-identity AGE-PLUGIN-ZAMOK-1V9NK2TMVV9C8GMMSD2QPWN\n\n-> recipient-stanza 0 X25519 E8tVxQLOEFhzyo0i9iWwDl6ThXluV2iFGzQQ1Dq5ryo\nagDPLbKgKY0uBIMT11b9h6BPtXDuLg6ZGdjxrChQ+rY\n-> done\n\n-> ok\n\n",
            "-> add-recipient age1x\n\n-> add-identity X\n\n-> wrap-file-key\nAAAAAAAAAAAAAAAAAAAAAA\n-> done\n\n-> ok\n\n",
            "-> \n\n->\n-> recipient-stanza\n\n-> add-identity\n\n-> wrap-file-key x\n=\n-> done\n\n",
        ]
        for turn in 0..<600 {
            var bytes = Array(wholes[turn % wholes.count].utf8)
            for _ in 0..<Int.random(in: 0...4, using: &numbers) {
                let place = Int.random(in: 0..<bytes.count, using: &numbers)
                bytes[place] = UInt8.random(in: 0...255, using: &numbers)
            }
            bytes = Array(bytes.prefix(Int.random(in: 0...bytes.count, using: &numbers)))
            var lines = bytes.split(separator: 10, omittingEmptySubsequences: false)[...]
            let said = Said()
            let next = { try lines.popFirst().map { try Secret(copying: $0) } }
            let helper = AgeHelper(
                { throw KeychainError(.locked, "locked") }, read: next,
                write: { said.text += try String(exposing: $0) ?? "" })
            #expect(try helper.run(turn.isMultiple(of: 2) ? "identity-v1" : "recipient-v1"))
            #expect(said.text.isEmpty || said.text.hasPrefix("-> "))
            #expect(!said.text.contains("file-key"))
        }
    }

    private final class Said { var text = "" }

    @Test func `only a question for a known secret is one`() {
        typealias Question = AskPassQuestion
        #expect(Question("Enter passphrase for key '/a b/id':  ") == .item(service: "ssh", account: "/a b/id"))
        #expect(Question("Enter passphrase for /x/id: ") == .item(service: "ssh", account: "/x/id"))
        #expect(Question("[sudo] password for anna: ") == .item(service: "sudo", account: "anna"))
        #expect(Question("anna@host's password: ") == .item(service: "ssh", account: "anna@host"))
        #expect(Question("(anna@host) anna@host's password: ") == .item(service: "ssh", account: "anna@host"))
        #expect(
            Question("Password for 'https://anna%40b@example.com:8443': ")
                == .web(transport: "https", host: "example.com:8443", user: "anna@b", wantsUser: false))
        // What a server can put there, behind its own name or before another's.
        for prompt in [
            "(anna@evil) Enter passphrase for key '/id': ", "(anna@evil) anna@host's password: ", "Password: ",
            "evil anna@host's password: ", "Enter passphrase for key '/id': now", "[sudo] password for : ", "", ":",
            "Password for 'https://github.com/@evil.example': ", "Password for 'https://github.com\\@evil.example': ",
            "Password for 'https://anna:x@github.com': ", "Password for 'https://anna@b@github.com': ",
            "Password for 'https://anna%2F@github.com': ", "Password for 'https://github.com.': ",
            "Password for 'https://github.com:0443': ", "Password for 'https://g\u{456}thub.com': ",
            "Password for 'https://github.com?@evil.example': ", "Password for 'HTTPS://github.com': ",
            "Bad passphrase, try again for /id: ", "Password for 'example.com': ", "Password for 'https://': ",
        ] { #expect(Question(prompt) == nil, "\(prompt)") }
    }

    @Test func `only an address of systemd's names a credential`() {
        func peer(_ text: String) -> SystemdPeer? { SystemdPeer(address: Array(text.utf8)) }
        #expect(peer("\0" + "0f/unit/app@1.service/token")?.unit == "app@1.service")
        for text in [
            "", "\0", "0f/unit/a/b", "\0" + "0f/unit/a", "\0/unit/a/b", "\0" + "0f/unit//b", "\0" + "0f/unit/a/b/c",
        ] {
            #expect(peer(text) == nil)
        }
        #expect(SystemdPeer(address: [0, 0xFF] + Array("/unit/a/b".utf8)) == nil)
    }
}
