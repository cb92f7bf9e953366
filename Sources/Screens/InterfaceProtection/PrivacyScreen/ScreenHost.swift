// SPDX-License-Identifier: Apache-2.0

/// What carries out the actions of a `PrivacyScreen`: UIKit's windows, a terminal, a test.
///
/// Every call is made on the main actor, inside the system's notification, and must have taken effect when it returns.
@MainActor
public protocol ScreenHost: AnyObject {
    /// Covers everything of `scene`, at once, from assistive technology too; nothing that can be seen happens if it is covered already.
    /// False if there is no window to cover: then the scene counts as not covered.
    func cover(_ scene: SceneID, with style: CoverStyle) -> Bool
    /// Has the cover of `scene` say why it is there.
    func explain(_ cause: PrivacyScreen.Cause, in scene: SceneID)
    /// Takes the keys of `scene` to its cover.
    func takeInput(of scene: SceneID)
    /// Gives the keys of `scene` back to what had them.
    func returnInput(of scene: SceneID)
    /// Blanks the sensitive views of `scene`, or shows them again.
    func redact(_ scene: SceneID, isActive: Bool)
    /// Takes the cover of `scene` off.
    func uncover(_ scene: SceneID)
    /// `scene` is gone, and its cover with it.
    func discardCover(of scene: SceneID)
    /// Ends editing in `scene`, so that its keyboard is put away.
    func endEditing(in scene: SceneID)
    /// Asks the user to unlock; true if the user did. Called once for each lock.
    func requestUnlock() async -> Bool
    /// Whether files of class complete can be read now; nil if that isn't known yet.
    var isProtectedDataAvailable: Bool? { get }
}

extension ScreenHost {
    /// Says nothing.
    public func explain(_ cause: PrivacyScreen.Cause, in scene: SceneID) {}
    /// Does nothing, where there are no keys.
    public func takeInput(of scene: SceneID) {}
    /// Does nothing, where there are no keys.
    public func returnInput(of scene: SceneID) {}
    /// Does nothing, where there are no sensitive views.
    public func redact(_ scene: SceneID, isActive: Bool) {}
    /// nil: not known, so that what the events said holds.
    public var isProtectedDataAvailable: Bool? { nil }
}

/// Runs a `PrivacyScreen`: passes events to it, has a host carry out its actions, and lets confidential content know what
/// happened to it.
@MainActor
public final class PrivacyScreenController {
    /// The screen's state; changed by `handle` only.
    public private(set) var screen: PrivacyScreen
    /// The fields and screens that are masked and cleared along with what happens.
    public let contents: ConfidentialContents
    /// Called after the user took a screenshot.
    public var onScreenshot: ((PrivacyScreen.Screenshot) -> Void)?

    private let host: any ScreenHost
    private var waiting: ArraySlice<PrivacyScreen.Event> = []
    private var isCarryingOut = false
    private let now: @Sendable () -> ContinuousClock.Instant

    /// A controller of a new screen. `now` is the clock; tests pass their own.
    public init(
        policy: PrivacyScreen.Policy = .standard,
        host: any ScreenHost,
        contents: ConfidentialContents = .shared,
        now: @escaping @Sendable () -> ContinuousClock.Instant = { .now }
    ) {
        screen = PrivacyScreen(policy: policy)
        self.host = host
        self.contents = contents
        self.now = now
    }

    /// Takes an event in; everything it asks for is done when this returns, except that the user is asked to unlock later. An event that
    /// comes while another is carried out (from within the host or what it clears) waits until that is done: otherwise host and screen would
    /// disagree on what came last.
    ///
    /// Protected data is a level, not an event: the host is asked for it before whatever could uncover.
    public func handle(_ event: PrivacyScreen.Event) {
        waiting.append(event)
        guard !isCarryingOut else { return }
        isCarryingOut = true
        defer { isCarryingOut = false }
        while let event = waiting.popFirst() {
            if event.needsProtectedData, let isAvailable = host.isProtectedDataAvailable,
                isAvailable != screen.isProtectedDataAvailable
            {
                take(.protectedData(isAvailable: isAvailable))
            }
            take(event)
        }
    }

