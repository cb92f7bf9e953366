// SPDX-License-Identifier: Apache-2.0

import Sealing
package import SecretMemory

/// A secret that only one TPM can unseal (`Documentation/Formats/TPMObjects.md`).
package struct SealedToTPM: Equatable, Sendable {
    package static let longestPart = 512
    package static let secretSize = 32

    package let identity: TPMIdentity
    /// The PCRs whose values the TPM requires to unseal.
    package let measurements: Measurements
    /// TPMT_PUBLIC.
    package let publicArea: [UInt8]
    /// TPM2B_PRIVATE without its length.
    package let privateArea: [UInt8]

    package init(identity: TPMIdentity, measurements: Measurements, publicArea: [UInt8], privateArea: [UInt8]) {
        self.identity = identity
        self.measurements = measurements
        self.publicArea = publicArea
        self.privateArea = privateArea
    }

    /// A selection of PCRs 0 to 23 in the SHA-256 bank.
    package struct Measurements: Equatable, Sendable {
        package let mask: UInt32
        package static let none = Measurements(mask: 0)

        private init(mask: UInt32) { self.mask = mask }

        /// Nil if a bit above PCR 23 is set.
        package init?(bits: UInt32) {
            guard bits < 1 << 24 else { return nil }
            mask = bits
        }

        /// Nil if a number is not that of a PCR.
        package init?(_ registers: [Int]) {
            guard registers.allSatisfy({ (0...23).contains($0) }) else { return nil }
            mask = registers.reduce(0) { $0 | 1 << UInt32($1) }
        }

        package var registers: [Int] { (0..<24).filter { mask >> UInt32($0) & 1 == 1 } }

        fileprivate var selection: [UInt8] {
            var writer = ByteWriter()
            writer.integer(UInt32(1))
            writer.integer(TPMCode.sha256)
            writer.append([3, UInt8(mask & 0xFF), UInt8(mask >> 8 & 0xFF), UInt8(mask >> 16 & 0xFF)])
            return writer.bytes
        }
    }
}

extension TPMAddress {
    /// Seals a secret to the TPM and to the present values of the selected PCRs, if any. Reads it back over a
    /// second connection.
    ///
    /// Errors: `.away`, `.silent`, `.garbage`, `.full`, `.refused`, `.damagedBlob` (the secret read back differs).
    package func seal(
        _ secret: borrowing SecretBytes, _ measurements: SealedToTPM.Measurements
    ) throws -> SealedToTPM {
        let sealed = try TPM(try TPMConnection(self), patience: patience).seal(secret, measurements)
        guard try open(sealed).isEqual(to: secret) else { throw TPMError.damagedBlob }
        return sealed
    }

    /// Seals a secret to the known TPM with an `authValue`. The TPM's dictionary-attack protection counts wrong ones.
    /// Reads the secret back over a second connection.
    ///
    /// `authorization`: at most 32 bytes, of which the last is not zero. Errors: as above, and `.otherTPM`,
    /// `.cleared`, `.lockedOut`.
    package func seal(
        _ secret: borrowing SecretBytes, for authorization: Secret, to identity: TPMIdentity
    ) throws -> SealedToTPM {
        let sealed = try TPM(try TPMConnection(self), patience: patience).seal(secret, for: authorization, identity)
        guard try open(sealed, with: authorization).isEqual(to: secret) else { throw TPMError.damagedBlob }
        return sealed
    }

    /// Like `seal(_:for:to:)`, but also requires that the counter has not exceeded `limit`. `proof`: the
    /// counter's `authValue`.
    ///
    /// Errors: as above, `.counterGone`, `.counterReplaced`, `.superseded`.
    package func seal(
        _ secret: borrowing SecretBytes, for authorization: Secret, under limit: CounterLimit, _ proof: Secret,
        to identity: TPMIdentity
    ) throws -> SealedToTPM {
        let sealed = try TPM(try TPMConnection(self), patience: patience)
            .seal(secret, for: authorization, identity, policy: limit.policy)
        let opened = try open(sealed, with: authorization, under: limit, proof, finishing: false)
        guard try opened.isEqual(to: secret) else { throw TPMError.damagedBlob }
        return sealed
    }

    /// Unseals a secret that is sealed under a counter limit.
    ///
    /// `finishing`: whether to increment a counter that is one below the limit, once the secret is unsealed. Secrets
    /// sealed for the previous number are invalidated by it.
    ///
    /// Errors: `.superseded`, `.counterGone`, `.counterReplaced` (also if the counter is further behind), and the
    /// others of `TPMError`.
    package func open(
        _ sealed: SealedToTPM, with authorization: Secret, under limit: CounterLimit, _ proof: Secret, finishing: Bool
    ) throws -> SecretBytes {
        let tpm = TPM(try TPMConnection(self), patience: patience)
        let secret = try TPM.reading {
            try tpm.open(sealed, authorization, under: limit, proof, finishing: finishing)
        }
        return try secret.withSecretBytes { try $0.part(0..<SealedToTPM.secretSize) }
            ?? {
                throw TPMError.damagedBlob
            }()
    }

