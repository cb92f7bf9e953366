// SPDX-License-Identifier: Apache-2.0

import Foundation
import KeychainEngine
import SecurityTypes
import TestSupport
import Testing

@testable import Credentials

/// What of private keys is left in a process's ordinary memory after it used them, of RSA keys each of their numbers.
@Suite(.disabled(if: MemorySearch.isHindered), .enabled(if: geteuid() == 0, "only root reads such a process's memory"))
struct KeyMemoryTests {
    private static let hasPrograms = ["/usr/bin/ssh-add", "/usr/bin/ssh-keygen"].allSatisfy {
        FileManager.default.isExecutableFile(atPath: $0)
    }
    private static let kinds: [(name: String, family: KeyMaterial.Family, bits: Int)] = [
        ("ed", .ed25519, 256), ("p256", .ec, 256), ("p521", .ec, 521), ("rsa", .rsa, 2048), ("x", .x25519, 256),
    ]

    /// The numbers of a private key.
    private static func numbers(_ key: KeyMaterial) throws -> [[UInt8]] {
        let bytes = Array(key.externalRepresentation)
        switch key.family {
        // Behind the point.
        case .ec: return [Array(bytes.suffix((key.sizeInBits + 7) / 8))]
        case .rsa: return Array(try integers(bytes).dropFirst(3))
        default: return [bytes]
        }
    }

    /// Those of PKCS#1: version, modulus, both exponents, both primes, what belongs to them.
    private static func integers(_ der: [UInt8]) throws -> [[UInt8]] {
        var rest = der[4...]
        var found: [[UInt8]] = []
        while let tag = rest.popFirst(), let first = rest.popFirst() {
            try #require(tag == 2)
            let size = first < 128 ? Int(first) : rest.prefix(Int(first & 127)).reduce(0) { $0 << 8 | Int($1) }
            if first >= 128 { rest = rest.dropFirst(Int(first & 127)) }
            found.append(Array(rest.prefix(size).drop { $0 == 0 }))
            rest = rest.dropFirst(size)
        }
        try #require(found.count == 9)
        return found
    }

    /// Parts of a private key, 16 bytes each, as it is written, and as numbers lie in memory.
    private static func needles(_ key: KeyMaterial) throws -> [[UInt8]] {
        try numbers(key).flatMap { number in
            [number.prefix(16), number.dropFirst(number.count / 2).prefix(16), number.suffix(16)].map { Array($0) }
        }.flatMap { [$0, $0.reversed()] }
    }

    private static func expectNone(_ process: Int32, _ needles: [[UInt8]], _ what: String) throws {
        let hits = try MemorySearch.search(process: process, for: needles)
        #expect(hits.isEmpty, "\(what): \(hits)")
    }

