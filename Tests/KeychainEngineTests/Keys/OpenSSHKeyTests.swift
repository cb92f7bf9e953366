// SPDX-License-Identifier: Apache-2.0

import Foundation
import Sealing
import TestSupport
import Testing

@testable import KeychainEngine

@Suite("Keys as OpenSSH has them, judged by ssh-keygen and openssl")
struct OpenSSHKeyTests {
    static let hasKeygen = FileManager.default.isExecutableFile(atPath: "/usr/bin/ssh-keygen")
    static let kinds: [(type: String, bits: String, family: KeyMaterial.Family)] = [
        ("ed25519", "256", .ed25519), ("ecdsa", "256", .ec), ("ecdsa", "384", .ec), ("ecdsa", "521", .ec),
        ("rsa", "2048", .rsa),
    ]

    /// Runs ssh-keygen in the folder; what it printed.
    @discardableResult
    static func keygen(_ folder: TemporaryFolder, _ arguments: String...) throws -> String {
        let process = Process()
        process.executableURL = URL(fileURLWithPath: "/usr/bin/ssh-keygen")
        process.arguments = arguments
        process.currentDirectoryURL = folder.url
        process.standardInput = FileHandle.nullDevice
        let output = Pipe()
        process.standardOutput = output
        try process.run()
        let data = output.fileHandleForReading.readDataToEndOfFile()
        process.waitUntilExit()
        try #require(process.terminationStatus == 0, "\(arguments): \(String(decoding: data, as: UTF8.self))")
        return String(decoding: data, as: UTF8.self)
    }