    /// Applies another policy from now on; nothing happens if it is the same one.
    public func adopt(_ policy: PrivacyScreen.Policy) {
        if policy != screen.policy { handle(.policyChanged(policy)) }
    }

    private func take(_ event: PrivacyScreen.Event) {
        let instant = now()
        let wasForeground = screen.isInForeground
        let actions = screen.handle(event, at: instant)
        let isForeground = screen.isInForeground
        // What became due while the app was away is cleared before a cover can come off; what leaves is covered before it is cleared.
        if isForeground, !wasForeground { contents.handle(.foregrounded, at: instant) }
        for action in actions { carryOut(action, at: instant) }
        if wasForeground, !isForeground { contents.handle(.backgrounded, at: instant) }
    }

    private func carryOut(_ action: PrivacyScreen.Action, at instant: ContinuousClock.Instant) {
        switch action {
        case .cover(let scene, let style): if !host.cover(scene, with: style) { take(.coverFailed(scene)) }
        case .explain(let scene, let cause): host.explain(cause, in: scene)
        case .takeInput(let scene): host.takeInput(of: scene)
        case .returnInput(let scene): host.returnInput(of: scene)
        case .redact(let scene, let isActive): host.redact(scene, isActive: isActive)
        case .reportScreenshot(let screenshot): onScreenshot?(screenshot)
        case .uncover(let scene): host.uncover(scene)
        case .discardCover(let scene): host.discardCover(of: scene)
        case .endEditing(let scene): host.endEditing(in: scene)
        case .maskSecrets(let scene): contents.mask(in: scene)
        case .lock: contents.handle(.locked, at: instant)
        case .requireUnlock(let episode): requestUnlock(for: episode)
        }
    }

    private func requestUnlock(for episode: LockEpisode) {
        handle(.authenticationBegan)
        Task {
            let isUnlocked = await host.requestUnlock()
            // In this order: a prompt that is gone, and has unlocked nothing, may come again.
            if isUnlocked { handle(.unlocked(episode)) }
            handle(.authenticationEnded)
        }
    }

    /// Runs a prompt of the app's own (Face ID before a payment, say) so that the screen knows of it.
    public func authenticating<R: Sendable>(_ prompt: () async throws -> R) async rethrows -> R {
        handle(.authenticationBegan)
        defer { handle(.authenticationEnded) }
        return try await prompt()
    }
}

/// Names one scene: a `UIScene.session.persistentIdentifier`, a window, a terminal.
public struct SceneID: Hashable, Sendable, CustomStringConvertible {
    /// The name itself; two scenes never share one.
    public let name: String

    /// The scene called `name`.
    public init(_ name: String) { self.name = name }

    /// The one scene of an app that has no scenes, driven by the application's notifications.
    public static let application = SceneID("application")

    /// What may be printed and logged.
    public var description: String { name }
}

/// What a scene is doing, as `UIScene.ActivationState` says it.
public enum ScenePhase: Sendable, Equatable, CaseIterable {
    /// Connected, never shown.
    case unattached
    /// Visible and receiving events.
    case foregroundActive
    /// Visible, or about to be, and receiving none: an alert, Face ID, Control Centre, the app switcher.
    case foregroundInactive
    /// Not visible. The system takes its picture of the scene here.
    case background
}

/// Who looks at a scene, and whether it has a window.
public enum SceneKind: Sendable, Equatable, CaseIterable {
    /// A window in the user's hands. Only these say that the user is there.
    case window
    /// A window on an external display: shown, without input. It is covered whenever no window of the user's is in the foreground
    /// or the app is locked, and it doesn't count as the user's presence.
    case externalDisplay
    /// Templates that the system draws (CarPlay), and whatever else has no window of the app: it can't be covered, and it doesn't
    /// count as the user's presence.
    case withoutWindow

    var canBeCovered: Bool { self != .withoutWindow }
}
