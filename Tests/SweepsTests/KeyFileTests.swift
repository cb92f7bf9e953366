// SPDX-License-Identifier: Apache-2.0

import Files
import Foundation
import TestSupport
import Testing

@testable import Sweeps

@Suite struct KeyFileTests {
    // Rule: of keys only those without a passphrase are findings | `isClear` took each key of its form | the protected
    // ones were found as well
    @Test func `keys in each form are found without a passphrase, and not with one`() throws {
        let openssl = try OpenSSL()
        try openssl.run("genpkey", "-algorithm", "EC", "-pkeyopt", "ec_paramgen_curve:P-256", "-out", "key.pem")
        try openssl.run("pkey", "-in", "key.pem", "-aes256", "-passout", "pass:word", "-out", "locked.pem")
        try openssl.run("ec", "-in", "key.pem", "-aes256", "-passout", "pass:word", "-out", "old-locked.pem")
        try openssl.run("req", "-x509", "-key", "key.pem", "-subj", "/CN=a", "-out", "certificate.crt")
        for (name, word) in [("empty.p12", ""), ("locked.p12", "word")] {
            try openssl.run(
                "pkcs12", "-export", "-inkey", "key.pem", "-in", "certificate.crt", "-passout", "pass:\(word)", "-out",
                name)
        }
        try openssl.run(
            "pkcs12", "-export", "-nokeys", "-in", "certificate.crt", "-passout", "pass:", "-out", "none.p12")
        let keygen = "/usr/bin/ssh-keygen"
        if FileManager.default.isExecutableFile(atPath: keygen) {
            for (name, word) in [("id_ed25519", ""), ("id_locked", "long word")] {
                let process = Foundation.Process()
                process.executableURL = URL(fileURLWithPath: keygen)
                process.arguments = [
                    "-q", "-t", "ed25519", "-a", "1", "-N", word, "-f", "\(openssl.folder.path)/\(name)",
                ]
                try process.run()
                process.waitUntilExit()
            }
        } else {
            try openssl.write(Data(), to: "id_ed25519")
        }
        try openssl.write(
            Data("AGE-SECRET-KEY-1EGMDKNL695UVF9WESZSJR9795RMCR0U0XCW9U40ZRKH5L2KY225Q8L6NQG\n".utf8), to: "age.txt")
        let report = try Sweep(home: openssl.folder.path, environment: { _ in nil }).run([])
        let found = Set(report.findings.map { String(decoding: $0.location.name, as: UTF8.self) })
        var wanted: Set<String> = ["key.pem", "empty.p12", "age.txt"]
        if FileManager.default.isExecutableFile(atPath: keygen) { wanted.insert("id_ed25519") }
        #expect(found == wanted)
    }
}
