// SPDX-License-Identifier: Apache-2.0

public import SecretMemory

/// An answer of the user that several calls share, so that the user is prompted once.
///
/// The context holds the key that the passcode opened. It drops the key when it is invalidated or freed, or when the
/// home is locked. A change of the passcode and the end of a timed unlock drop the key too. A context can be used from
/// any thread. `LAContext` is built on it.
public final class AuthenticationContext: Sendable {
    private let state = Locked(State())

    private struct State {
        var reason = ""
        var allowsInteraction = true
        var reuseDuration = Duration.zero
        var isInvalidated = false
        var answers: [PersonAnswer] = []
        var password: Secret?
    }

    /// The longest period for which other contexts can reuse an answer.
    public static let maximumReuseDuration = Duration.seconds(300)

    /// Creates a context that holds no answer.
    public init() {}

    /// Why the user is prompted, in the app's words. May be empty.
    public var reason: String {
        get { state.withLock { $0.reason } }
        set { state.withLock { $0.reason = newValue } }
    }

    /// Whether the user may be prompted. If not, a call that would prompt fails with
    /// `.interactionNotAllowed` (errSecInteractionNotAllowed).
    public var allowsInteraction: Bool {
        get { state.withLock { $0.allowsInteraction } }
        set { state.withLock { $0.allowsInteraction = newValue } }
    }

    /// How long other contexts of this process that also have a duration can reuse an answer. The shorter of the two
    /// durations applies, up to ``maximumReuseDuration``. Zero, the default: only this context uses the answer.
    public var reuseDuration: Duration {
        get { state.withLock { $0.reuseDuration } }
        set { state.withLock { $0.reuseDuration = newValue } }
    }

    /// The password of items with `applicationPassword`. Nil: the user is prompted when it is needed. Always nil in an
    /// invalidated context.
    public var applicationPassword: Secret? {
        get { state.withLock { $0.password } }
        set { state.withLock { if !$0.isInvalidated { $0.password = newValue } } }
    }

    /// Whether ``invalidate()`` was called.
    public var isInvalidated: Bool { state.withLock { $0.isInvalidated } }

    /// Discards the answer. From now on, calls that need the user fail with `.invalidContext` (errSecAuthFailed). A
    /// prompt that is open at that moment fails too, once it is answered.
    public func invalidate() {
        state.withLock { state in
            state.isInvalidated = true
            state.answers = []
            state.password = nil
        }
    }

    /// Prompts for the passcode, unless the context has a valid answer. Costs one KDF run (about 0.4 s) and passes the
    /// attempt limiter. Can be called in every lock state and changes none.
    ///
    /// Errors: `.wrongPasscode`, `.tooManyAttempts`, `.cancelled`, `.interactionNotAllowed` (forbidden, or no
    /// terminal), `.invalidContext`, `.noPasscode`, `.erased`, `.damaged` and the like, `.forked`, `.io`.
    ///
    /// - Parameters:
    ///   - home: The home whose passcode is asked for.
    ///   - reason: Why the user is prompted; nil: ``reason``.
    public func authenticate(in home: Home, reason: String? = nil) throws(DataProtectionError) {
        guard try home.keybag.knownAnswer(self) == nil else { return }
        _ = try home.keybag.askPerson(PersonPrompt(self, reason: reason), through: home.prompter)
    }

    /// The valid answer for a home; nil if there is none.
    func answer(_ home: UniqueIdentifier) -> PersonAnswer? {
        state.withLock { state in
            state.answers.removeAll { !$0.isGood }
            return state.answers.first { $0.validity.home == home }
        }
    }

    /// Keeps an answer; false if the context was invalidated in the meantime.
    func keep(_ answer: PersonAnswer) -> Bool {
        state.withLock { state in
            guard !state.isInvalidated else { return false }
            state.answers.append(answer)
            return true
        }
    }

    /// The reuse duration in nanoseconds, limited to `maximumReuseDuration`.
    var window: UInt64 {
        let (seconds, attoseconds) = min(max(reuseDuration, .zero), Self.maximumReuseDuration).components
        return UInt64(seconds) * 1_000_000_000 + UInt64(attoseconds / 1_000_000_000)
    }
}

/// How one call may prompt the user.
package struct PersonPrompt: Sendable {
    package var context: AuthenticationContext
    /// Whether this call may prompt, if the context allows it.
    package var isAllowed = true
    /// What the answer gives access to. The prompt shows it.
    package var subject: PromptRequest.Subject?
    /// Asks in place of the home's prompter; nil: the home's asks.
    package var prompter: (any Prompter)?
    private let ownReason: String?

    /// `context` nil: the answer is valid for this call alone. `reason` nil: the context's reason.
    package init(_ context: AuthenticationContext? = nil, reason: String? = nil) {
        self.context = context ?? AuthenticationContext()
        ownReason = reason
    }

    /// Prompts no user: what needs one fails.
    package static var forbidden: PersonPrompt {
        var prompt = PersonPrompt()
        prompt.isAllowed = false
        return prompt
    }

    /// Prompts the user. Errors: `.interactionNotAllowed`, `.invalidContext`, those of the prompter.
    package func ask(
        _ purpose: PromptRequest.Purpose, through prompter: any Prompter
    ) throws(DataProtectionError) -> SecretBytes {
        try context.checkValid()
        guard isAllowed, context.allowsInteraction else {
            throw DataProtectionError(
                .interactionNotAllowed, "this asks for a person, and asking is forbidden; nothing was asked")
        }
        do {
            return try (self.prompter ?? prompter).answer(
                PromptRequest(purpose: purpose, reason: ownReason ?? context.reason, subject: subject))
        } catch {
            guard error.code == .noTerminal else { throw error }
            throw DataProtectionError(.interactionNotAllowed, error.message, cause: error)
        }
    }
}

extension AuthenticationContext {
    /// Throws `.invalidContext` if the context was invalidated.
    package func checkValid() throws(DataProtectionError) {
        guard !isInvalidated else { throw .contextInvalidated }
    }
}

extension DataProtectionError {
    static var contextInvalidated: Self {
        DataProtectionError(.invalidContext, "the authentication context was invalidated; make a new one")
    }
}
