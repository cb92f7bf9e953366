// SPDX-License-Identifier: Apache-2.0

import Files
import Sealing
import SecretMemory
import TPMs

/// The plaintext form in a file (Documentation/Formats/DeviceSecret.md).
enum DeviceSecretFormat {
    static let size = 64
    static let magic = Array("zamokdev".utf8)
    private static let version: UInt8 = 1

    static func encode(_ secret: borrowing SecretBytes) throws -> SecretBytes {
        let header = magic + [version] + [UInt8](repeating: 0, count: 7)
        let start = try SecretBytes(copying: header)
        let check = try check(of: secret, header)
        return try start.joined(with: secret).joined(with: check)
    }

    /// `file`: the file's bytes. Of a file that is too long, at most one byte more than `DeviceSecretRecord.sizeLimit`.
    static func decode(_ file: borrowing SecretBytes, _ place: String) throws -> SecretBytes {
        guard file.count >= 9, try file.exposingBytes(0..<8) == magic else { throw damaged(place) }
        guard let found = try file.exposingBytes(8..<9)?.first, found != 0 else { throw damaged(place) }
        guard found == version else {
            throw DataProtectionError(
                .newerFormat, "the device secret \(place) was written by a newer version of Zamok; nothing was changed"
            )
        }
        guard file.count >= size else {
            throw DataProtectionError(
                .missingDeviceSecret, "the device secret \(place) is cut short; put back the whole file from a backup"
            )
        }
        guard file.count == size, let header = try file.exposingBytes(0..<16),
            header.suffix(7).allSatisfy({ $0 == 0 }), let secret = try file.part(16..<48),
            let stored = try file.part(48..<64), try !secret.isZero(), try check(of: secret, header).isEqual(to: stored)
        else { throw damaged(place) }
        return secret
    }

    private static func check(of secret: borrowing SecretBytes, _ header: [UInt8]) throws -> SecretBytes {
        try KeyDerivation.expand(from: secret, label: .deviceSecretCheck, context: header, count: 16)
    }

    private static func damaged(_ place: String) -> DataProtectionError {
        DataProtectionError(.damaged, "the device secret \(place) is damaged; put it back from a backup")
    }
}

/// The root of everything that a home protects, as a file stores it: the 32 bytes themselves, or what only a TPM
/// turns into them.
struct DeviceSecretFile: Sendable {
    static let fileName = "device-secret"

    /// The file's location, which decides the rules for it.
    enum Location: Sendable {
        /// In the root home; Zamok makes it.
        case home(HomeFolder)
        /// Where the user put it; made there if the folder allows it.
        case path(String)
        /// In the service manager's folder for credentials, under that manager's access rules.
        case credential(String)
    }

    let location: Location
    let files: FileHooks
    /// The TPM's address that the environment names.
    var way: TPMAddress?
    /// The longest wait for a TPM when the secret is read; nil: as long as its address specifies.
    var patience: Duration?

    /// The file's path.
    var path: String {
        switch location {
        case .home(let folder): "\(folder.path)/\(Self.fileName)"
        case .path(let path), .credential(let path): path
        }
    }

    /// The location of the secret, for `status`.
    var place: String {
        guard let record = try? record(), case .tpm(let named, let sealed) = record.form else { return path }
        let registers = sealed.measurements.registers.map(String.init).joined(separator: ", ")
        return "\(path), sealed to the TPM \(way ?? named)" + (registers.isEmpty ? "" : ", PCR \(registers)")
    }

    /// The address of the TPM that has the secret; nil: it is in the file.
    func tpm() throws -> TPMAddress? {
        guard case .tpm(let named, _) = try record()?.form else { return nil }
        return way ?? named
    }

    /// Whether a stolen disk of `home` contains the secret too.
    func isOnDisk(of home: HomeFolder) throws -> Bool {
        guard let file = try open() else { return false }
        if try record()?.isInTPM == true { return false }
        return try file.status().device == home.identity.device
    }

    /// The current secret and its number, read on each call. Errors: `.missingDeviceSecret`, `.damaged`,
    /// `.newerFormat`, `.unsafeHome`, and if a TPM has it those of `TPMError`.
    func read() throws -> NumberedSecret {
        let bytes = try readFile()
        guard let record = try DeviceSecretRecord(bytes, path) else {
            return NumberedSecret(number: 0, secret: try DeviceSecretFormat.decode(bytes, path))
        }
        return NumberedSecret(number: record.number, secret: try secret(of: record))
    }

    /// The secret of that number: the current one or a former one.
    func read(_ number: UInt32) throws -> SecretBytes {
        let bytes = try readFile()
        guard let record = try DeviceSecretRecord(bytes, path) else {
            guard number == 0 else { throw changed }
            return try DeviceSecretFormat.decode(bytes, path)
        }
        let secret = try secret(of: record)
        if number == record.number { return secret }
        guard let former = record.formers.first(where: { $0.number == number }) else { throw changed }
        return try former.secret(under: secret)
    }

    /// The numbers of the former secrets that a keybag may still need, the most recent first.
    func formerNumbers() throws -> [UInt32] { try record()?.formers.map(\.number) ?? [] }