    /// Unseals a secret and reads a counter over one connection, which saves creating the parent key and a session
    /// twice. `counter` maps the secret to the counter and its `authValue`. A counter that can't be read is no error;
    /// its value is nil.
    package func open(
        _ sealed: SealedToTPM, reading counter: (Secret) throws -> (TPMCounter, Secret)
    ) throws -> OpenedBeside {
        try sealed.open(over: try TPMConnection(self), reading: counter, patience: patience)
    }

    /// Unseals a secret. `authorization`: the `authValue` that it is sealed with, if any. Errors: those of `TPMError`.
    package func open(_ sealed: SealedToTPM, with authorization: Secret? = nil) throws -> SecretBytes {
        try sealed.open(over: try TPMConnection(self), with: authorization, patience: patience)
    }
}

/// An unsealed secret and the value of a counter; nil if the counter could not be read.
package struct OpenedBeside: ~Copyable {
    package let secret: SecretBytes
    package let value: UInt64?
}

extension SealedToTPM {
    package func open(
        over line: any TPMTransport, with authorization: Secret? = nil, patience: Duration = TPMAddress.usualPatience
    ) throws -> SecretBytes {
        let secret = try TPM.reading { try TPM(line, patience: patience).open(self, authorization) }
        return try secret.withSecretBytes { try $0.part(0..<Self.secretSize) } ?? { throw TPMError.damagedBlob }()
    }

    package func open(
        over line: any TPMTransport, reading counter: (Secret) throws -> (TPMCounter, Secret),
        patience: Duration = TPMAddress.usualPatience
    ) throws -> OpenedBeside {
        let tpm = TPM(line, patience: patience)
        var value: UInt64?
        let secret = try TPM.reading {
            try tpm.open(self, nil) { secret, session in
                value = try? TPM.reading {
                    let (counter, proof) = try counter(secret)
                    return try tpm.read(counter, proof, session)
                }
            }
        }
        let content =
            try secret.withSecretBytes { try $0.part(0..<Self.secretSize) } ?? { throw TPMError.damagedBlob }()
        return OpenedBeside(secret: content, value: value)
    }

    /// The public area of our sealed objects, up to the policy. Without its own `authValue`, an object is available to
    /// the TPM's owner and exempt from dictionary-attack protection.
    fileprivate static func template(_ policy: [UInt8], isCounted: Bool = false) -> [UInt8] {
        // With a policy, only the policy authorizes unsealing.
        let user: ObjectAttributes = policy.isEmpty ? [.userWithAuth] : []
        let lockout: ObjectAttributes = isCounted ? [] : [.noDA]
        let attributes: ObjectAttributes = [.fixedTPM, .fixedParent]
        var writer = ByteWriter()
        writer.integer(TPMCode.keyedHash)
        writer.integer(TPMCode.sha256)
        writer.integer(attributes.union(user).union(lockout).rawValue)
        writer.sized(policy)
        writer.integer(TPMCode.nothing)
        return writer.bytes
    }
}

extension TPM {
    /// Maps a response that is too short or too long to `.garbage`.
    static func reading<R>(_ body: () throws -> R) throws -> R {
        do { return try body() } catch let error as SealingError {
            guard error == .malformed else { throw error }
            throw TPMError.garbage("it is not of the form that the command has")
        }
    }

    func seal(_ secret: borrowing SecretBytes, _ measurements: SealedToTPM.Measurements) throws -> SealedToTPM {
        let content = Secret(try secret.part(0..<secret.count) ?? { throw SealingError.malformed }())
        return try Self.reading {
            try withRoom {
                let tpm = try TPMIdentity.tpm(self)
                let parent = try TPMParent.make(TPMCode.owner, in: self)
                defer { flush(parent.handle.value) }
                let policy = measurements == .none ? [] : try policy(measurements, parent)
                let (publicArea, privateArea) = try create(
                    SealedToTPM.template(policy), try content.sensitive(for: nil), parent)
                return SealedToTPM(
                    identity: TPMIdentity(parent: parent.name, tpm: tpm), measurements: measurements,
                    publicArea: publicArea, privateArea: privateArea)
            }
        }
    }

    func seal(
        _ secret: borrowing SecretBytes, for authorization: Secret, _ identity: TPMIdentity, policy: [UInt8] = []
    ) throws -> SealedToTPM {
        let content = Secret(try secret.part(0..<secret.count) ?? { throw SealingError.malformed }())
        return try Self.reading {
            try withRoom {
                try TPMParent.with(identity, in: self) { parent in
                    let (publicArea, privateArea) = try create(
                        SealedToTPM.template(policy, isCounted: true), try content.sensitive(for: authorization),
                        parent)
                    return SealedToTPM(
                        identity: identity, measurements: .none, publicArea: publicArea, privateArea: privateArea)
                }
            }
        }
    }

