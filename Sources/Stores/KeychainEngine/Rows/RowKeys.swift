// SPDX-License-Identifier: Apache-2.0

import DataProtection
import SealedDatabases
import Sealing
import SecretMemory

/// The user must be prompted before a call can continue. Thrown out of the transaction, because no prompt is shown
/// inside one.
struct PersonNeeded: Error {
    enum Question {
        case passcode
        case password(PasswordLayer.Parameters)
    }
    let question: Question
}

/// The password layer of a row key.
struct PasswordLayer: Sendable {
    struct Parameters: Hashable, Sendable {
        let salt: [UInt8]
        let cost: [UInt8]
    }
    let parameters: Parameters
    /// The key that is derived from the password.
    let key: Secret
}

/// Opens the row keys of one call, and prompts the user where they require it.
///
/// Used by one thread. Inside a transaction it uses the answers that it has. For missing answers it prompts between two
/// attempts (`asking`).
final class RowKeys {
    private let keybag: Keybag
    private let prompter: any Prompter
    private var prompt: PersonPrompt
    /// The identifier of the calling program.
    private let program: String
    /// Kept for this call, independent of the answer that it came with. A lock in the meantime destroys the class key.
    private(set) var accessControlKey: AccessControlKey?
    private var password: Secret?
    private var newPassword: Secret?
    private var passwordKeys: [PasswordLayer.Parameters: Secret] = [:]

    init(_ keybag: Keybag, prompter: any Prompter, prompt: PersonPrompt, program: String) {
        self.program = program
        self.keybag = keybag
        self.prompter = prompter
        self.prompt = prompt
    }

    /// The most prompts in one call: the passcode and passwords. Each is asked once. Rows whose questions change in the
    /// meantime can't prolong the call forever.
    private static let mostQuestions = 8

    /// Runs `body`, which may be a transaction. When it throws `PersonNeeded`, prompts the user and runs it again.
    /// Keys are fetched in `body`. So no key that a lock would have to destroy is kept while waiting for the user.
    func asking<R>(_ body: () throws -> R) throws -> R {
        for _ in 0..<Self.mostQuestions {
            do { return try body() } catch let need as PersonNeeded { try ask(need.question) }
        }
        return try body()
    }

    private func ask(_ question: PersonNeeded.Question) throws {
        switch question {
        case .passcode: accessControlKey = try keybag.askPerson(prompt, through: prompter)
        case .password(let parameters):
            let given = Secret(try prompt.ask(.applicationPassword, through: prompter))
            password = given
            // Here and not inside the transaction, which blocks others.
            _ = try key(of: given, parameters)
        }
    }

    /// Sets the item that the next prompts are for.
    func begin(_ attributes: Attributes) {
        var name = ""
        for attribute in [.label, .service, .server, .account] as [AttributeName] where name.isEmpty {
            if case .text(let text) = attributes[attribute] { name = text }
        }
        prompt.subject = PromptRequest.Subject(item: name, program: program, home: keybag.folderPath)
    }

    // MARK: Opening

    /// Opens the row key. Throws `PersonNeeded`; locked, key destroyed, damaged; `.authenticationFailed` for a wrong
    /// password; `.invalidContext`.
    ///
    /// The layers are opened from the outside in, so that a locked item is reported before any prompt.
    func open(_ wrapping: RowKeyWrapping, _ binding: RowBinding) throws -> SecretBytes {
        let wrapped = WrappedKey(keyClass: binding.keyClass, classKeyID: wrapping.classKeyID, bytes: wrapping.wrapped)
        let layers = RowLayers(rawValue: binding.layers)
        let outer = try keybag.unwrap(wrapped)
        guard layers.contains(.accessControl) else { return try openPassword(layers, outer: outer, wrapping: wrapping) }
        guard let id = wrapping.accessKeyID else { throw KeychainError.damagedItem() }
        try keybag.requireAccessControlKey(id)
        let sealed = AccessControlSeal(identifier: id, bytes: try outer.ciphertext())
        let inner = try accessKey().open(sealed, context: binding.uuid)
        return try openPassword(layers, outer: inner, wrapping: wrapping)
    }

    private func openPassword(
        _ layers: RowLayers, outer: consuming SecretBytes, wrapping: RowKeyWrapping
    ) throws -> SecretBytes {
        guard layers.contains(.applicationPassword) else { return outer }
        let parameters = PasswordLayer.Parameters(salt: wrapping.passwordSalt, cost: wrapping.passwordCost)
        let wrapped = try outer.ciphertext()
        let layer = try passwordLayer(parameters)
        return try layer.key.withSecretBytes { key in
            do {
                return try KeyWrap.unwrap(wrapped, under: key)
            } catch SealingError.cannotOpen {
                // The layers around it opened, so the row is not damaged.
                throw KeychainError(.authenticationFailed, "the item's own password is wrong")
            }
        }
    }

