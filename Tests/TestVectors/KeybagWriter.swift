// SPDX-License-Identifier: Apache-2.0

import Sealing
import SecretMemory

/// Writes homes as Documentation/Formats/{DeviceSecret,Epoch,Keybag}.md say, from fixed keys. It shares only the
/// cryptography with the product, so that document and product are checked against each other.
struct KeybagWriter {
    /// One slot of the table; `wrapped` and tag are made when the keybag is written.
    struct Slot {
        var kind: UInt8
        var code: UInt8
        var retired: UInt8 = 0
        var root: UInt8
        /// A file may have been wrapped under it; no code but the tag and the HMAC covers that.
        var files: UInt8 = 0
        var reserved: [UInt8] = [0, 0, 0]
        var id: UInt64
        var publicKey: [UInt8] = KeybagWriter.zeros(32)
        /// The key in the slot.
        var key: [UInt8]
        /// Put in place of the wrapped key.
        var wrapped: [UInt8]?
        /// Put in place of the check value, and of a retired slot's code.
        var check: [UInt8]?
        var retiredCode: [UInt8]?

        /// Kind to public key.
        fileprivate var identity: [UInt8] {
            [kind, code, retired, root, 0] + reserved + KeybagWriter.bytes(id) + publicKey
        }
    }

    /// What binds a passcode to a TPM.
    struct Binding {
        var way = "swtpm:/nowhere/chip"
        var parent = [0, 0x0B] + KeybagWriter.pattern(60, 32)
        var tpm = [0, 0x0B] + KeybagWriter.pattern(61, 32)
        var registers: UInt32 = 0
        /// The public area as in TPMObjects.md, with a digest that is not checked here.
        var publicArea: [UInt8] =
            [0, 0x08, 0, 0x0B, 0, 0, 0, 0x52, 0, 0, 0, 0x10, 0, 32] + KeybagWriter.pattern(62, 32)
        var privateArea = KeybagWriter.pattern(63, 100)
        /// What the TPM gives.
        var value = KeybagWriter.pattern(64, 32)
        /// The seed of the recovery code, and the private key of the seal to it.
        var recovery = KeybagWriter.pattern(65, 20)
        var ephemeral = KeybagWriter.pattern(66, 32)
        /// Number and mark of a counter of the TPM, and up to what it opens; empty: none.
        var counter: [UInt8] = []
        var length: UInt32?
    }

    var secret = KeybagWriter.pattern(1, 32)
    var epoch = KeybagWriter.pattern(2, 32)
    var passcode: String?
    var magic = Array("zamokbag".utf8)
    var version: UInt8 = 1
    var epochSlot: UInt8 = 0
    var flags: UInt8
    var eraseAfter: UInt8 = 0
    var reserved: [UInt8] = [0, 0, 0, 0]
    var home = KeybagWriter.pattern(3, 16)
    var keybag = KeybagWriter.pattern(4, 16)
    var generation: UInt64 = 5
    var parameters: [UInt8]
    var count: UInt16?
    var salt: [UInt8]
    var slots: [Slot]
    /// Put in place of the person's code.
    var person: [UInt8]?
    /// What binds the passcode to a TPM; nil: nothing does.
    var binding: Binding?
    /// Whose home it is: empty for a root home.
    var owner: [UInt8] = []

    static func zeros(_ count: Int) -> [UInt8] { [UInt8](repeating: 0, count: count) }

    /// Bytes that are easily told apart.
    static func pattern(_ seed: UInt8, _ count: Int) -> [UInt8] {
        (0..<count).map { UInt8(truncatingIfNeeded: $0 * 7) ^ (seed &* 29) }
    }