    /// Creates an object. `sensitive`: TPMS_SENSITIVE_CREATE. `unique`: the empty value of the object's type. Returns
    /// TPMT_PUBLIC, and TPM2B_PRIVATE without its length.
    func create(
        _ template: [UInt8], _ sensitive: Secret, unique: [UInt8] = [0, 0], _ parent: TPMParent
    ) throws -> (publicArea: [UInt8], privateArea: [UInt8]) {
        var parameters = ByteWriter()
        // `unique` is empty: the secret makes the object unique.
        parameters.sized(template + unique)
        parameters.append([0, 0, 0, 0, 0, 0])
        let session = try parent.session(.code, in: self)
        defer { flush(session.handle) }
        var call = Call(
            command: .create, handles: [parent.handle], authorization: .session(session, [.goesOn, .hidesCommand]))
        call.secret = sensitive
        call.parameters = parameters.bytes
        var answer = try run(call)
        let privateArea = try answer.parameters.sized(limit: SealedToTPM.longestPart)
        let publicArea = try answer.parameters.sized(limit: SealedToTPM.longestPart)
        guard publicArea.starts(with: template) else {
            throw TPMError.garbage("it made something else than was asked for")
        }
        return (publicArea, privateArea)
    }

    /// `then`: further commands in the same session, after the secret is unsealed.
    func open(
        _ sealed: SealedToTPM, _ authorization: Secret?, then: (Secret, TPMSession) -> Void = { _, _ in }
    ) throws -> Secret {
        // The TPM would not count wrong authorizations of an object that is exempt from dictionary-attack protection.
        guard authorization == nil || sealed.publicArea.starts(with: SealedToTPM.template([], isCounted: true)) else {
            throw TPMError.damagedBlob
        }
        return try withRoom {
            try TPMParent.with(sealed.identity, in: self) { parent in
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
        _ sealed: SealedToTPM, _ authorization: Secret, under limit: CounterLimit, _ proof: Secret, finishing: Bool
    ) throws -> Secret {
        // An object without dictionary-attack protection, or without the counter's policy, would be unsealed without
        // these checks.
        guard sealed.publicArea.starts(with: SealedToTPM.template(limit.policy, isCounted: true)) else {
            throw TPMError.damagedBlob
        }
        return try withRoom {
            try TPMParent.with(sealed.identity, in: self) { parent in
                let session = try parent.session(.code, in: self)
                defer { flush(session.handle) }
                let present = try read(limit.counter, proof, session)
                guard present <= limit.most else { throw TPMError.superseded }
                guard limit.most - present <= 1 else { throw TPMError.counterReplaced }
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

    /// Retries if a PCR changes at the same moment.
    private func unseal(
        _ object: Handle, _ measurements: SealedToTPM.Measurements, _ parent: TPMParent
    ) throws -> Secret {
        for _ in 0..<4 {
            let session = try parent.session(.policy, in: self)
            defer { flush(session.handle) }
            try bind(session, to: measurements)
            do { return try unseal(object, session) } catch TPMError.refused(TPMCode.pcrChanged) { continue }
        }
        throw TPMError.otherMeasurements
    }

    func load(
        _ publicArea: [UInt8], _ privateArea: [UInt8], _ parent: TPMParent, _ session: TPMSession
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
        guard name == TPMName.of(publicArea) else {
            flush(answer.handle)
            throw TPMError.garbage("it loaded something else than was asked for")
        }
        return Handle(answer.handle, name: name)
    }

    /// Maps a wrong authorization to `.wrongAuthorization`. Only here does that code mean a wrong user input.
    private func unseal(_ object: Handle, _ session: TPMSession, _ authorization: Secret) throws -> Secret {
        do {
            return try unseal(object, session, proof: TPMSession.Proof(present: authorization))
        } catch let error as TPMError {
            guard error.isWrongAuthorization else { throw error }
            throw TPMError.wrongAuthorization
        }
    }

    private func unseal(
        _ object: Handle, _ session: TPMSession, proof: TPMSession.Proof? = nil
    ) throws -> Secret {
        var call = Call(
            command: .unseal, handles: [object], authorization: .session(session, [.goesOn, .hidesAnswer]))
        call.proof = proof
        let answer = try run(call)
        try answer.parameters.end()
        guard let secret = answer.secret else { throw SealingError.malformed }
        return secret
    }

    /// Binds a policy session to the present PCR values.
    private func bind(_ session: TPMSession, to measurements: SealedToTPM.Measurements) throws {
        var parameters = ByteWriter()
        parameters.sized([UInt8]())
        parameters.append(measurements.selection)
        _ = try run(
            Call(command: .policyPCR, handles: [Handle(session.handle)], parameters: parameters.bytes))
    }

    /// The policy digest of a session that is bound to the measurements.
    private func policy(_ measurements: SealedToTPM.Measurements, _ parent: TPMParent) throws -> [UInt8] {
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
    /// TPMS_SENSITIVE_CREATE: the `authValue`, which may be empty, and the secret, each after its length.
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