    /// The key of this call, of the context, or of another context that lends it.
    private func accessKey() throws -> AccessControlKey {
        if let accessControlKey { return accessControlKey }
        guard let known = try keybag.knownAnswer(prompt.context) else { throw PersonNeeded(question: .passcode) }
        accessControlKey = known
        return known
    }

    /// The password layer of a row that was opened before, for its new key.
    func passwordLayer(_ parameters: PasswordLayer.Parameters) throws -> PasswordLayer {
        try prompt.context.checkValid()
        guard let password = password ?? prompt.context.applicationPassword else {
            throw PersonNeeded(question: .password(parameters))
        }
        return PasswordLayer(parameters: parameters, key: try key(of: password, parameters))
    }

    private func key(of password: Secret, _ parameters: PasswordLayer.Parameters) throws -> Secret {
        if let known = passwordKeys[parameters] { return known }
        let key = Secret(try keybag.passwordKey(password, parameters))
        passwordKeys[parameters] = key
        return key
    }

    // MARK: New rows

    /// A password layer for new rows. Prompts for a new password if the context has none. Call it outside
    /// a transaction.
    func newPasswordLayer(_ layers: RowLayers) throws -> PasswordLayer? {
        guard layers.contains(.applicationPassword) else { return nil }
        try prompt.context.checkValid()
        let given =
            try newPassword ?? prompt.context.applicationPassword
            ?? Secret(try prompt.ask(.newApplicationPassword, through: prompter))
        newPassword = given
        let parameters = PasswordLayer.Parameters(
            salt: try randomBytes(count: 16), cost: keybag.scryptParameters.bytes
        )
        return PasswordLayer(parameters: parameters, key: Secret(try keybag.passwordKey(given, parameters)))
    }
}

extension Keybag {
    /// Opens rows as far as that is possible without the user.
    func withoutAsking<R>(_ body: (RowKeys) throws -> R) rethrows -> R {
        try body(RowKeys(self, prompter: NobodyToAsk(), prompt: .forbidden, program: ""))
    }
}

private struct NobodyToAsk: Prompter {
    func answer(_ request: PromptRequest) throws(DataProtectionError) -> SecretBytes {
        throw DataProtectionError(.interactionNotAllowed, "no prompt is possible here")
    }
}

extension ScryptParameters {
    /// The bytes log2 N, r, p.
    fileprivate var bytes: [UInt8] { [logRounds, UInt8(blockSize), UInt8(parallelism)] }
}

extension Keybag {
    /// Errors: damaged (salt or cost), `.parameter` (an empty password).
    fileprivate func passwordKey(_ password: Secret, _ parameters: PasswordLayer.Parameters) throws -> SecretBytes {
        let cost = parameters.cost
        guard parameters.salt.count == 16, cost.count == 3,
            let scrypt = try? ScryptParameters(
                logRounds: cost[0], blockSize: cost[1], parallelism: cost[2], allowingInsecure: allowsInsecureKDF)
        else { throw KeychainError.damagedItem() }
        let stretched = try password.withSecretBytes {
            try stretch(passphrase: $0, salt: parameters.salt, parameters: scrypt)
        }
        return try KeyDerivation.expand(from: stretched, label: .applicationPassword)
    }

    /// Wraps a row key from the inside out (Documentation/Formats/Keychain.md, "Sealed rows"). Never prompts.
    func wrap(
        _ rowKey: borrowing SecretBytes, for binding: RowBinding, _ password: PasswordLayer?
    ) throws -> RowKeyWrapping {
        guard let password else { return try wrapForPerson(rowKey, binding) }
        let inner = try password.key.withSecretBytes { try KeyWrap.wrap(rowKey, under: $0) }
        var wrapping = try wrapForPerson(try SecretBytes(copying: inner), binding)
        wrapping.passwordSalt = password.parameters.salt
        wrapping.passwordCost = password.parameters.cost
        return wrapping
    }

    private func wrapForPerson(_ key: borrowing SecretBytes, _ binding: RowBinding) throws -> RowKeyWrapping {
        guard RowLayers(rawValue: binding.layers).contains(.accessControl) else {
            return RowKeyWrapping(try wrap(key, for: binding.keyClass))
        }
        let sealed = try sealForAccessControl(key, context: binding.uuid)
        var wrapping = RowKeyWrapping(try wrap(try SecretBytes(copying: sealed.bytes), for: binding.keyClass))
        wrapping.accessKeyID = sealed.identifier
        return wrapping
    }
}

extension RowKeyWrapping {
    fileprivate init(_ wrapped: WrappedKey) { self.init(classKeyID: wrapped.classKeyID, wrapped: wrapped.bytes) }
}

extension SecretBytes {
    /// The content of an outer layer that contains a wrapped key, which is not secret.
    borrowing func ciphertext() throws -> [UInt8] { try exposingBytes(0..<count) ?? [] }
}
