// SPDX-License-Identifier: Apache-2.0

extension PrivacyScreen {
    /// The first half of an event: updates the known state. `settle` then updates the covers.
    mutating func apply(_ event: Event, at now: ContinuousClock.Instant, into actions: inout [Action]) {
        if case .coverFailed = event {} else { forgetFailedCovers() }
        lockIfDue(at: now, into: &actions)
        switch event {
        case .sceneWillConnect(let scene, let kind):
            connect(scene, as: kind, into: &actions)
            noteForeground(at: now, into: &actions)
        case .sceneWillEnterForeground(let scene): enterForeground(scene, at: now, into: &actions)
        case .sceneDidActivate(let scene): move(scene, to: .foregroundActive, at: now, into: &actions)
        case .sceneWillDeactivate(let scene): deactivate(scene, at: now, into: &actions)
        case .sceneDidEnterBackground(let scene): move(scene, to: .background, at: now, into: &actions)
        case .sceneDidDisconnect(let scene): disconnect(scene, at: now, into: &actions)
        case .sceneReported(let scene, let phase): move(scene, to: phase, at: now, into: &actions)
        case .applicationWillResignActive, .applicationDidBecomeActive, .applicationDidEnterBackground,
            .applicationWillEnterForeground:
            applyToApplication(event, at: now, into: &actions)
        case .protectedData(let isAvailable):
            if isProtectedDataAvailable, !isAvailable { actions += scenes.map { .maskSecrets($0.id) } }
            isProtectedDataAvailable = isAvailable
        case .recording(let scene, let isActive): record(scene, isActive: isActive, into: &actions)
        case .screenshotTaken:
            actions.append(
                .reportScreenshot(Screenshot(scenes: scenes.filter { $0.isForeground && !$0.isCovered }.map(\.id))))
        case .coverFailed(let scene): coverFailed(scene)
        case .userActed: lastActivity = now
        case .timePassed: lockIfAwayTooLong(at: now, into: &actions)
        case .policyChanged(let new): adopt(new, into: &actions)
        case .authenticationBegan: pendingAuthentications += 1
        case .authenticationEnded:
            pendingAuthentications = max(0, pendingAuthentications - 1)
            if !isAuthenticating { leavePrompts(at: now) }
        case .coverRequested(let scene?): requested.insert(scene)
        case .coverReleased(let scene?): requested.remove(scene)
        case .coverRequested(nil): isCoverRequested = true
        case .coverReleased(nil): (isCoverRequested, requested) = (false, [])
        case .lockRequested: lock(into: &actions)
        case .unlockRequested: if !isAuthenticating { hasAskedForUnlock = false }
        case .unlocked(let answered): unlock(answered, at: now)
        }
    }

    /// Handles a right answer to any lock. After an answer to an older lock the user is prompted for the present one,
    /// unless that prompt was already given.
    private mutating func unlock(_ answered: LockEpisode, at now: ContinuousClock.Instant) {
        lastActivity = now
        if answered == episode { isLocked = false } else if asked != episode { hasAskedForUnlock = false }
        isUnlockPromptUp = false
    }

    /// The last prompt has ended. A Mac's window that is still inactive has been left for another app: no later event
    /// says so, and it never enters the background.
    private mutating func leavePrompts(at now: ContinuousClock.Instant) {
        isUnlockPromptUp = false
        for index in scenes.indices where scenes[index].kind == .desktopWindow {
            (scenes[index].isBehindOwnPrompt, scenes[index].wasLeftForPrompt) = (false, false)
        }
        // A user that cancelled a prompt is not asked again until the next return.
        if hasBeenInForeground, !isInForeground, backgroundSince == nil { backgroundSince = now }
    }

    private mutating func adopt(_ new: Policy, into actions: inout [Action]) {
        let wasLocking = policy.isLockedAtLaunch
        policy = new
        if !hasBeenActive, new.isLockedAtLaunch, !wasLocking { lock(into: &actions) }
    }

    private mutating func record(_ scene: SceneID, isActive: Bool, into actions: inout [Action]) {
        guard recorded.contains(scene) != isActive else { return }
        if isActive { recorded.insert(scene) } else { recorded.remove(scene) }
        // An unknown scene is redacted when it connects.
        guard self[scene] != nil else { return }
        if isActive { actions.append(.maskSecrets(scene)) }
        actions.append(.redact(scene, isActive))
    }

    private mutating func coverFailed(_ scene: SceneID) {
        guard let index = scenes.firstIndex(where: { $0.id == scene }) else { return }
        (scenes[index].isCovered, scenes[index].holdsInput) = (false, false)
        scenes[index].couldNotBeCovered = true
    }

    /// Retries covers that failed for lack of a window: there may be one by now.
    private mutating func forgetFailedCovers() {
        for index in scenes.indices { scenes[index].couldNotBeCovered = false }
    }

    /// Application notifications are also posted to apps with scenes. There they must never uncover, and need not: each
    /// scene has its own.
    ///
    /// They are about the user's windows. A scene on another display follows those, and may get no event at the return.
    /// Without scenes they are about the only one.
    private mutating func applyToApplication(
        _ event: Event, at now: ContinuousClock.Instant, into actions: inout [Action]
    ) {
        let all = hasScenes ? scenes.filter(\.kind.isTheUsers).map(\.id) : [.application]
        switch event {
        case .applicationWillResignActive:
            for scene in all where !hasScenes || phase(of: scene) == .foregroundActive {
                deactivate(scene, at: now, into: &actions)
            }
        case .applicationDidEnterBackground:
            for scene in all { move(scene, to: .background, at: now, into: &actions) }
        case .applicationDidBecomeActive where !hasScenes:
            move(.application, to: .foregroundActive, at: now, into: &actions)
        case .applicationWillEnterForeground where !hasScenes:
            enterForeground(.application, at: now, into: &actions)
        default: break
        }
    }

