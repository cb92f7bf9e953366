// SPDX-License-Identifier: Apache-2.0

import Sealing
package import SecretMemory

/// A secret that only one chip can give back (Documentation/Formats/Chip.md).
package struct SealedToChip: Equatable, Sendable {
    package static let longestPart = 512
    package static let secretSize = 32

    package let identity: ChipIdentity
    /// The measurements without which the chip gives nothing.
    package let measurements: Measurements
    /// TPMT_PUBLIC.
    package let publicArea: [UInt8]
    /// TPM2B_PRIVATE without its length.
    package let privateArea: [UInt8]

    package init(identity: ChipIdentity, measurements: Measurements, publicArea: [UInt8], privateArea: [UInt8]) {
        self.identity = identity
        self.measurements = measurements
        self.publicArea = publicArea
        self.privateArea = privateArea
    }

    /// Which of the chip's registers 0 to 23 (PCRs, in the bank of SHA-256).
    package struct Measurements: Equatable, Sendable {
        package let mask: UInt32
        package static let none = Measurements(mask: 0)

        private init(mask: UInt32) { self.mask = mask }

        /// Nil: a bit above the last register.
        package init?(bits: UInt32) {
            guard bits < 1 << 24 else { return nil }
            mask = bits
        }

        /// Nil: a register that there isn't.
        package init?(_ registers: [Int]) {
            guard registers.allSatisfy({ (0...23).contains($0) }) else { return nil }
            mask = registers.reduce(0) { $0 | 1 << UInt32($1) }
        }

        package var registers: [Int] { (0..<24).filter { mask >> UInt32($0) & 1 == 1 } }

        fileprivate var selection: [UInt8] {
            var writer = ByteWriter()
            writer.integer(UInt32(1))
            writer.integer(ChipCode.sha256)
            writer.append([3, UInt8(mask & 0xFF), UInt8(mask >> 8 & 0xFF), UInt8(mask >> 16 & 0xFF)])
            return writer.bytes
        }
    }
}

extension ChipWay {
    /// Seals a secret to the chip and, if there are any, to its measurements of now. Two connections: on the second one it was read back.
    ///
    /// Errors: `.away`, `.silent`, `.garbage`, `.full`, `.refused`, `.damagedBlob` (what came back is not what went there).
    package func seal(
        _ secret: borrowing SecretBytes, _ measurements: SealedToChip.Measurements
    ) throws -> SealedToChip {
        let sealed = try Chip(try ChipConnection(self), patience: patience).seal(secret, measurements)
        guard try open(sealed).isEqual(to: secret) else { throw ChipError.damagedBlob }
        return sealed
    }

    /// Seals a secret to the chip that is known already, for whoever has `authorization`: wrong ones are counted by the chip's lockout. Read back over a second
    /// connection. `authorization`: at most 32 bytes, of which the last is not zero.
    ///
    /// Errors: as above, and `.otherChip`, `.cleared`, `.lockedOut`.
    package func seal(
        _ secret: borrowing SecretBytes, for authorization: Secret, to identity: ChipIdentity
    ) throws -> SealedToChip {
        let sealed = try Chip(try ChipConnection(self), patience: patience).seal(secret, for: authorization, identity)
        guard try open(sealed, with: authorization).isEqual(to: secret) else { throw ChipError.damagedBlob }
        return sealed
    }

    /// The same, and for a counter that has not gone above a number. `proof`: the counter's authorisation.
    ///
    /// Errors: as above, `.counterGone`, `.counterReplaced`, `.superseded`.
    package func seal(
        _ secret: borrowing SecretBytes, for authorization: Secret, under limit: CounterLimit, _ proof: Secret,
        to identity: ChipIdentity
    ) throws -> SealedToChip {
        let sealed = try Chip(try ChipConnection(self), patience: patience)
            .seal(secret, for: authorization, identity, policy: limit.policy)
        let opened = try open(sealed, with: authorization, under: limit, proof, finishing: false)
        guard try opened.isEqual(to: secret) else { throw ChipError.damagedBlob }
        return sealed
    }