    private static func write(_ text: String, _ stage: Stage, _ name: String) throws {
        #expect(
            FileManager.default.createFile(
                atPath: "\(stage.folder)/\(name)", contents: Data(text.utf8), attributes: [.posixPermissions: 0o600]))
    }

    /// A home with a passcode, and a key of each kind.
    private static func scene(
        _ kinds: [(name: String, family: KeyMaterial.Family, bits: Int)]
    ) throws -> (
        stage: Stage, keys: [(name: String, key: KeyMaterial)]
    ) {
        let stage = try Stage()
        stage.environment["ZAMOK_HOME"] = stage.folder + "/home"
        try stage.expect(
            "umask 077; mkdir a; printf tall-grass > passcode; zamok passcode set --passcode-file passcode 2> log", "")
        let keys = try kinds.map { kind in
            let key = try KeyMaterial.generate(kind.family, sizeInBits: kind.bits)
            try write(try #require(key.pem), stage, kind.name)
            let offered = kind.family == .x25519 ? "" : "--ssh"
            try stage.expect("zamok keys import \(kind.name) --name \(kind.name) \(offered) > log", "")
            return (kind.name, key)
        }
        return (stage, keys)
    }

    @Test(.enabled(if: hasPrograms, "this system has no ssh-add"))
    func `after it signed, an agent's memory has no private key outside its arena`() throws {
        let (stage, keys) = try Self.scene(Self.kinds.filter { $0.family != .x25519 })
        guard try stage.has("kernel-keyring") else { return }
        let socket = stage.folder + "/a/socket-that-is-looked-for"
        stage.environment["SSH_AUTH_SOCK"] = socket
        for (name, _) in keys {
            try stage.expect("zamok keys export \(name) --public --ssh > \(name).pub; rm \(name)", "")
        }
        try stage.expect("eval \"$(zamok agent --socket \"$SSH_AUTH_SOCK\")\"; echo $SSH_AGENT_PID > pid", "")
        defer { _ = try? stage.run("kill $(cat pid)") }
        for (name, _) in keys {
            for _ in 0..<3 {
                try stage.expect("printf x | ssh-keygen -q -Y sign -f \(name).pub -n file > signature 2> log", "")
            }
        }
        let process = try #require(Int32(try stage.run("cat pid").text.trimmingCharacters(in: .whitespacesAndNewlines)))
        // The same search finds what is there.
        #expect(try !MemorySearch.search(process: process, for: [Array(socket.utf8)]).isEmpty)
        for (name, key) in keys { try Self.expectNone(process, try Self.needles(key), name) }
    }

    // Rule: a token that signed and decrypted keeps no private key in ordinary memory | freed blocks neither cleared
    //   nor overwritten | it is found there
    @Test func `after it signed and decrypted, a token's memory has no private key outside its arena`() throws {
        let (stage, keys) = try Self.scene(Self.kinds.filter { [.ec, .rsa].contains($0.family) })
        guard try stage.has("kernel-keyring") else { return }
        let token = try TokenProcess(environment: stage.environment)
        let own = try token.privateKeys()
        #expect(own.count == keys.count)
        for handle in own {
            for _ in 0..<3 {
                // Each key has one of the two mechanisms.
                let made = [0x40, 0x1041].compactMap {
                    try? token.use(.signInit, .sign, $0, handle, [UInt8](repeating: 7, count: 32))
                }
                #expect(made.count == 1)
            }
        }
        let rsa = try #require(keys.last { $0.key.family == .rsa }?.key)
        let algorithm = try #require(KeyAlgorithm("algid:encrypt:RSA:PKCS1"))
        let sealed = try #require(rsa.publicKey).encrypt(Data("message".utf8), algorithm)
        let opened = own.compactMap { try? token.use(.decryptInit, .decrypt, 1, $0, Array(sealed)) }
        #expect(opened == [Array("message".utf8)])
        #expect(try !MemorySearch.search(process: token.id, for: [Array(stage.folder.utf8)]).isEmpty)
        for (name, key) in keys { try Self.expectNone(token.id, try Self.needles(key), name) }
    }

    // Rule: zamok keys leaves no private key in ordinary memory, nor the text of its file | freed blocks neither
    //   cleared nor overwritten | both are found when it has ended
    @Test func `when it is done, a command that had a private key has it nowhere in ordinary memory`() throws {
        // The smaller curve is in the others' tests.
        let (stage, keys) = try Self.scene(Self.kinds.filter { $0.name != "p256" })
        guard try stage.has("kernel-keyring") else { return }
        try Self.write("long-enough-1", stage, "phrase")
        let faults = try FaultInjector(folder: URL(fileURLWithPath: stage.folder))
        /// Looks at the command when it is about to end.
        func look(_ words: [String], _ needles: () throws -> [[UInt8]]) throws {
            let variables = stage.environment.merging(faults.environment(stops: true, program: "zamok")) { $1 }
            let child = try Child(Stage.binary, words, environment: variables)
            try child.awaitStop()
            #expect(try !MemorySearch.search(process: child.id, for: [Array(stage.folder.utf8)]).isEmpty)
            try Self.expectNone(child.id, try needles(), words.joined(separator: " "))
            child.kill(SIGCONT)
            #expect(try child.rest().status == 0)
        }
        for (name, key) in keys {
            let file = "\(stage.folder)/\(name)"
            let text = try String(contentsOfFile: file, encoding: .utf8).components(separatedBy: "\n")
            let lines = text.filter { $0.count >= 40 && !$0.hasPrefix("-") }.map { Array($0.utf8) }
            let all = try Self.needles(key) + lines
            let phrase = ["--passphrase-file", "\(stage.folder)/phrase"]
            for words in [["--public"], [], ["--jwk"], ["--encrypted"] + phrase] {
                try look(["keys", "export", name] + words) { all }
            }
            if key.family != .x25519 {
                try look(["keys", "certificate-request", name, "--subject", "/CN=x"]) { all }
            }
            try stage.expect("zamok keys export \(name) --encrypted --passphrase-file phrase > sealed", "")
            for (file, more) in [(file, []), ("\(stage.folder)/sealed", phrase)] {
                try stage.expect("zamok keys remove \(name) --yes > log", "")
                try look(["keys", "import", file, "--name", name] + more) { all }
            }
        }
        for type in ["ed25519", "x25519", "p521", "rsa"] {
            try look(["keys", "generate", "new \(type)", "--type", type]) {
                let text = try stage.run("zamok keys export 'new \(type)'").text
                return try Self.needles(try KeyFile.key(Data(text.utf8), passphrase: nil))
            }
        }
    }
}