    /// Whether the system reports scenes. If so, its application events only add to those of the scenes.
    private var hasScenes: Bool { scenes.contains { $0.id != .application } }

    private mutating func connect(_ scene: SceneID, as kind: SceneKind? = nil, into actions: inout [Action]) {
        // The single scene of an app without scenes never exists beside real ones.
        if scene == .application, hasScenes { return }
        if scene != .application { discard(.application, into: &actions) }
        let known = self[scene]
        if let known, let kind, known.kind != kind { discard(scene, into: &actions) }
        guard self[scene] == nil else { return }
        scenes.append(SceneState(id: scene, kind: kind ?? .window, phase: known?.phase ?? .unattached))
        if recorded.contains(scene) { actions.append(.redact(scene, true)) }
    }

    private mutating func enterForeground(
        _ scene: SceneID, at now: ContinuousClock.Instant, into actions: inout [Action]
    ) {
        // For an active scene this event is late; the scene stays active.
        guard phase(of: scene) != .foregroundActive else { return }
        move(scene, to: .foregroundInactive, at: now, into: &actions)
    }

    private mutating func deactivate(_ scene: SceneID, at now: ContinuousClock.Instant, into actions: inout [Action]) {
        // For a scene in the background this event is late; it doesn't bring the scene forward.
        guard phase(of: scene) != .background else { return }
        move(scene, to: .foregroundInactive, at: now, into: &actions)
    }

    private mutating func move(
        _ scene: SceneID, to phase: ScenePhase, at now: ContinuousClock.Instant, into actions: inout [Action]
    ) {
        connect(scene, into: &actions)
        guard let index = scenes.firstIndex(where: { $0.id == scene }) else { return }
        let old = scenes[index].phase
        scenes[index].phase = phase
        if old == .foregroundActive, phase != .foregroundActive {
            actions.append(.maskSecrets(scene))
            scenes[index].wasLeftForPrompt = isAuthenticating
            scenes[index].isBehindOwnPrompt = isAuthenticating && !policy.coversDuringAuthentication
        }
        if phase != .foregroundInactive {
            (scenes[index].isBehindOwnPrompt, scenes[index].wasLeftForPrompt) = (false, false)
        }
        if phase == .foregroundActive, scenes[index].kind.isTheUsers { hasBeenActive = true }
        if phase == .background, policy.hidesKeyboard { actions.append(.endEditing(scene)) }
        noteForeground(at: now, into: &actions)
    }

    private mutating func disconnect(_ scene: SceneID, at now: ContinuousClock.Instant, into actions: inout [Action]) {
        requested.remove(scene)
        recorded.remove(scene)
        guard phase(of: scene) != nil else { return }
        discard(scene, into: &actions)
        noteForeground(at: now, into: &actions)
    }

    private mutating func discard(_ scene: SceneID, into actions: inout [Action]) {
        guard let index = scenes.firstIndex(where: { $0.id == scene }) else { return }
        scenes.remove(at: index)
        actions.append(.discardCover(scene))
    }

    /// Measures the time in the background, and locks at the return from it. Only the user's own windows count: a route
    /// on the car's display continues for hours while the device is unused.
    private mutating func noteForeground(at now: ContinuousClock.Instant, into actions: inout [Action]) {
        guard isInForeground else {
            // A scene that was connected and never shown is the beginning of a launch, unless the user was
            // there before.
            let own = scenes.filter(\.kind.isTheUsers)
            let isAway = hasBeenInForeground || own.isEmpty || own.contains { $0.phase == .background }
            if isAway, backgroundSince == nil {
                backgroundSince = now
                if !(isUnlockPromptUp && isAuthenticating) { hasAskedForUnlock = false }
            }
            return
        }
        if let since = backgroundSince, let limit = policy.locksAfter, now - since >= limit { lock(into: &actions) }
        // To come back is an act of the user's.
        if backgroundSince != nil || !hasBeenInForeground { lastActivity = now }
        (hasBeenInForeground, backgroundSince) = (true, nil)
    }

    /// Locks once the user has done nothing for too long. Done before any event is applied, so that neither a touch
    /// that comes too late nor a return prolongs the time.
    private mutating func lockIfDue(at now: ContinuousClock.Instant, into actions: inout [Action]) {
        guard !isLocked, let limit = policy.locksAfterInactivity, let last = lastActivity,
            now - last >= Policy.inactivity(limit)
        else { return }
        lock(into: &actions)
    }

    /// Locks an app that goes on running while the user is away. The return then doesn't count that time again.
    private mutating func lockIfAwayTooLong(at now: ContinuousClock.Instant, into actions: inout [Action]) {
        guard !isLocked, let limit = policy.locksAfter, let since = backgroundSince, now - since >= limit else {
            return
        }
        lock(into: &actions)
        backgroundSince = now
    }

    private mutating func lock(into actions: inout [Action]) {
        isLocked = true
        episode = LockEpisode(number: episode.number + 1)
        // An unlock prompt that is still on screen may itself have put the app in the background. It must not repeat
        // itself, or it reappears forever after the user cancels it.
        if !(isUnlockPromptUp && isAuthenticating) { hasAskedForUnlock = false }
        actions.append(.lock(episode))
    }
}