    /// The secret that was sealed so. `finishing`: whether the counter, where it is one behind, is raised to the number once the secret was given: whatever was sealed for the number before is
    /// dead from then on.
    ///
    /// Errors: `.superseded`, `.counterGone`, `.counterReplaced` (also: it is further behind), and the others of `ChipError`.
    package func open(
        _ sealed: SealedToChip, with authorization: Secret, under limit: CounterLimit, _ proof: Secret, finishing: Bool
    ) throws -> SecretBytes {
        let chip = Chip(try ChipConnection(self), patience: patience)
        let secret = try Chip.reading {
            try chip.open(sealed, authorization, under: limit, proof, finishing: finishing)
        }
        return try secret.withSecretBytes { try $0.part(0..<SealedToChip.secretSize) }
            ?? {
                throw ChipError.damagedBlob
            }()
    }

    /// The secret, and what a counter says, in one conversation: each begins with making the parent's key and a session. `counter`: the one that the secret is for, and its authorisation. A counter that
    /// can't be read is no error here, and has no value.
    package func open(
        _ sealed: SealedToChip, reading counter: (Secret) throws -> (ChipCounter, Secret)
    ) throws -> OpenedBeside {
        try sealed.open(over: try ChipConnection(self), reading: counter, patience: patience)
    }

    /// The secret; `authorization`: of one that was sealed for one. Errors: those of `ChipError`.
    package func open(_ sealed: SealedToChip, with authorization: Secret? = nil) throws -> SecretBytes {
        try sealed.open(over: try ChipConnection(self), with: authorization, patience: patience)
    }
}

/// A secret that was sealed, and what a counter said beside it; nil: it could not be read.
package struct OpenedBeside: ~Copyable {
    package let secret: SecretBytes
    package let value: UInt64?
}

extension SealedToChip {
    package func open(
        over line: any ChipLine, with authorization: Secret? = nil, patience: Duration = ChipWay.usualPatience
    ) throws -> SecretBytes {
        let secret = try Chip.reading { try Chip(line, patience: patience).open(self, authorization) }
        return try secret.withSecretBytes { try $0.part(0..<Self.secretSize) } ?? { throw ChipError.damagedBlob }()
    }

    package func open(
        over line: any ChipLine, reading counter: (Secret) throws -> (ChipCounter, Secret),
        patience: Duration = ChipWay.usualPatience
    ) throws -> OpenedBeside {
        let chip = Chip(line, patience: patience)
        var value: UInt64?
        let secret = try Chip.reading {
            try chip.open(self, nil) { secret, session in
                value = try? Chip.reading {
                    let (counter, proof) = try counter(secret)
                    return try chip.read(counter, proof, session)
                }
            }
        }
        let content =
            try secret.withSecretBytes { try $0.part(0..<Self.secretSize) } ?? { throw ChipError.damagedBlob }()
        return OpenedBeside(secret: content, value: value)
    }

    /// What a sealed object of ours is, up to its policy. Without an authorisation of its own it is there for the chip's owner, and outside the lockout.
    fileprivate static func template(_ policy: [UInt8], isCounted: Bool = false) -> [UInt8] {
        // With a policy nothing but the policy opens it.
        let user: ObjectAttributes = policy.isEmpty ? [.userWithAuth] : []
        let lockout: ObjectAttributes = isCounted ? [] : [.noDA]
        let attributes: ObjectAttributes = [.fixedTPM, .fixedParent]
        var writer = ByteWriter()
        writer.integer(ChipCode.keyedHash)
        writer.integer(ChipCode.sha256)
        writer.integer(attributes.union(user).union(lockout).rawValue)
        writer.sized(policy)
        writer.integer(ChipCode.nothing)
        return writer.bytes
    }
}

extension Chip {
    /// An answer that ends too soon, or goes on for too long, is garbage.
    static func reading<R>(_ body: () throws -> R) throws -> R {
        do { return try body() } catch let error as SealingError {
            guard error == .malformed else { throw error }
            throw ChipError.garbage("it is not of the form that the command has")
        }
    }

