// SPDX-License-Identifier: Apache-2.0

import Files
public import SecretMemory
import Statuses

/// A file with a passcode in it, for programs that start without a person: `--passcode-file`, `ZAMOK_PASSCODE_FILE`.
public enum PasscodeFile {
    /// Names the file whose passcode unlocks the home for one command.
    public static let variable = "ZAMOK_PASSCODE_FILE"

    /// The path that the environment names; nil if it names none.
    public static var pathInEnvironment: String? {
        Places.environmentValue(variable).flatMap { $0.isEmpty ? nil : $0 }
    }

    /// Reads the passcode: the whole file, without one newline at its end (LF, or CR LF).
    ///
    /// The file must be a regular file (no symbolic link, no pipe) of this process's user or of root, with mode 0600 or 0400, of at most 4098
    /// bytes. Errors: `.unsafeHome` (breaks one of these rules), `.invalidArgument` (missing, empty or too long), `.io`.
    public static func read(_ path: String) throws(DataProtectionError) -> SecretBytes {
        try DataProtectionError.door { try read(path, FileHooks()) }
    }

    static func read(_ path: String, _ files: FileHooks) throws -> SecretBytes {
        let file: OpenFile
        do {
            file = try OpenFile.open(FileLocation(path), .readItself, files)
        } catch let error {
            if error.isMissing {
                throw DataProtectionError(.invalidArgument, "the passcode file \(path) does not exist")
            }
            guard error.isLink else { throw error }
            throw DataProtectionError(.unsafeHome, "the passcode file \(path) is a symbolic link; name the file itself")
        }
        let status = try file.status()
        guard status.kind == .file else {
            throw DataProtectionError(.unsafeHome, "the passcode file \(path) is not a regular file")
        }
        guard status.owner == ThisProcess.user || status.owner == 0 else {
            throw DataProtectionError(.unsafeHome, "the passcode file \(path) belongs to another user")
        }
        guard [0o600, 0o400].contains(status.permissions) || isCredential(path, status) else {
            throw DataProtectionError(
                .unsafeHome, "the passcode file \(path) must have mode 0600 or 0400; run: chmod 600 \(path)"
            )
        }
        // One byte more than can be right, so that a file that grows meanwhile is noticed.
        guard status.size <= Passcode.limit + 2, let whole = try file.readSecret(count: status.size) else {
            throw DataProtectionError(
                .invalidArgument, "the passcode in \(path) is longer than \(Passcode.limit) bytes")
        }
        guard let passcode = try whole.part(0..<(try count(whole))), passcode.count > 0 else {
            throw DataProtectionError(.invalidArgument, "the passcode file \(path) is empty")
        }
        return passcode
    }

    /// systemd passes a credential to the user of a service by an access list, which shows as mode 0440: in `$CREDENTIALS_DIRECTORY` a file of root
    /// must only not be open to all.
    private static func isCredential(_ path: String, _ status: FileStatus) -> Bool {
        guard let folder = Places.environmentValue("CREDENTIALS_DIRECTORY"), folder.hasPrefix("/") else { return false }
        return status.owner == 0 && status.permissions == 0o440 && path.hasPrefix("\(folder)/")
            && !path.split(separator: "/").contains("..")
    }

    private static func count(_ whole: borrowing SecretBytes) throws -> Int {
        let count = whole.count
        return try whole.withBytes { span in
            guard span.bigEndian(at: count - 1, as: UInt8.self) == UInt8(ascii: "\n") else { return count }
            return span.bigEndian(at: count - 2, as: UInt8.self) == UInt8(ascii: "\r") ? count - 2 : count - 1
        }
    }
}