    static func write(_ text: String, _ folder: TemporaryFolder, _ name: String) throws {
        let path = folder.path(name)
        #expect(
            FileManager.default.createFile(
                atPath: path, contents: Data(text.utf8), attributes: [.posixPermissions: 0o600]))
    }

    static func publicKey(_ line: String) throws -> [UInt8] {
        let words = line.split(separator: " ")
        try #require(words.count >= 2)
        return Array(try #require(Data(base64Encoded: String(words[1]))))
    }

    @Test(.enabled(if: hasKeygen, "this system has no ssh-keygen"), arguments: kinds)
    func `what ssh-keygen writes is read, and what is written it reads`(
        kind: (type: String, bits: String, family: KeyMaterial.Family)
    ) throws {
        let folder = try TemporaryFolder()
        try Self.keygen(folder, "-q", "-t", kind.type, "-b", kind.bits, "-N", "", "-C", "Anna's laptop", "-f", "key")
        let file = try Data(contentsOf: URL(fileURLWithPath: folder.path("key")))
        let key = try KeyFile.key(file, passphrase: nil)
        #expect(key.family == kind.family && key.role == .private)
        #expect(KeyFile.comment(file) == "Anna's laptop")
        let line = try String(contentsOfFile: folder.path("key.pub"), encoding: .utf8)
        #expect(try Self.publicKey(line) == key.sshPublicKey)
        try Self.write(try #require(OpenSSHKey.pem(of: key, comment: "Anna")), folder, "ours")
        let theirs = try Self.keygen(folder, "-y", "-f", "ours")
        #expect(try Self.publicKey(theirs) == key.sshPublicKey && theirs.hasSuffix("Anna\n"))
        let again = try KeyMaterial(sshPublicKey: try #require(key.sshPublicKey))
        #expect(again.role == .public && again.publicKeyHash == key.publicKeyHash)
    }

    // Rule: a key under OpenSSH's passphrase is reported, with the line that removes it | the cipher ignored | reported
    //   as damaged
    @Test(.enabled(if: hasKeygen, "this system has no ssh-keygen"))
    func `a key under a passphrase is told, and read once the line that is named was typed`() throws {
        let folder = try TemporaryFolder()
        try Self.keygen(folder, "-q", "-t", "ed25519", "-N", "passphrase", "-f", "key")
        let sealed = try Data(contentsOf: URL(fileURLWithPath: folder.path("key")))
        let error = failure(KeychainError.self) { try KeyFile.key(sealed, passphrase: "passphrase") }
        #expect(error?.code == .unsupportedFormat && error?.message.contains("ssh-keygen -p -N '' -f") == true)
        try Self.keygen(folder, "-q", "-p", "-P", "passphrase", "-N", "", "-f", "key")
        let open = try KeyFile.key(try Data(contentsOf: URL(fileURLWithPath: folder.path("key"))), passphrase: nil)
        #expect(open.family == .ed25519)
    }

    // Rule: an RSA key of a size that is not read is told as that | the limit of a number below the size | 4 sizes
    @Test(arguments: [255, 1025, 2048, 4096])
    func `an RSA key of a size that is not read is told with its size`(bytes: Int) throws {
        let number = { (count: Int) in [UInt8](repeating: 0x7B, count: count) }
        var content = ByteWriter()
        content.append([0, 0, 0, 7, 0, 0, 0, 7])
        content.prefixed(text: "ssh-rsa")
        content.prefixed(magnitude: number(bytes))
        content.prefixed(magnitude: [1, 0, 1])
        for count in [bytes, bytes / 2, bytes / 2, bytes / 2] { content.prefixed(magnitude: number(count)) }
        var file = ByteWriter()
        file.append(Array("openssh-key-v1\0".utf8))
        for text in ["none", "none", ""] { file.prefixed(text: text) }
        file.append([0, 0, 0, 1])
        file.prefixed(text: "public")
        file.prefixed(content.bytes)
        let error = failure(KeychainError.self) { try OpenSSHKey(Data(file.bytes)) }
        #expect(error?.code == .unsupportedFormat)
        #expect(error?.message.contains("\(8 * bytes) bits") == true)
    }

    private static func body(_ key: KeyMaterial) throws -> [UInt8] {
        let text = try #require(OpenSSHKey.pem(of: key, comment: "x"))
        return Array(try #require(PEMBlock.all(in: Data(text.utf8))?.first).bytes)
    }

    // Rule: the public key in an OpenSSH file is that of the private one | not compared | a file with another public
    //   key is read
    // Rule: the bytes behind an OpenSSH key are 1, 2, 3 and so on | not looked at | a file with other padding is read
    @Test func `each fault of a file is noticed`() throws {
        let key = try KeyMaterial.generate(.ed25519, sizeInBits: 256)
        let good = try Self.body(key)
        #expect(try OpenSSHKey(Data(good)).material.publicKeyHash == key.publicKeyHash)
        let other = try #require(KeyMaterial.generate(.ed25519, sizeInBits: 256).sshPublicKey)
        let own = try #require(key.sshPublicKey)
        let place = try #require(good.firstRange(of: own))
        var faults = [good + [0], Array(good.dropLast()), good.replacing([0, 0, 0, 1], with: [0, 0, 0, 2])]
        faults.append(Array(good[..<place.lowerBound]) + other + Array(good[place.upperBound...]))
        var padding = good
        padding[padding.count - 1] ^= 1
        faults.append(padding)
        // The two numbers that say whether a passphrase was right.
        var check = good
        check[place.upperBound + 4] ^= 1
        faults.append(check)
        for fault in faults {
            #expect(failure(KeychainError.self) { try OpenSSHKey(Data(fault)) }?.code == .damaged)
        }
    }

    static let keys: [KeyMaterial] = {
        let made = [(KeyMaterial.Family.ed25519, 256), (.ec, 256), (.ec, 384), (.ec, 521), (.rsa, 2048)].map {
            try? KeyMaterial.generate($0, sizeInBits: $1)
        }
        return made.compactMap(\.self)
    }()

    @Test func `OpenSSH files and public keys are read or refused`() throws {
        let files = try Self.keys.map { try Self.body($0) }
        let run = FuzzRun.tried("OpenSSH keys", corpus: files, bounded: 5_000) { bytes in
            _ = try OpenSSHKey(bytes)
            return true
        }
        #expect(run.isBounded && (1..<run.inputs).contains(run.refused))
        let signatures = try Self.keys.map { key in
            try key.sshSigned(Data("x".utf8), try #require(key.sshSignature(.rsaSHA512)))
        }
        let corpus = try Self.keys.map { try #require($0.sshPublicKey) } + signatures
        let publics = FuzzRun.tried("SSH public keys and signatures", corpus: corpus, bounded: 5_000) { bytes in
            for key in Self.keys { _ = key.isSSHSignature(Array(bytes), of: Data("x".utf8)) }
            let key = try KeyMaterial(sshPublicKey: Array(bytes))
            #expect(key.sshPublicKey == Array(bytes))
            return true
        }
        #expect(publics.isBounded && (1..<publics.inputs).contains(publics.refused))
    }

    // Rule: RSA does not sign with SHA-1 for SSH | `ssh-rsa` taken for rsa-sha2-256 | an algorithm is found where none
    //   was named
    @Test func `a signature is of its key, its message and its way`() throws {
        let message = Data("message".utf8)
        for key in Self.keys {
            let way = try #require(key.sshSignature(.rsaSHA512))
            let signature = try key.sshSigned(message, way)
            let publicKey = try #require(key.publicKey)
            #expect(publicKey.isSSHSignature(signature, of: message))
            #expect(!publicKey.isSSHSignature(signature, of: message + [0]))
            #expect(!publicKey.isSSHSignature(Array(signature.dropLast()), of: message))
            for other in Self.keys where other.publicKeyHash != key.publicKeyHash {
                #expect(!other.isSSHSignature(signature, of: message))
            }
            #expect(throws: (any Error).self) { try publicKey.sshSigned(message, way) }
        }
        let rsa = try #require(Self.keys.last)
        #expect(rsa.sshSignature() == nil && rsa.sshSignature(.ed25519) == nil)
        #expect(rsa.sshSignature(.rsaSHA256) == .rsaSHA256)
    }

    @Test func `keys on Curve25519 are those of openssl`() throws {
        let openssl = try OpenSSL()
        for (family, name) in [(KeyMaterial.Family.ed25519, "ED25519"), (.x25519, "X25519")] {
            let key = try KeyMaterial.generate(family, sizeInBits: 256)
            let publicKey = try #require(key.publicKey)
            try openssl.write(key.interchangeRepresentation, to: "ours.der")
            let theirs = try openssl.run("pkey", "-in", "ours.der", "-inform", "DER", "-pubout", "-outform", "DER")
            #expect(theirs == publicKey.interchangeRepresentation)
            try openssl.run("genpkey", "-algorithm", name, "-out", "theirs.pem")
            let read = try KeyFile.key(try openssl.read("theirs.pem"), passphrase: nil)
            #expect(read.family == family && read.role == .private)
            #expect(try KeyFile.key(theirs, passphrase: nil).publicKeyHash == key.publicKeyHash)
            #expect(
                try KeyMaterial(family, .private, externalRepresentation: key.externalRepresentation).publicKeyHash
                    == key.publicKeyHash)
            try openssl.run(
                "pkcs8", "-topk8", "-in", "theirs.pem", "-passout", "pass:word", "-iter", "1", "-out", "sealed.pem")
            #expect(
                try KeyFile.key(try openssl.read("sealed.pem"), passphrase: "word").publicKeyHash == read.publicKeyHash)
            // Longer, shorter, of another type.
            for bytes in [key.externalRepresentation + [0], key.externalRepresentation.dropLast()] {
                #expect(throws: (any Error).self) { try KeyMaterial(family, .private, externalRepresentation: bytes) }
            }
        }
    }

    // Rule: a key on Curve25519 whose public half is another's is refused | not compared | it is read as another key
    @Test(arguments: [KeyMaterial.Family.ed25519, .x25519])
    func `a key on Curve25519 with its public half is read, and with another's refused`(
        family: KeyMaterial.Family
    ) throws {
        let (key, other) = (
            try KeyMaterial.generate(family, sizeInBits: 256), try KeyMaterial.generate(family, sizeInBits: 256)
        )
        let algorithm: [UInt8] = [0x30, 5, 6, 3, 0x2B, 0x65, family == .ed25519 ? 0x70 : 0x6E]
        // OneAsymmetricKey of RFC 5958: version 2, with the public half.
        func file(_ half: KeyMaterial) throws -> Data {
            let half = Array(try #require(half.publicKey).externalRepresentation)
            return Data(
                DERBytes.sequence([
                    [2, 1, 1], algorithm, DERBytes.value(4, DERBytes.value(4, Array(key.externalRepresentation))),
                    DERBytes.value(0x81, [0] + half),
                ]))
        }
        #expect(try KeyFile.key(try file(key), passphrase: nil).publicKeyHash == key.publicKeyHash)
        let error = failure(KeychainError.self) { try KeyFile.key(try file(other), passphrase: nil) }
        #expect(error?.code == .damaged && error?.message.contains("does not belong to the public half") == true)
    }

    @Test func `Ed25519 signs as openssl verifies`() throws {
        let openssl = try OpenSSL()
        let key = try KeyMaterial.generate(.ed25519, sizeInBits: 256)
        try openssl.write(try #require(key.publicKey).interchangeRepresentation, to: "public.der")
        try openssl.write(Data("message".utf8), to: "message")
        var reader = SSHReader(try key.sshSigned(Data("message".utf8), .ed25519))
        #expect(try reader.text() == "ssh-ed25519")
        try openssl.write(Data(try reader.string()), to: "signature")
        try openssl.run(
            "pkeyutl", "-verify", "-pubin", "-inkey", "public.der", "-keyform", "DER", "-rawin", "-in", "message",
            "-sigfile", "signature")
    }
}