    func seal(_ secret: borrowing SecretBytes, _ measurements: SealedToChip.Measurements) throws -> SealedToChip {
        let content = Secret(try secret.part(0..<secret.count) ?? { throw SealingError.malformed }())
        return try Self.reading {
            try withRoom {
                let chip = try ChipIdentity.chip(self)
                let parent = try ChipParent.make(ChipCode.owner, in: self)
                defer { flush(parent.handle.value) }
                let policy = measurements == .none ? [] : try policy(measurements, parent)
                let (publicArea, privateArea) = try create(
                    SealedToChip.template(policy), try content.sensitive(for: nil), parent)
                return SealedToChip(
                    identity: ChipIdentity(parent: parent.name, chip: chip), measurements: measurements,
                    publicArea: publicArea, privateArea: privateArea)
            }
        }
    }

    func seal(
        _ secret: borrowing SecretBytes, for authorization: Secret, _ identity: ChipIdentity, policy: [UInt8] = []
    ) throws -> SealedToChip {
        let content = Secret(try secret.part(0..<secret.count) ?? { throw SealingError.malformed }())
        return try Self.reading {
            try withRoom {
                try ChipParent.with(identity, in: self) { parent in
                    let (publicArea, privateArea) = try create(
                        SealedToChip.template(policy, isCounted: true), try content.sensitive(for: authorization),
                        parent)
                    return SealedToChip(
                        identity: identity, measurements: .none, publicArea: publicArea, privateArea: privateArea)
                }
            }
        }
    }

    /// `sensitive`: TPMS_SENSITIVE_CREATE. `unique`: an empty one of the object's type. TPMT_PUBLIC and TPM2B_PRIVATE of the object.
    func create(
        _ template: [UInt8], _ sensitive: Secret, unique: [UInt8] = [0, 0], _ parent: ChipParent
    ) throws -> (publicArea: [UInt8], privateArea: [UInt8]) {
        var parameters = ByteWriter()
        // Nothing to be unique by: the secret is.
        parameters.sized(template + unique)
        parameters.append([0, 0, 0, 0, 0, 0])
        let session = try parent.session(.code, in: self)
        defer { flush(session.handle) }
        var call = Call(
            command: .create, handles: [parent.handle], authorization: .session(session, [.goesOn, .hidesCommand]))
        call.secret = sensitive
        call.parameters = parameters.bytes
        var answer = try run(call)
        let privateArea = try answer.parameters.sized(limit: SealedToChip.longestPart)
        let publicArea = try answer.parameters.sized(limit: SealedToChip.longestPart)
        guard publicArea.starts(with: template) else {
            throw ChipError.garbage("it made something else than was asked for")
        }
        return (publicArea, privateArea)
    }

    /// `then`: what else is asked in the same session, once the secret is there.
    func open(
        _ sealed: SealedToChip, _ authorization: Secret?, then: (Secret, ChipSession) -> Void = { _, _ in }
    ) throws -> Secret {
        // What isn't under the lockout would be asked without being counted.
        guard authorization == nil || sealed.publicArea.starts(with: SealedToChip.template([], isCounted: true)) else {
            throw ChipError.damagedBlob
        }
        return try withRoom {
            try ChipParent.with(sealed.identity, in: self) { parent in
                let session = try parent.session(.code, in: self)
                defer { flush(session.handle) }
                let object = try load(sealed.publicArea, sealed.privateArea, parent, session)
                defer { flush(object.value) }
                let secret =
                    if let authorization {
                        try unseal(object, session, authorization)
                    } else if sealed.measurements
                        == .none
                    { try unseal(object, session) } else { try unseal(object, sealed.measurements, parent) }
                then(secret, session)
                return secret
            }
        }
    }

    func open(
        _ sealed: SealedToChip, _ authorization: Secret, under limit: CounterLimit, _ proof: Secret, finishing: Bool
    ) throws -> Secret {
        // What isn't under the lockout, or not under the counter, would be asked without them.
        guard sealed.publicArea.starts(with: SealedToChip.template(limit.policy, isCounted: true)) else {
            throw ChipError.damagedBlob
        }
        return try withRoom {
            try ChipParent.with(sealed.identity, in: self) { parent in
                let session = try parent.session(.code, in: self)
                defer { flush(session.handle) }
                let present = try read(limit.counter, proof, session)
                guard present <= limit.most else { throw ChipError.superseded }
                guard limit.most - present <= 1 else { throw ChipError.counterReplaced }
                let object = try load(sealed.publicArea, sealed.privateArea, parent, session)
                defer { flush(object.value) }
                let policy = try parent.session(.policy, in: self)
                defer { flush(policy.handle) }
                try compare(limit, proof, for: policy, session)
                let secret = try unseal(object, policy, authorization)
                if finishing, present < limit.most { _ = try raise(limit.counter, to: limit.most, proof, session) }
                return secret
            }
        }
    }

