// SPDX-License-Identifier: Apache-2.0

import DataProtection
import Files
import Foundation
import Keychains

/// The passphrase of a private key in OpenSSH's own format. It uses bcrypt_pbkdf, which no linked library has, so
/// ssh-keygen removes the passphrase from an in-memory copy.
enum SSHPassphrase {
    private static let limit = 1 << 20

    /// The file with its key in plaintext. The file is returned unchanged if it has no such passphrase, or if
    /// ssh-keygen isn't installed. `passphrase` is called only if it is needed.
    static func removed(from file: Data, _ passphrase: () throws -> String) throws -> Data {
        guard KeyItem.isUnderSSHPassphrase(file), file.count <= limit, Programs.isThere("ssh-keygen") else {
            return file
        }
        let passphrase = try passphrase()
        let copy = try FileHooks().memoryFile(Array(file))
        // `ssh-keygen` requires this mode for a private key.
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

    /// `ssh-keygen` calls `$SSH_ASKPASS` with its question as the only argument, and printenv prints the variable of
    /// that name. So no command line contains the passphrase.
    private static func answer(_ passphrase: String) -> [String: String] {
        [
            "SSH_ASKPASS": "printenv", "SSH_ASKPASS_REQUIRE": "force", "DISPLAY": "none",
            "Enter old passphrase: ": passphrase,
        ]
    }
}
