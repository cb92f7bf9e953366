// SPDX-License-Identifier: Apache-2.0

import Files
import Readers
public import SecretMemory
import Statuses

/// A passcode in the form that the KDF takes: Unicode normalization form C, 1 to 4096 bytes, the last not zero.
struct Passcode: ~Copyable {
    static let limit = 4096

    let bytes: SecretBytes

    /// Errors: `.invalidArgument` for a passcode that is empty or too long, or ends with a zero byte.
    init(_ typed: borrowing SecretBytes) throws {
        guard typed.count > 0 else { throw DataProtectionError(.invalidArgument, "the passcode is empty") }
        guard typed.count <= Self.limit else { throw Self.tooLong }
        let normalized = try Self.normalized(typed)
        guard normalized.count <= Self.limit else { throw Self.tooLong }
        // HMAC, inside the KDF, pads keys with zeros: trailing zeros would give an equivalent passcode.
        guard try normalized.exposingBytes(normalized.count - 1..<normalized.count) != [0] else {
            throw DataProtectionError(.invalidArgument, "the passcode ends with a byte of zero, which it can't")
        }
        bytes = normalized
    }

    private static var tooLong: DataProtectionError {
        DataProtectionError(.invalidArgument, "the passcode is longer than \(limit) bytes")
    }

    /// Normalizes, so that a passcode is the same on every keyboard. Bytes that are not UTF-8 stay unchanged.
    private static func normalized(_ typed: borrowing SecretBytes) throws -> SecretBytes {
        let count = typed.count
        // ASCII needs no normalization, and so no copy in a `String`. The scope clears the memory of any such copy.
        let isASCII = try typed.withBytes { span in
            (0..<count).allSatisfy { (span.bigEndian(at: $0, as: UInt8.self) ?? 0x80) < 0x80 }
        }
        return try ClearedScope.run {
            guard var bytes = try typed.exposingBytes(0..<count) else { return try SecretBytes(count: 0) { _ in } }
            defer { bytes.wipe() }
            guard !isASCII, let text = String(validUTF8: bytes) else {
                return try SecretBytes(copying: bytes)
            }
            var composed: [UInt8] = []
            composed.reserveCapacity(3 * count)
            defer { composed.wipe() }
            for scalar in text.composed { composed.append(contentsOf: UTF8.encode(scalar) ?? .init()) }
            return try SecretBytes(copying: composed)
        }
    }
}

extension [UInt8] {
    fileprivate mutating func wipe() {
        for index in indices { self[index] = 0 }
    }
}

/// A file that contains a passcode, for programs that start unattended: `--passcode-file`, `ZAMOK_PASSCODE_FILE`.
public enum PasscodeFile {
    /// The environment variable that names the file whose passcode unlocks the home for one command.
    public static let variable = "ZAMOK_PASSCODE_FILE"

    /// The path in the environment variable; nil if it is unset or empty.
    public static var pathInEnvironment: String? {
        Places.environmentValue(variable).flatMap { $0.isEmpty ? nil : $0 }
    }

    /// Reads the passcode: the whole file, without one newline at its end (LF, or CR LF).
    ///
    /// The file must be a regular file, not a symbolic link or a pipe. Its owner must be this process's user or root,
    /// and its mode 0600 or 0400. A systemd credential of root may also have mode 0440. The size limit is `limit`
    /// bytes, by default 4,096, plus 2 for a newline.
    ///
    /// A descriptor that this process inherited, `/dev/fd/N`, is read once, with the size limit as the only check. A
    /// shell passes `<(command)` in this form.
    ///
    /// `name` is what messages call the file, if it contains another secret than a passcode.
    ///
    /// Errors: `.unsafeHome` (breaks one of these rules), `.invalidArgument` (missing, empty or too long), `.io`.
    public static func read(
        _ path: String, called name: String = "passcode file", limit: Int = 4_096
    ) throws(DataProtectionError) -> SecretBytes {
        try DataProtectionError.mapping { try NamedFile(path: path, name: name, limit: limit).read(FileHooks()) }
    }

