// SPDX-License-Identifier: Apache-2.0

package import DataProtection
import Foundation
import KeychainEngine
import Keychains
import SecretMemory

/// The home as a token: whether it exists, whether it is open to this program, and which objects it contains.
/// It keeps no private key of the keychain. Each is opened for one use.
package final class PKCS11Token {
    /// Opens the home. With `.process`, its keys stay in this process.
    package typealias Opening = (HolderChoice) throws -> Home

    private let opening: Opening
    private var shared: Home?
    /// The home that a login has opened while it is locked for other processes.
    private var own: Home?
    private var hasLoggedIn = false
    /// Whether private objects are hidden after a logout, until the next login.
    private var hasLoggedOut = false
    private var handles: [[UInt8]: UInt64] = [:]
    private var objects: [UInt64: PKCS11Object] = [:]
    private var lastHandle: UInt64 = 0

    package init(opening: @escaping Opening) { self.opening = opening }

    /// The home to work in. Errors: `.tokenNotPresent` if there is none that can be opened.
    func home() throws(PKCS11Failure) -> Home {
        if let own {
            if own.keybag.lockState == .unlocked { return own }
            // The home was locked, by this or another process, so the login is over.
            (self.own, hasLoggedIn) = (nil, false)
        }
        if let shared, shared.keybag.isUsable { return shared }
        shared = try? opening(.automatic)
        guard let shared else { throw .tokenNotPresent }
        return shared
    }

    /// Whether private keys may be used. Checks the lock state at each call.
    func isOpen(_ home: Home) -> Bool {
        guard home.keybag.lockState == .unlocked else {
            hasLoggedIn = false
            dropSecrets { _ in true }
            return false
        }
        return !hasLoggedOut
    }

    func isLoggedIn(_ home: Home) -> Bool { isOpen(home) && hasLoggedIn }

    // MARK: The passcode

    /// Errors: `.alreadyLoggedIn`, `.tokenNotPresent`, `.pinIncorrect`, `.pinLocked`, `.pinNotInitialized`,
    /// `.pinLength`, `.deviceError`.
    func logIn(_ passcode: ArraySlice<UInt8>) throws {
        let home = try home()
        guard !isLoggedIn(home) else { throw PKCS11Failure.alreadyLoggedIn }
        try Self.told {
            let passcode = try SecretBytes(copying: passcode)
            guard try home.keybag.hasPasscode else { throw PKCS11Failure.pinNotInitialized }
            if home.keybag.lockState == .unlocked {
                try home.keybag.checkPasscode(passcode)
            } else {
                let fresh = try opening(.process)
                try fresh.keybag.unlock(passcode: passcode)
                own = fresh
            }
        }
        (hasLoggedIn, hasLoggedOut) = (true, false)
    }

    func logOut() throws(PKCS11Failure) {
        let home = try home()
        guard isOpen(home) else { throw .notLoggedIn }
        (own, hasLoggedIn, hasLoggedOut) = (nil, false, true)
        dropSecrets { _ in true }
    }

    /// Resets the login state when the last session closes, after a login as after a logout (PKCS#11, 5.6:
    /// C_CloseSession). The next session finds the token as the first one did.
    func forgetLogin() { (own, hasLoggedIn, hasLoggedOut) = (nil, false, false) }

    /// Makes the user's passcode an answer for one use of a key that needs a prompt.
    func answer(_ passcode: ArraySlice<UInt8>) throws -> AuthenticationContext {
        let home = try home()
        let context = AuthenticationContext()
        try Self.told {
            _ = try home.keybag.askPerson(PersonPrompt(context), through: TypedPasscode(try Secret(copying: passcode)))
        }
        context.allowsInteraction = false
        return context
    }

    private static func told(_ body: () throws -> Void) throws {
        do { try body() } catch let error as DataProtectionError {
            switch error.code {
            case .wrongPasscode: throw PKCS11Failure.pinIncorrect
            case .tooManyAttempts: throw PKCS11Failure.pinLocked
            case .noPasscode: throw PKCS11Failure.pinNotInitialized
            case .invalidArgument: throw PKCS11Failure.pinLength
            default: throw PKCS11Failure.deviceError
            }
        }
    }

    // MARK: What it holds

    /// The handles of the objects that match, in order.
    func find(_ template: PKCS11Template, session: UInt64) throws(PKCS11Failure) -> [UInt64] {
        let home = try home()
        let isOpen = isOpen(home)
        var listed = objects.filter { $1.session != nil }
        var order = listed.keys.sorted()
        for object in PKCS11Contents(keychain: Keychain(home: home)).objects(isOpen: isOpen) {
            let handle = handles[object.key] ?? nextHandle()
            handles[object.key] = handle
            if listed.updateValue(object, forKey: handle) == nil { order.append(handle) }
        }
        objects = listed
        return order.filter { objects[$0]?.matches(template) ?? false }
    }

    /// The object of a handle. Errors: `.objectHandleInvalid`, `.notLoggedIn`.
    func object(_ handle: UInt64) throws(PKCS11Failure) -> PKCS11Object {
        let home = try home()
        let isOpen = isOpen(home)
        guard let object = objects[handle] else { throw .objectHandleInvalid }
        guard isOpen || object.kind != .privateKey else { throw .notLoggedIn }
        return object
    }

    /// The maximum number of objects that all sessions may have at a time.
    private static let ownLimit = 1024

    /// Adds an object of one session. Errors: `.deviceMemory`.
    func add(_ object: PKCS11Object) throws(PKCS11Failure) -> UInt64 {
        guard objects.values.count(where: { $0.session != nil }) < Self.ownLimit else { throw .deviceMemory }
        let handle = nextHandle()
        objects[handle] = object
        return handle
    }

    /// Removes an object of a session. Errors: `.objectHandleInvalid`, `.writeProtected`.
    func remove(_ handle: UInt64) throws(PKCS11Failure) {
        guard let object = objects[handle] else { throw .objectHandleInvalid }
        guard object.session != nil else { throw .writeProtected }
        objects[handle] = nil
    }

    func dropSecrets(_ isDropped: (UInt64) -> Bool) {
        for (handle, object) in objects where object.session.map(isDropped) ?? false { objects[handle] = nil }
    }

    /// Lends the private key of an object, which is opened for this call.
    /// Errors: `.notLoggedIn`, also for a key that needs a prompt and got no
    /// answer; `.keyHandleInvalid`, `.deviceError`.
    func withPrivateKey<R>(
        _ object: PKCS11Object, _ operation: AccessOperation, _ context: AuthenticationContext?,
        _ body: (KeyMaterial) throws -> R
    ) throws -> R {
        let home = try home()
        guard isOpen(home) else { throw PKCS11Failure.notLoggedIn }
        guard !object.asks || context != nil else { throw PKCS11Failure.notLoggedIn }
        if let secret = object.secret, let family = object.publicKey?.family {
            return try ClearedScope.run(depth: ClearedScope.depthOfMany) {
                try body(try KeyMaterial(family, .private, externalRepresentation: try Data(exposing: secret)))
            }
        }
        guard let reference = object.reference else { throw PKCS11Failure.keyHandleInvalid }
        let silent = AuthenticationContext()
        silent.allowsInteraction = false
        return try ClearedScope.run(depth: ClearedScope.depthOfMany) {
            try body(
                try AccessContext.$current.withValue(AccessContext(.token, operation)) {
                    try Self.key(KeychainQuery<KeyItem>(reference), home, context ?? silent)
                })
        }
    }

    private static func key(
        _ query: KeychainQuery<KeyItem>, _ home: Home, _ context: AuthenticationContext
    ) throws(PKCS11Failure) -> KeyMaterial {
        let found: KeyMaterial?
        do {
            found = try Keychain(home: home).item(
                matching: query.includingSynchronizable, authentication: context
            ).material()
        } catch { throw failure(error) }
        guard let found else { throw .deviceError }
        return found
    }

    private static func failure(_ error: KeychainError) -> PKCS11Failure {
        switch error.code {
        case .locked, .authenticationFailed, .userCancelled: .notLoggedIn
        case .itemNotFound: .keyHandleInvalid
        default: .deviceError
        }
    }

    private func nextHandle() -> UInt64 {
        lastHandle += 1
        return lastHandle
    }
}

/// The PIN that a program passed.
private struct TypedPasscode: Prompter {
    let passcode: Secret

    init(_ passcode: Secret) { self.passcode = passcode }

    func answer(_ request: PromptRequest) throws(DataProtectionError) -> SecretBytes {
        do {
            return try passcode.withSecretBytes { bytes in try bytes.joined(with: try SecretBytes(count: 0) { _ in }) }
        } catch {
            throw DataProtectionError(.notAvailable, "there is no memory for the passcode", cause: error)
        }
    }
}
