// SPDX-License-Identifier: Apache-2.0

import Sealing
import SecretMemory

extension KeybagFile {
    private static let magic = Array("zamokbag".utf8)
    private static let newestVersion: UInt8 = 2
    /// 2 if the passcode is bound to a counter of a TPM, which readers of version 1 don't know.
    var version: UInt8 { ((try? passcodeBinding?.limit) ?? nil) == nil ? 1 : 2 }
    private static let headerSize = 96
    private static let slotSize = 136
    private static let personCodeSize = 32
    private static let codeSize = 32
    static let sizeLimit =
        headerSize + slotLimit * slotSize + 4 + PasscodeBinding.sizeLimit + personCodeSize + codeSize

    /// The whole file, authenticated under `key`.
    func encoded(under key: borrowing SecretBytes) throws -> [UInt8] {
        var file = ByteWriter()
        let header = header
        file.append(header)
        file.append(try Self.tag(1, header, under: key))
        for slot in slots {
            let bytes = slot.encoded
            file.append(bytes)
            file.append(try Self.tag(2, keybagIdentifier.bytes + bytes, under: key))
        }
        if isBound { file.prefixed(binding) }
        file.append(personCode)
        file.append(try KeyDerivation.authenticationCode(for: [3] + file.bytes, under: key))
        return file.bytes
    }

    /// Bit 0: a passcode is set; bit 1: it is bound to a TPM.
    var flags: UInt8 { (hasPasscode ? 1 : 0) | (isBound ? 2 : 0) }

    private var header: [UInt8] {
        var writer = ByteWriter()
        writer.append(Self.magic)
        writer.append([version, epochSlot.rawValue, flags, eraseAfter, 0, 0, 0, 0])
        writer.append(homeIdentifier.bytes)
        writer.append(keybagIdentifier.bytes)
        writer.integer(generation)
        let parameters = stretching?.parameters
        writer.append([
            parameters?.logRounds ?? 0, UInt8(parameters?.blockSize ?? 0), UInt8(parameters?.parallelism ?? 0), 0,
        ])
        writer.integer(UInt16(slots.count))
        writer.append([0, 0])
        writer.append(stretching?.salt ?? [UInt8](repeating: 0, count: 16))
        return writer.bytes
    }

    static func tag(_ purpose: UInt8, _ bytes: [UInt8], under key: borrowing SecretBytes) throws -> [UInt8] {
        try KeyDerivation.authenticationCode(for: [purpose] + bytes, under: key, count: 16)
    }

    /// The home's identifier in bytes that begin like a keybag, regardless of what follows.
    static func homeIdentifier(inHeader bytes: [UInt8]) -> UniqueIdentifier? {
        bytes.starts(with: magic) && bytes.count >= 32 ? UniqueIdentifier(bytes: bytes[16..<32]) : nil
    }

    /// Step 1 of reading: checks form and limits, without keys.
    init(parsing bytes: [UInt8], allowingInsecureKDF: Bool) throws {
        do {
            guard bytes.count <= Self.sizeLimit else { throw SealingError.malformed }
            var reader = ByteReader(bytes)
            guard try reader.read(8) == Self.magic else { throw SealingError.malformed }
            let version: UInt8 = try reader.integer()
            guard version <= Self.newestVersion else { throw KeybagFault.newer }
            guard version != 0 else { throw SealingError.malformed }
            self = try Self.header(&reader, allowingInsecureKDF)
            guard self.version == version else { throw SealingError.malformed }
        } catch is SealingError {
            throw KeybagFault.malformed
        }
        guard isComplete else { throw KeybagFault.malformed }
    }

    private static func header(_ reader: inout ByteReader, _ allowingInsecureKDF: Bool) throws -> KeybagFile {
        guard let epochSlot = EpochSlot(rawValue: try reader.integer()) else { throw SealingError.malformed }
        let flags: UInt8 = try reader.integer()
        guard [0, 1, 3].contains(flags) else { throw SealingError.malformed }
        let eraseAfter: UInt8 = try reader.integer()
        try reader.zeros(4)
        let home = try reader.identifier()
        let keybag = try reader.identifier()
        let generation: UInt64 = try reader.integer()
        let parameters = try reader.read(3)
        try reader.zeros(1)
        let count = Int(try reader.integer(UInt16.self))
        try reader.zeros(2)
        let salt = try reader.read(16)
        _ = try reader.read(16)
        guard count <= slotLimit, generation > 0 else { throw SealingError.malformed }
        var slots: [KeybagSlot] = []
        for _ in 0..<count {
            slots.append(try KeybagSlot(&reader))
            _ = try reader.read(16)
        }
        let binding = flags == 3 ? try reader.prefixed(limit: PasscodeBinding.sizeLimit) : []
        if flags == 3 { _ = try PasscodeBinding(parsing: binding) }
        let personCode = try reader.read(personCodeSize)
        _ = try reader.read(codeSize)
        try reader.end()
        return KeybagFile(
            epochSlot: epochSlot,
            stretching: try stretching(
                flags, parameters: parameters, salt: salt, allowingInsecure: allowingInsecureKDF),
            binding: binding, eraseAfter: eraseAfter, homeIdentifier: home, keybagIdentifier: keybag,
            generation: generation, slots: slots,
            personCode: personCode
        )
    }