    /// Where something is measured at the same moment, once more.
    private func unseal(
        _ object: Handle, _ measurements: SealedToChip.Measurements, _ parent: ChipParent
    ) throws -> Secret {
        for _ in 0..<4 {
            let session = try parent.session(.policy, in: self)
            defer { flush(session.handle) }
            try bind(session, to: measurements)
            do { return try unseal(object, session) } catch ChipError.refused(ChipCode.pcrChanged) { continue }
        }
        throw ChipError.otherMeasurements
    }

    func load(
        _ publicArea: [UInt8], _ privateArea: [UInt8], _ parent: ChipParent, _ session: ChipSession
    ) throws -> Handle {
        var parameters = ByteWriter()
        parameters.sized(privateArea)
        parameters.sized(publicArea)
        var call = Call(
            command: .load, handles: [parent.handle], authorization: .session(session, [.goesOn]),
            parameters: parameters.bytes)
        call.makesHandle = true
        var answer = try run(call)
        let name = try answer.parameters.sized(limit: 64)
        guard name == ChipName.of(publicArea) else {
            flush(answer.handle)
            throw ChipError.garbage("it loaded something else than was asked for")
        }
        return Handle(answer.handle, name: name)
    }

    /// A wrong authorisation is one answer among the chip's others; only here does it mean what somebody typed.
    private func unseal(_ object: Handle, _ session: ChipSession, _ authorization: Secret) throws -> Secret {
        do {
            return try unseal(object, session, proof: ChipSession.Proof(present: authorization))
        } catch let error as ChipError {
            guard error.isWrongAuthorization else { throw error }
            throw ChipError.wrongAuthorization
        }
    }

    private func unseal(
        _ object: Handle, _ session: ChipSession, proof: ChipSession.Proof? = nil
    ) throws -> Secret {
        var call = Call(
            command: .unseal, handles: [object], authorization: .session(session, [.goesOn, .hidesAnswer]))
        call.proof = proof
        let answer = try run(call)
        try answer.parameters.end()
        guard let secret = answer.secret else { throw SealingError.malformed }
        return secret
    }

    /// Binds a policy session to the measurements of now.
    private func bind(_ session: ChipSession, to measurements: SealedToChip.Measurements) throws {
        var parameters = ByteWriter()
        parameters.sized([UInt8]())
        parameters.append(measurements.selection)
        _ = try run(
            Call(command: .policyPCR, handles: [Handle(session.handle)], parameters: parameters.bytes))
    }

    /// The digest that a session has after it was bound.
    private func policy(_ measurements: SealedToChip.Measurements, _ parent: ChipParent) throws -> [UInt8] {
        let session = try parent.session(.policy, in: self)
        defer { flush(session.handle) }
        try bind(session, to: measurements)
        var answer = try run(Call(command: .policyGetDigest, handles: [Handle(session.handle)]))
        let digest = try answer.parameters.sized(limit: 64)
        guard digest.count == 32 else { throw SealingError.malformed }
        return digest
    }
}

extension Secret {
    /// TPMS_SENSITIVE_CREATE: the authorisation, if there is one, and the secret, each after its length.
    fileprivate func sensitive(for authorization: Secret?) throws -> Secret {
        try withSecretBytes { secret in
            let end = try SecretBytes(copying: Self.length(secret.count)).joined(with: secret)
            guard let authorization else {
                return Secret(try SecretBytes(copying: Self.length(0)).joined(with: end))
            }
            return Secret(
                try authorization.withSecretBytes {
                    try SecretBytes(copying: Self.length($0.count)).joined(with: $0).joined(with: end)
                })
        }
    }

    private static func length(_ count: Int) -> [UInt8] {
        var writer = ByteWriter()
        writer.integer(UInt16(truncatingIfNeeded: count))
        return writer.bytes
    }
}
