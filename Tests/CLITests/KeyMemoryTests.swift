// SPDX-License-Identifier: Apache-2.0

import Foundation
import KeychainEngine
import TestSupport
import Testing

/// What of private keys is left in an agent's ordinary memory after it signed with them. Of RSA keys parts are (ThreatModel.md).
@Suite(.disabled(if: MemorySearch.isHindered), .enabled(if: geteuid() == 0, "only root reads such a process's memory"))
struct KeyMemoryTests {
    private static let hasPrograms = ["/usr/bin/ssh-add", "/usr/bin/ssh-keygen"].allSatisfy {
        FileManager.default.isExecutableFile(atPath: $0)
    }

    /// Parts of a private key, 16 bytes each, as it is written, and as numbers lie in memory.
    private static func needles(_ key: KeyMaterial) -> [[UInt8]] {
        let bytes = Array(key.externalRepresentation)
        // Of a point with its scalar: the scalar.
        let begins = key.family == .ec ? [bytes.count - 32, bytes.count - 16] : [0, 16]
        return begins.map { Array(bytes[$0..<$0 + 16]) }.flatMap { [$0, $0.reversed()] }
    }

    @Test(.enabled(if: hasPrograms, "this system has no ssh-add"))
    func `after it signed, an agent's memory has no private key of a curve outside its arena`() throws {
        let stage = try Stage()
        guard try stage.has("kernel-keyring") else { return }
        stage.environment["ZAMOK_HOME"] = stage.folder + "/home"
        let socket = stage.folder + "/a/socket-that-is-looked-for"
        stage.environment["SSH_AUTH_SOCK"] = socket
        try stage.expect(
            "umask 077; mkdir a; printf tall-grass > passcode; zamok passcode set --passcode-file passcode 2> log", "")
        var all: [(name: String, needles: [[UInt8]])] = []
        for (name, family, bits) in [("ed", KeyMaterial.Family.ed25519, 256), ("p256", .ec, 256)] {
            let key = try KeyMaterial.generate(family, sizeInBits: bits)
            all.append((name, Self.needles(key)))
            try Data(try #require(OpenSSHKey.pem(of: key, comment: name)).utf8).write(
                to: URL(fileURLWithPath: "\(stage.folder)/\(name)"))
            try stage.expect(
                "chmod 600 \(name); zamok keys import \(name) --name \(name) --ssh > log; zamok keys export \(name) --public --ssh > \(name).pub",
                "")
        }
        try stage.expect("eval \"$(zamok agent --socket \"$SSH_AUTH_SOCK\")\"; echo $SSH_AGENT_PID > pid", "")
        defer { _ = try? stage.run("kill $(cat pid)") }
        try stage.expect("rm ed p256", "")
        for name in all.map(\.name) {
            for _ in 0..<3 {
                try stage.expect("printf x | ssh-keygen -q -Y sign -f \(name).pub -n file > signature 2> log", "")
            }
        }
        let process = try #require(Int32(try stage.run("cat pid").text.trimmingCharacters(in: .whitespacesAndNewlines)))
        // The same search finds what is there.
        #expect(try !MemorySearch.search(process: process, for: [Array(socket.utf8)]).isEmpty)
        for (name, needles) in all {
            let hits = try MemorySearch.search(process: process, for: needles)
            #expect(hits.isEmpty, "\(name): \(hits)")
        }
    }
}