    private static func stretching(
        _ flags: UInt8, parameters: [UInt8], salt: [UInt8], allowingInsecure: Bool
    ) throws -> Stretching? {
        guard flags != 0 else {
            guard parameters == [0, 0, 0], salt.allSatisfy({ $0 == 0 }) else { throw SealingError.malformed }
            return nil
        }
        do {
            return Stretching(
                parameters: try ScryptParameters(
                    logRounds: parameters[0], blockSize: parameters[1], parallelism: parameters[2],
                    allowingInsecure: allowingInsecure
                ), salt: salt
            )
        } catch {
            throw KeybagFault.parametersRefused
        }
    }

    /// "Which slots there are".
    private var isComplete: Bool {
        let expected = KeybagSlot.expected(withPasscode: hasPasscode)
        var current = [Int](repeating: 0, count: expected.count)
        for index in slots.indices {
            let (kind, id) = (slots[index].kind, slots[index].id)
            let isRetired = slots[index].isRetired
            guard let place = expected.firstIndex(of: slots[index].place), !isRetired || kind != .metadataKey,
                !slots.indices[..<index].contains(where: { slots[$0].id == id && slots[$0].kind == kind })
            else { return false }
            if !isRetired { current[place] += 1 }
        }
        guard current.allSatisfy({ $0 == 1 }) else { return false }
        return slots.allSatisfy { slot in
            slot.kind != .classKeyPair
                || slots.contains {
                    $0.kind == .authenticityKey && $0.id == slot.id && $0.keyClass == slot.keyClass
                        && $0.isRetired == slot.isRetired
                }
        }
    }

    /// Step 3 of reading: throws what is wrong with the bytes if the HMAC doesn't verify. The tags select the message.
    static func authenticate(_ bytes: [UInt8], _ file: KeybagFile, under key: borrowing SecretBytes) throws {
        let body = Array(bytes.dropLast(codeSize))
        if try KeyDerivation.isValid(Array(bytes.suffix(codeSize)), for: [3] + body, under: key) { return }
        let header = Array(bytes[..<(headerSize - 16)])
        let headerIsIntact = try tag(1, header, under: key) == Array(bytes[(headerSize - 16)..<headerSize])
        var changed: [KeybagSlot] = []
        for (index, slot) in file.slots.enumerated() {
            let start = headerSize + index * slotSize
            let tag = try tag(2, file.keybagIdentifier.bytes + bytes[start..<start + slotSize - 16], under: key)
            if tag != Array(bytes[(start + slotSize - 16)..<(start + slotSize)]) { changed.append(slot) }
        }
        if changed.count == file.slots.count { throw headerIsIntact ? KeybagFault.slotsChanged : .foreign }
        if !headerIsIntact { throw KeybagFault.headerChanged }
        guard let slot = changed.first else { throw KeybagFault.slotsExchanged }
        throw changed.count == 1 ? KeybagFault.slotChanged(slot) : .slotsChanged
    }
}

extension KeybagSlot {
    fileprivate var encoded: [UInt8] {
        var bytes = identity + wrapped + check + code
        bytes[4] = isOfFiles ? 1 : 0
        return bytes
    }

    /// Everything up to the key: what distinguishes the slot from others. Excludes the mark of files, since that
    /// changes without the passcode.
    var identity: [UInt8] {
        var writer = ByteWriter()
        writer.append([kind.rawValue, keyClass?.code ?? 0, isRetired ? 1 : 0, root.rawValue, 0, 0, 0, 0])
        writer.integer(id.value)
        writer.append(publicKey ?? [UInt8](repeating: 0, count: 32))
        return writer.bytes
    }

    fileprivate init(_ reader: inout ByteReader) throws {
        guard let kind = Kind(rawValue: try reader.integer()) else { throw SealingError.malformed }
        let code: UInt8 = try reader.integer()
        let keyClass = KeyClass(code: code)
        guard (keyClass == nil) == (kind == .accessControlKey), keyClass != nil || code == 0 else {
            throw SealingError.malformed
        }
        let retired: UInt8 = try reader.integer()
        guard retired <= 1, try reader.integer(UInt8.self) == Self.root(kind, keyClass).rawValue else {
            throw SealingError.malformed
        }
        let files: UInt8 = try reader.integer()
        try reader.zeros(3)
        let id: UInt64 = try reader.integer()
        let publicKey = try reader.read(32)
        guard id != 0, publicKey.contains(where: { $0 != 0 }) == kind.isPair else {
            throw SealingError.malformed
        }
        self.init(
            kind: kind, keyClass: keyClass, isRetired: retired == 1, id: ClassKeyID(id),
            publicKey: kind.isPair ? publicKey : nil, wrapped: try reader.read(40), check: try reader.read(16),
            code: try reader.read(16)
        )
        isOfFiles = files == 1
        guard isRetired || self.code == Self.noCode, files <= (canBeOfFiles ? 1 : 0) else {
            throw SealingError.malformed
        }
    }
}

extension ByteReader {
    mutating func identifier() throws -> UniqueIdentifier {
        guard let identifier = UniqueIdentifier(bytes: try read(16)) else { throw SealingError.malformed }
        return identifier
    }

    mutating func zeros(_ count: Int) throws {
        guard try read(count).allSatisfy({ $0 == 0 }) else { throw SealingError.malformed }
    }
}

/// What is wrong with the bytes of a keybag.
enum KeybagFault: Error, Equatable {
    case malformed
    case newer
    case parametersRefused
    case headerChanged
    case slotChanged(KeybagSlot)
    case slotsChanged
    case slotsExchanged
    /// Nothing in the keybag verifies.
    case foreign
    /// The HMAC is right, but not what takes the passcode to make: a slot or, if nil, the limits or which slots there
    /// are. Its author knows the device secret.
    case forged(KeybagSlot?)
}
