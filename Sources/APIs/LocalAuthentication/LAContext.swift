// SPDX-License-Identifier: Apache-2.0

#if !canImport(Darwin)
public import Foundation
public import SecItem
import Synchronization

/// The longest time, in seconds, that `touchIDAuthenticationAllowableReuseDuration` can have.
public let LATouchIDAuthenticationMaximumAllowableReuseDuration: TimeInterval = 300

/// A user's authentication, kept for the lifetime of the context. Pass the context as `kSecUseAuthenticationContext` to
/// several calls, and they prompt once.
///
/// The prompter of `Home.current` prompts the user for the passcode of that home. The authentication is valid until the
/// context is invalidated or freed, the home is locked, or its passcode changes.
open class LAContext: NSObject, @unchecked Sendable {
    // `open`, as on Apple's systems, so the compiler can't check it. All state is in one lock and in the content below.
    private let state = Mutex(State())

    package let content = ContextMaker.content()

    private struct State {
        var localizedFallbackTitle: String?
        var localizedCancelTitle: String?
    }

    /// Creates a context without an authentication.
    public override init() {}

    /// The reason for the prompt, shown to the user.
    open var localizedReason: String {
        get { content.reason }
        set { content.reason = newValue }
    }

    /// The title of the fallback button. Kept but not shown.
    open var localizedFallbackTitle: String? {
        get { state.withLock { $0.localizedFallbackTitle } }
        set { state.withLock { $0.localizedFallbackTitle = newValue } }
    }

    /// The title of the cancel button. Kept but not shown.
    open var localizedCancelTitle: String? {
        get { state.withLock { $0.localizedCancelTitle } }
        set { state.withLock { $0.localizedCancelTitle = newValue } }
    }

    /// Whether prompts are forbidden. Calls for items that need a prompt then return `errSecInteractionNotAllowed`.
    open var interactionNotAllowed: Bool {
        get { !content.allowsInteraction }
        set { content.allowsInteraction = !newValue }
    }

    /// How long, in seconds, an authentication is valid in other contexts of this process that also have such a time.
    /// The shorter of the two times applies, at most ``LATouchIDAuthenticationMaximumAllowableReuseDuration``. The
    /// default is 0: this context only.
    open var touchIDAuthenticationAllowableReuseDuration: TimeInterval {
        get { content.reuseSeconds }
        set {
            let most = LATouchIDAuthenticationMaximumAllowableReuseDuration
            // NaN becomes 0.
            content.reuseSeconds = newValue > 0 ? min(newValue, most) : 0
        }
    }

    /// The state of enrolled biometry. Always nil, because there is none.
    open var evaluatedPolicyDomainState: Data? { nil }

    /// Always `none`.
    open var biometryType: LABiometryType { .none }

    /// Whether an evaluation of `policy` could succeed. Otherwise `error` is the reason, such as `passcodeNotSet`,
    /// `biometryNotAvailable`, `companionNotAvailable` or `invalidContext`. Doesn't prompt the user.
    open func canEvaluatePolicy(_ policy: LAPolicy, error: NSErrorPointer) -> Bool {
        guard let refusal = content.evaluation(of: policy).refusal else { return true }
        unsafe error?.pointee = refusal as NSError
        return false
    }

    /// Prompts the user for the passcode, unless an authentication of this context is still valid. `reply` is called
    /// once, on a thread of its own, with an `LAError` on failure.
    open func evaluatePolicy(
        _ policy: LAPolicy, localizedReason: String, reply: @escaping @Sendable (Bool, (any Error)?) -> Void
    ) {
        // Captured here, because another thread may change the current home.
        let evaluation = content.evaluation(of: policy)
        Thread.detachNewThread {
            do {
                try evaluation.evaluate(reason: localizedReason)
                reply(true, nil)
            } catch {
                reply(false, error)
            }
        }
    }

    /// Prompts the user for the passcode, unless an authentication of this context is still valid. Throws an `LAError`
    /// on failure.
    open func evaluatePolicy(_ policy: LAPolicy, localizedReason: String) async throws -> Bool {
        try await withCheckedThrowingContinuation { continuation in
            evaluatePolicy(policy, localizedReason: localizedReason) { succeeded, error in
                continuation.resume(with: error.map { .failure($0) } ?? .success(succeeded))
            }
        }
    }

