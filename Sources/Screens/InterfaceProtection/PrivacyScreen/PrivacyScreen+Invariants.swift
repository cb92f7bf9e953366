// SPDX-License-Identifier: Apache-2.0

extension PrivacyScreen {
    /// What must hold after every event; the names of the rules that don't.
    package func brokenInvariants() -> [String] {
        var broken: [String] = []
        for scene in scenes {
            if mustCover(scene), !scene.isCovered, !scene.couldNotBeCovered {
                broken.append("\(scene.id) must be covered")
            }
            if scene.isCovered, scene.phase == .foregroundActive, scene.kind == .window, !scene.holdsInput {
                broken.append("keys reach what \(scene.id) covers")
            }
            if scene.holdsInput, !scene.isCovered { broken.append("\(scene.id) keeps the keys without a cover") }
            if scene.isCovered, !scene.kind.canBeCovered { broken.append("\(scene.id) can't be covered") }
            if !mustCover(scene), scene.isCovered, scene.phase == .foregroundActive {
                broken.append("\(scene.id) has a cover left behind")
            }
            if scene.isBehindOwnPrompt, scene.phase != .foregroundInactive {
                broken.append("\(scene.id) is taken to be behind a prompt")
            }
        }
        if Set(scenes.map(\.id)).count != scenes.count { broken.append("a scene is listed twice") }
        if scenes.count > 1, scenes.contains(where: { $0.id == .application }) {
            broken.append("the application counts as a scene beside others")
        }
        if pendingAuthentications < 0 { broken.append("fewer than no prompts") }
        if isLocked, !isAuthenticating, !hasAskedForUnlock,
            scenes.contains(where: { $0.kind == .window && $0.phase == .foregroundActive })
        {
            broken.append("locked, and nobody was asked to unlock")
        }
        return broken
    }
}