    init(passcode: String?) throws {
        self.passcode = passcode
        flags = passcode == nil ? 0 : 1
        parameters = passcode == nil ? [0, 0, 0, 0] : [16, 8, 1, 0]
        salt = passcode == nil ? Self.zeros(16) : Self.pattern(5, 16)
        let table: [(UInt8, UInt8, UInt8)] =
            [
                (1, 0x01, 1), (1, 0x81, 1), (1, 0x03, 1), (1, 0x83, 1), (1, 0x04, 0), (1, 0x84, 0), (2, 0x02, 1),
                (2, 0x82, 1),
            ]
            + [(3, 0x02, 0), (3, 0x82, 0), (4, 0x03, 1), (4, 0x04, 0)]
            + (passcode == nil ? [] : [(1, 0x85, 1), (5, 0, 1)])
        slots = try table.enumerated().map { index, row in
            // An authenticity key has the id of the pair of its class.
            let id = row.0 == 3 ? (row.1 == 0x02 ? 7 : 8) : UInt64(index + 1)
            return try Self.slot(kind: row.0, code: row.1, root: row.2, id: id, seed: UInt8(10 + index))
        }
    }

    static func slot(kind: UInt8, code: UInt8, root: UInt8, id: UInt64, seed: UInt8) throws -> Slot {
        var slot = Slot(kind: kind, code: code, root: root, id: id, key: pattern(seed, 32))
        if kind == 2 || kind == 5 {
            slot.publicKey = try KeyAgreement.publicKey(of: try SecretBytes(copying: slot.key))
        }
        return slot
    }

    /// A retired copy of the slots, with other ids and keys.
    mutating func retire() throws {
        for slot in slots where slot.kind != 4 {
            var old = try Self.slot(
                kind: slot.kind, code: slot.code, root: slot.root, id: slot.id + 100, seed: UInt8(slot.id) &+ 100)
            old.retired = 1
            slots.append(old)
        }
    }

    // MARK: Files

    func deviceSecretFile() throws -> [UInt8] {
        let header = Array("zamokdev".utf8) + [1] + Self.zeros(7)
        return header + secret + (try expand(secret, .deviceSecretCheck, header, 16))
    }

    func epochFile() -> [UInt8] {
        var file = Array("zamokepo".utf8) + [1] + Self.zeros(12288 - 9)
        let place = 4096 * (1 + Int(epochSlot & 1))
        file.replaceSubrange(place..<place + 40, with: epoch + Self.bytes(generation))
        return file
    }

    func attemptsFile(failures: UInt32 = 0) throws -> [UInt8] {
        let body = Array("zamokatt".utf8) + [1, 0, 0, 0] + Self.bytes(failures) + Self.zeros(24)
        let key = try derive(secret, home, .attemptsAuthentication, [])
        return body + (try code(key, body))
    }

    /// `tamper` changes the bytes before the HMAC is made over them.
    func keybagFile(tamper: (inout [UInt8]) -> Void = { _ in }) throws -> [UInt8] {
        let device = try derive(secret + epoch, keybag, .deviceRoot, owner)
        let authentication = try expand(device, .keybagAuthentication, [], 32)
        let root = try passcodeRoot()
        var file = magic + [version, epochSlot, flags, eraseAfter] + reserved + home + keybag + Self.bytes(generation)
        file += parameters + Self.bytes(count ?? UInt16(slots.count)) + [0, 0] + salt
        file += try code(authentication, [1] + file).prefix(16)
        let personKey = try expand(root, .keybagPerson, [], 32)
        for slot in slots {
            let body = try self.body(slot, slot.root == 0 ? device : root, personKey)
            file += body + (try code(authentication, [2] + keybag + body).prefix(16))
        }
        file += try bindingBytes()
        file += try person ?? personCode(personKey)
        tamper(&file)
        return file + (try code(authentication, [3] + file))
    }

    private func passcodeRoot() throws -> [UInt8] {
        guard let passcode else { return try derive(secret + epoch, keybag, .passcodeRoot, [0] + owner) }
        let stretched = try KeyDerivation.scrypt(
            try SecretBytes(copying: Array(passcode.utf8)), salt: salt, parameters: .limitedMemory
        )
        guard let binding else {
            return try derive(exposed(stretched) + secret + epoch, keybag, .passcodeRoot, [1] + owner)
        }
        let material = try exposed(stretched) + binding.value + secret + epoch
        return try derive(material, keybag, .passcodeRoot, [2] + owner)
    }

