// SPDX-License-Identifier: Apache-2.0

import DataProtection
import Files
import Foundation
import Keychains

/// The passphrase of a private key in OpenSSH's own format (bcrypt_pbkdf, which no library here has): ssh-keygen takes it from a copy in memory.
enum SSHPassphrase {
    private static let limit = 1 << 20

    /// The file with its key in clear; the same file where that is under no such passphrase, or ssh-keygen isn't installed. `passphrase` is asked for only
    /// where one is needed.
    static func removed(from file: Data, _ passphrase: () throws -> String) throws -> Data {
        guard KeyItem.isUnderSSHPassphrase(file), file.count <= limit, Programs.isThere("ssh-keygen") else {
            return file
        }
        let passphrase = try passphrase()
        let copy = try FileHooks().memoryFile(Array(file))
        // Which ssh-keygen asks of a private key.
        try copy.setMode(0o600)
        let process = Process()
        process.executableURL = URL(fileURLWithPath: "/usr/bin/env")
        process.arguments = ["ssh-keygen", "-q", "-p", "-N", "", "-f", "/dev/stdin"]
        process.environment = ProcessInfo.processInfo.environment.merging(answer(passphrase)) { $1 }
        process.standardInput = FileHandle(fileDescriptor: copy.number, closeOnDealloc: false)
        process.standardOutput = FileHandle.nullDevice
        process.standardError = FileHandle.nullDevice
        do { try process.run() } catch {
            throw CommandFailure(exitStatus: ExitStatus.notStarted, message: "ssh-keygen can't be started")
        }
        process.waitUntilExit()
        guard process.terminationReason == .exit, process.terminationStatus == 0 else {
            throw KeychainError(
                .pkcs12VerifyFailure, "ssh-keygen doesn't open the key: the passphrase is wrong, or it is damaged")
        }
        return Data(try copy.read(count: limit))
    }

    /// ssh-keygen asks `$SSH_ASKPASS` with its question as the one word, and printenv prints the variable of that name: no command line has the passphrase.
    private static func answer(_ passphrase: String) -> [String: String] {
        [
            "SSH_ASKPASS": "printenv", "SSH_ASKPASS_REQUIRE": "force", "DISPLAY": "none",
            "Enter old passphrase: ": passphrase,
        ]
    }
}