    /// The number of the descriptor that a path of the form `/dev/fd/N` names; nil for the path of a file.
    public static func descriptor(_ path: String) -> Int32? {
        for folder in ["/dev/fd/", "/proc/self/fd/"] where path.hasPrefix(folder) {
            return Int32(path.dropFirst(folder.count)).flatMap { $0 < 0 ? nil : $0 }
        }
        return nil
    }
}

/// A file that contains a secret, and the name that messages use for it.
private struct NamedFile {
    let path: String
    let name: String
    let limit: Int

    private func refusal(_ code: DataProtectionError.Code, _ what: String) -> DataProtectionError {
        DataProtectionError(code, "the \(name) \(path) \(what)")
    }

    private func read(handedOver descriptor: Int32) throws -> SecretBytes {
        let read: Secret?
        do { read = try Secret.read(from: descriptor, limit: limit + 2) } catch let error as SecretMemoryError
            where error.code == .unreadable
        {
            throw DataProtectionError(
                .io, "the \(name) \(path) can't be read; is the descriptor open?", cause: error)
        }
        guard let whole = read else { throw tooLong }
        return try whole.withSecretBytes { try content($0) }
    }

    private var tooLong: DataProtectionError { refusal(.invalidArgument, "has more than \(limit) bytes") }

    private func content(_ whole: borrowing SecretBytes) throws -> SecretBytes {
        guard let content = try whole.part(0..<(try Self.count(whole))), content.count > 0 else {
            throw refusal(.invalidArgument, "is empty")
        }
        return content
    }

    func read(_ files: FileHooks) throws -> SecretBytes {
        if let descriptor = PasscodeFile.descriptor(path) { return try read(handedOver: descriptor) }
        let file: OpenFile
        do {
            file = try OpenFile.open(FileLocation(path), mode: .readItself, hooks: files)
        } catch let error {
            if error.isMissing { throw refusal(.invalidArgument, "does not exist") }
            guard error.isLink else { throw error }
            throw refusal(.unsafeHome, "is a symbolic link; name the file itself")
        }
        let status = try file.status()
        guard status.kind == .file else { throw refusal(.unsafeHome, "is not a regular file") }
        guard status.owner == ThisProcess.user || status.owner == 0 else {
            throw refusal(.unsafeHome, "belongs to another user")
        }
        guard [0o600, 0o400].contains(status.permissions) || isCredential(status) else {
            throw refusal(.unsafeHome, "must have mode 0600 or 0400; run: chmod 600 \(path.shellWord)")
        }
        // Up to two bytes more, for LF or CR LF. A file that shrinks before it is read is refused too.
        guard status.size <= limit + 2, let whole = try file.readSecret(count: status.size) else { throw tooLong }
        return try content(whole)
    }

    /// systemd grants a service's user access to a credential by an ACL, which shows as mode 0440. So a file of root in
    /// `$CREDENTIALS_DIRECTORY` may have this mode, in which it is still inaccessible to other users.
    private func isCredential(_ status: FileStatus) -> Bool {
        guard let folder = Places.environmentValue("CREDENTIALS_DIRECTORY"), folder.hasPrefix("/") else { return false }
        return status.owner == 0 && status.permissions == 0o440 && path.hasPrefix("\(folder)/")
            && !path.split(separator: "/").contains("..")
    }

    private static func count(_ whole: borrowing SecretBytes) throws -> Int {
        let count = whole.count
        return try whole.withBytes { span in
            guard count > 0, span.bigEndian(at: count - 1, as: UInt8.self) == UInt8(ascii: "\n") else { return count }
            return span.bigEndian(at: count - 2, as: UInt8.self) == UInt8(ascii: "\r") ? count - 2 : count - 1
        }
    }
}