    /// With its length; empty where nothing binds the passcode.
    private func bindingBytes() throws -> [UInt8] {
        guard let binding else { return [] }
        let way = Array(binding.way.utf8)
        var bytes = Self.bytes(UInt16(way.count)) + way + binding.parent + binding.tpm
        bytes += Self.bytes(binding.registers)
        bytes += Self.bytes(UInt32(binding.publicArea.count)) + binding.publicArea
        bytes += Self.bytes(UInt32(binding.privateArea.count)) + binding.privateArea
        let own = try derive(binding.recovery, [], .recoveryKey, [])
        let publicKey = try KeyAgreement.publicKey(of: try SecretBytes(copying: own))
        let ephemeral = try SecretBytes(copying: binding.ephemeral)
        let ephemeralKey = try KeyAgreement.publicKey(of: ephemeral)
        let shared = try exposed(try KeyAgreement.sharedSecret(of: ephemeral, with: publicKey))
        let key = try derive(shared, [], .passcodeRecoverySeal, ephemeralKey + publicKey)
        bytes += publicKey + ephemeralKey
        bytes += try KeyWrap.wrap(try SecretBytes(copying: binding.value), under: try SecretBytes(copying: key))
        bytes += binding.counter
        return Self.bytes(binding.length ?? UInt32(bytes.count)) + bytes
    }

    private func body(_ slot: Slot, _ root: [UInt8], _ personKey: [UInt8]) throws -> [UInt8] {
        let labels: [KeyLabel] = [
            .classKeyWrapping, .classKeyPairWrapping, .authenticityKeyWrapping, .metadataKeyWrapping,
            .accessControlWrapping,
        ]
        let label = labels[min(max(Int(slot.kind) - 1, 0), 4)]
        let wrapping = try expand(root, label, [slot.code, slot.kind] + Self.bytes(slot.id) + keybag, 32)
        let wrapped =
            try slot.wrapped
            ?? KeyWrap.wrap(try SecretBytes(copying: slot.key), under: try SecretBytes(copying: wrapping))
        var body = slot.identity + wrapped + (try checked(slot)) + (try retiredCode(slot, personKey))
        body[4] = slot.files
        return body
    }

    private func checked(_ slot: Slot) throws -> [UInt8] {
        if let check = slot.check { return check }
        let context = [slot.kind, slot.code] + Self.bytes(slot.id) + home + slot.publicKey
        return try expand(slot.key, .keyCheck, context, 16)
    }

    private func retiredCode(_ slot: Slot, _ personKey: [UInt8]) throws -> [UInt8] {
        guard slot.retired == 1 else { return slot.retiredCode ?? Self.zeros(16) }
        return try slot.retiredCode
            ?? Array(code(personKey, [2] + home + keybag + slot.identity + checked(slot)).prefix(16))
    }

    /// The code of the present plan, for vectors that change the plan afterwards.
    func personCode() throws -> [UInt8] { try personCode(expand(passcodeRoot(), .keybagPerson, [], 32)) }

    private func personCode(_ key: [UInt8]) throws -> [UInt8] {
        let current = slots.filter { $0.retired == 0 }
        let covered = [1, version, flags, eraseAfter] + home + keybag + parameters.prefix(3) + salt
        return try code(
            key,
            covered + Self.bytes(UInt16(current.count)) + current.flatMap { $0.identity + (try checked($0)) }
                + bindingBytes())
    }

    // MARK: Cryptography on bytes

    private func derive(_ material: [UInt8], _ salt: [UInt8], _ label: KeyLabel, _ context: [UInt8]) throws -> [UInt8] {
        try exposed(
            try KeyDerivation.derive(
                from: try SecretBytes(copying: material), salt: salt, label: label, context: context))
    }

    private func expand(_ key: [UInt8], _ label: KeyLabel, _ context: [UInt8], _ count: Int) throws -> [UInt8] {
        try exposed(
            try KeyDerivation.expand(from: try SecretBytes(copying: key), label: label, context: context, count: count))
    }

    private func code(_ key: [UInt8], _ message: [UInt8]) throws -> [UInt8] {
        try KeyDerivation.authenticationCode(for: message, under: try SecretBytes(copying: key))
    }

    private func exposed(_ secret: borrowing SecretBytes) throws -> [UInt8] {
        try secret.exposingBytes(0..<secret.count) ?? []
    }

    static func bytes(_ number: some FixedWidthInteger) -> [UInt8] {
        var writer = ByteWriter()
        writer.integer(number)
        return writer.bytes
    }
}