    /// What the file contains besides the secret; nil: it has the plaintext form, or there is no file.
    func record() throws -> DeviceSecretRecord? {
        guard try open() != nil else { return nil }
        return try DeviceSecretRecord(try readFile(), path)
    }

    func secret(of record: DeviceSecretRecord) throws -> SecretBytes {
        switch record.form {
        case .plain(let secret): return try secret.withSecretBytes { try record.verified($0, path) }
        case .tpm(let named, let sealed):
            var reached = way ?? named
            reached.patience = min(reached.patience, patience ?? reached.patience)
            return try TPMSecrets.secret(record.bytes, sealed, over: reached, counter: record.counter) {
                try record.verified($0, path)
            }
        }
    }

    /// The result of an attempt to read the secret, regardless of what this process was given before.
    enum Reading {
        /// The secret is readable, or might be: for example its file is missing or newer, can't be examined, or its
        /// TPM is busy.
        case readable
        /// The file exists, but the secret can't be read: the file is damaged, or its TPM doesn't release the secret.
        case lost
        /// Like `lost`, because its TPM did not answer in time.
        case silent
    }

    /// Tries to read the secret.
    func reading() -> Reading {
        do {
            guard try open() != nil else { return .readable }
            if let record = try record(), case .tpm(let named, let sealed) = record.form {
                _ = try record.verified(try (way ?? named).open(sealed), path)
            } else {
                _ = try read()
            }
            return .readable
        } catch let error as TPMError {
            switch error {
            case .silent: return .silent
            // Other programs keep the TPM busy for a while.
            case .full, .lockedOut: return .readable
            default: return .lost
            }
        } catch {
            let isLost = [.damaged, .missingDeviceSecret].contains((error as? DataProtectionError)?.code)
            return isLost ? .lost : .readable
        }
    }

    private var changed: DataProtectionError {
        DataProtectionError(.io, "the device secret \(path) changed meanwhile; try again")
    }

    private func readFile() throws -> SecretBytes {
        guard let file = try open() else {
            throw DataProtectionError(
                .missingDeviceSecret,
                "the device secret \(path) is missing; put it back, or name its place in ZAMOK_DEVICE_SECRET"
            )
        }
        let size = min(try file.status().size, DeviceSecretRecord.sizeLimit + 1)
        guard size > 0, let bytes = try file.readSecret(count: size) else {
            throw DataProtectionError(
                .missingDeviceSecret, "the device secret \(path) is empty; put back the whole file from a backup"
            )
        }
        return bytes
    }

    func makeIfMissing() throws {
        guard try open() == nil else { return }
        guard let (folder, name) = try folderToMakeIn() else {
            throw DataProtectionError(
                .missingDeviceSecret,
                "ZAMOK_DEVICE_SECRET names the credential \(path), which the service manager did not pass"
            )
        }
        let file = try DeviceSecretFormat.encode(try SecretBytes.random(count: 32))
        if case .path = location { try destroyReplaced() }
        try folder.prepare(name) { try $0.write(file) }
        do { try folder.commit(name, replacing: false) } catch {
            _ = try? folder.remove(name + HomeFolder.temporarySuffix)
            throw error
        }
    }

    func folderToMakeIn() throws -> (HomeFolder, String)? {
        switch location {
        case .home(let folder): return (folder, Self.fileName)
        case .credential: return nil
        case .path(let path):
            guard let slash = path.lastIndex(of: "/") else { return nil }
            let parent = slash == path.startIndex ? "/" : String(path[..<slash])
            return (try HomeFolder(at: parent, in: files), String(path[path.index(after: slash)...]))
        }
    }

    func open() throws -> OpenFile? {
        switch location {
        case .home(let folder):
            return try folder.openFile(Self.fileName, .read)
        case .path(let path):
            guard let file = try OpenFile.openIfPresent(FileLocation(path), mode: .read, hooks: files) else {
                return nil
            }
            try checkOwner(of: file, hidden: true)
            return file
        case .credential(let path):
            guard let file = try OpenFile.openIfPresent(FileLocation(path), mode: .read, hooks: files) else {
                return nil
            }
            try checkOwner(of: file, hidden: false)
            return file
        }
    }

    /// Checks owner and mode. A secret that a container or the service manager mounts belongs to root, often with mode
    /// 0444 in a folder that is private anyway.
    private func checkOwner(of file: OpenFile, hidden: Bool) throws {
        let status = try file.status()
        let isOurs = status.owner == ThisProcess.user
        guard status.kind == .file, isOurs || status.owner == 0, status.permissions & 0o022 == 0,
            !(hidden && isOurs && status.permissions & 0o077 != 0) || (status.owner == 0 && !isOurs)
        else {
            throw DataProtectionError(
                .unsafeHome,
                "the device secret \(path) must be a regular file of this user (mode 0600 or 0400) or of root, which others can't change"
            )
        }
    }
}

/// One of the device secrets that a home had, numbered in their order.
struct NumberedSecret: ~Copyable {
    let number: UInt32
    let secret: SecretBytes
}
