// SPDX-License-Identifier: Apache-2.0

extension PrivacyScreen {
    /// The second half of an event: every scene is brought to what is asked of it. `background` has just been put in the
    /// background and hears its cover again, even if it has one: a cover that the app removed by mistake is back in time.
    mutating func settle(reasserting background: SceneID?, into actions: inout [Action]) {
        for index in scenes.indices {
            let scene = scenes[index]
            if mustCover(scene) {
                let isReasserted =
                    scene.phase == .background && (background == scene.id || background == .application)
                guard !scene.isCovered || isReasserted else { continue }
                scenes[index].isCovered = true
                actions.append(.cover(scene.id, style(for: scene)))
            } else if scene.isCovered, scene.phase == .foregroundActive {
                scenes[index].isCovered = false
                actions.append(.uncover(scene.id))
            }
        }
        askForUnlock(into: &actions)
    }

    /// Whether the policy demands a cover now. Where it doesn't, a cover that is on still stays until its scene is active.
    func mustCover(_ scene: SceneState) -> Bool {
        if isLocked || isCoverRequested || scene.isCoverRequested || (scene.isRecorded && policy.coversWhenRecorded) {
            return true
        }
        switch policy.covers {
        case .manual: return false
        case .resign:
            return !isProtectedDataAvailable || (scene.phase != .foregroundActive && !scene.isBehindOwnPrompt)
        case .background:
            return !isProtectedDataAvailable || scene.phase == .background || scene.phase == .unattached
        }
    }

    private func style(for scene: SceneState) -> CoverStyle {
        policy.style == .hideWindow && scene.id != .application ? .blank : policy.style
    }

    /// Once for each lock, when the user can answer, and never on top of a prompt that is there.
    private mutating func askForUnlock(into actions: inout [Action]) {
        guard isLocked, !hasAskedForUnlock, !isAuthenticating,
            scenes.contains(where: { $0.phase == .foregroundActive })
        else { return }
        hasAskedForUnlock = true
        actions.append(.requireUnlock(episode))
    }
}