    /// Authenticates as an access control requires, unless an authentication of this context is still valid. It prompts
    /// for the passcode, or not at all if the access control doesn't require it.
    ///
    /// `reply` is called once, on a thread of its own, with an `LAError` on failure. `biometryNotAvailable` and
    /// `companionNotAvailable` mean that the required method doesn't exist here. `notInteractive` means that the
    /// context has no application password, but the access control requires one.
    open func evaluateAccessControl(
        _ accessControl: SecAccessControl, operation: LAAccessControlOperation, localizedReason: String,
        reply: @escaping @Sendable (Bool, (any Error)?) -> Void
    ) {
        let flags = accessControl.flags ?? []
        guard !flags.contains(.applicationPassword) || isCredentialSet(.applicationPassword) else {
            return Thread.detachNewThread { reply(false, LAError(.notInteractive)) }
        }
        guard let policy = flags.policy else {
            let refusal = content.isInvalidated ? LAError(.invalidContext) : nil
            return Thread.detachNewThread { reply(refusal == nil, refusal) }
        }
        evaluatePolicy(policy, localizedReason: localizedReason, reply: reply)
    }

    /// Removes the authentication and makes the context unusable. A prompt on screen fails with `appCancel` once the
    /// user answers it.
    open func invalidate() { content.invalidate() }

    /// Sets a credential of the context, or removes it for nil. Returns false if the credential can't be used: it is
    /// empty, its type isn't `applicationPassword`, or the context is invalidated.
    ///
    /// The credential is not checked here. With a wrong one, reading the item returns `errSecAuthFailed`.
    open func setCredential(_ credential: Data?, type: LACredentialType) -> Bool {
        type == .applicationPassword && content.setApplicationPassword(credential)
    }

    /// Whether the context has a credential of this type.
    open func isCredentialSet(_ type: LACredentialType) -> Bool {
        type == .applicationPassword && content.hasApplicationPassword
    }
}

/// Where a function stores its error; nil if the caller doesn't want it.
public typealias NSErrorPointer = UnsafeMutablePointer<NSError?>?

/// What a policy requires from the user.
public enum LAPolicy: Int, Sendable {
    /// Biometry, which exists only on Apple's systems.
    case deviceOwnerAuthenticationWithBiometrics = 1
    /// The passcode of the home.
    case deviceOwnerAuthentication = 2
    /// A companion device, which exists only on Apple's systems.
    case deviceOwnerAuthenticationWithCompanion = 3
    /// Biometry or a companion device. Both exist only on Apple's systems.
    case deviceOwnerAuthenticationWithBiometricsOrCompanion = 4

    /// The older name of `deviceOwnerAuthenticationWithCompanion`.
    public static var deviceOwnerAuthenticationWithWatch: Self { .deviceOwnerAuthenticationWithCompanion }
    /// The older name of `deviceOwnerAuthenticationWithBiometricsOrCompanion`.
    public static var deviceOwnerAuthenticationWithBiometricsOrWatch: Self {
        .deviceOwnerAuthenticationWithBiometricsOrCompanion
    }
}

/// The operation that an access control is evaluated for. All operations have the same requirements here.
public enum LAAccessControlOperation: Int, Sendable {
    /// Creating an item.
    case createItem = 0
    /// Using an item.
    case useItem = 1
    /// Creating a key.
    case createKey = 2
    /// Signing with a key.
    case useKeySign = 3
    /// Decrypting with a key.
    case useKeyDecrypt = 4
    /// Key agreement.
    case useKeyKeyExchange = 5
}

extension SecAccessControlCreateFlags {
    /// The policy that meets these constraints; nil if the user need not be prompted.
    fileprivate var policy: LAPolicy? {
        let asksForPasscode = !isDisjoint(with: [.userPresence, .devicePasscode])
        if asksForPasscode, contains(.or) { return .deviceOwnerAuthentication }
        if !isDisjoint(with: [.biometryAny, .biometryCurrentSet]) { return .deviceOwnerAuthenticationWithBiometrics }
        if contains(.companion) { return .deviceOwnerAuthenticationWithCompanion }
        return asksForPasscode ? .deviceOwnerAuthentication : nil
    }
}

/// The kind of biometry.
public enum LABiometryType: Int, Sendable {
    /// No biometry. Always the case here.
    case none = 0
    /// Fingerprint.
    case touchID = 1
    /// Face.
    case faceID = 2
    /// Iris.
    case opticID = 4
}

/// The credentials that an app can give a context to avoid a prompt.
public enum LACredentialType: Int, Sendable {
    /// The password of an item with the flag `applicationPassword`.
    case applicationPassword = 0
    /// The PIN of a smart card.
    case smartCardPIN = -3
}
#endif
