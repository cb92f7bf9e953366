// SPDX-License-Identifier: Apache-2.0

extension PrivacyScreen {
    /// The second half of an event: brings every scene to the state that the policy requires.
    ///
    /// `background` has just entered the background and is covered again, even if it has a cover. So a cover that the
    /// app removed by mistake is back in time.
    mutating func settle(reasserting background: SceneID?, into actions: inout [Action]) {
        for index in scenes.indices {
            let scene = scenes[index]
            if mustCover(scene) {
                let isReasserted =
                    scene.phase == .background && (background == scene.id || background == .application)
                cover(index, isReasserted: isReasserted, into: &actions)
            } else if scene.isCovered, scene.isShown {
                uncover(index, into: &actions)
            }
            settleInput(index, into: &actions)
        }
        askForUnlock(into: &actions)
    }

    private mutating func cover(_ index: Int, isReasserted: Bool, into actions: inout [Action]) {
        let (scene, style) = (scenes[index], style(for: scenes[index]))
        guard !scene.couldNotBeCovered else { return }
        if !scene.isCovered, scene.isShown { actions.append(.maskSecrets(scene.id)) }
        guard !scene.isCovered || isReasserted || scene.style != style else { return }
        (scenes[index].isCovered, scenes[index].style) = (true, style)
        actions.append(.cover(scene.id, style))
    }

    private mutating func uncover(_ index: Int, into actions: inout [Action]) {
        let scene = scenes[index].id
        if scenes[index].holdsInput { actions.append(.returnInput(scene)) }
        (scenes[index].isCovered, scenes[index].holdsInput, scenes[index].told) = (false, false, .away)
        actions.append(.uncover(scene))
    }

    /// Sets what a covered scene explains, and where its keys go. An inactive scene receives no keys. An active scene
    /// below a cover would otherwise keep receiving them.
    private mutating func settleInput(_ index: Int, into actions: inout [Action]) {
        let scene = scenes[index]
        guard scene.isCovered else { return }
        // An unseen scene has no reader, and the system's picture of it must say nothing.
        let cause = scene.phase == .foregroundActive || scene.phase == .foregroundInactive ? cause(of: scene) : .away
        if cause != scene.told {
            scenes[index].told = cause
            actions.append(.explain(scene.id, cause))
        }
        guard scene.phase == .foregroundActive, scene.kind.isTheUsers, !scene.holdsInput else { return }
        scenes[index].holdsInput = true
        actions += [.endEditing(scene.id), .takeInput(scene.id)]
    }

    /// Whether the policy requires a cover now. If not, an existing cover still stays until its scene is shown.
    func mustCover(_ scene: SceneState) -> Bool {
        guard scene.kind.canBeCovered else { return false }
        if isLocked || isCoverRequested(of: scene) || coversRecording(of: scene) { return true }
        switch policy.covers {
        case .manual: return false
        case .resign:
            return !isProtectedDataAvailable || (!isAttended(scene) && !scene.isBehindOwnPrompt)
        case .background:
            return !isProtectedDataAvailable || scene.phase == .background || scene.phase == .unattached
                || (scene.kind == .externalDisplay && !isInForeground)
        }
    }

    /// Whether the user is at this scene, or at a window that drives an external display.
    private func isAttended(_ scene: SceneState) -> Bool {
        scene.isShown && (scene.kind != .externalDisplay || isInForeground)
    }

    /// An external display is itself what others see. Only a window of the user's is covered because it is recorded.
    private func coversRecording(of scene: SceneState) -> Bool {
        recorded.contains(scene.id) && scene.kind.isTheUsers && policy.coversWhenRecorded
    }

    private func isCoverRequested(of scene: SceneState) -> Bool {
        isCoverRequested || requested.contains(scene.id) || requested.contains(.application)
    }

    func cause(of scene: SceneState) -> Cause {
        if isLocked { return .locked }
        if !isProtectedDataAvailable, policy.covers != .manual { return .protectedDataUnavailable }
        if coversRecording(of: scene) { return .recorded }
        return isCoverRequested(of: scene) ? .requested : .away
    }

    /// A hidden window leaves nothing to touch and nothing for assistive technology, so it is only for an app that the
    /// user has left.
    private func style(for scene: SceneState) -> CoverStyle {
        guard policy.style == .hideWindow else { return policy.style }
        return scene.id == .application && cause(of: scene) == .away ? .hideWindow : .blank
    }

    /// Whether any window of the app is in the user's foreground, active or not.
    var isInForeground: Bool { scenes.contains(where: \.isForeground) }

    private var isUserActive: Bool { scenes.contains { $0.kind.isTheUsers && $0.phase == .foregroundActive } }

    /// Asks once for each lock, when the user can answer, and never on top of another prompt. A stay in the background,
    /// `unlockRequested` or an answer to an older lock makes it ask again.
    private mutating func askForUnlock(into actions: inout [Action]) {
        guard isLocked, !hasAskedForUnlock, !isAuthenticating, isUserActive else { return }
        (hasAskedForUnlock, isUnlockPromptUp, asked) = (true, true, episode)
        actions.append(.requireUnlock(episode))
    }
}
