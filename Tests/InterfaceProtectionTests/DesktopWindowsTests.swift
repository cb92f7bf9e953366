// SPDX-License-Identifier: Apache-2.0

import Testing

@testable import InterfaceProtection

private let (document, sheet, panel) = (SceneID("document"), SceneID("sheet"), SceneID("panel"))

@Suite("The windows of a Mac app")
struct DesktopWindowsTests {
    /// A Mac with a document, a sheet at it and a panel, in front of the user.
    private struct Mac {
        var windows = DesktopWindows(isActive: true)
        var screen: PrivacyScreen
        var now = ContinuousClock.now

        init(_ policy: PrivacyScreen.Policy = .standard) {
            screen = PrivacyScreen(policy: policy)
            take(.opened(document))
            take(.opened(sheet, parent: document))
            take(.opened(panel))
        }

        mutating func take(_ signal: DesktopWindows.Signal) {
            for event in windows.take(signal) { _ = screen.handle(event, at: now) }
        }

        /// The windows that are covered.
        var covered: [SceneID] { [document, sheet, panel].filter(screen.isCovered) }
    }

    // Rule: every absence covers every window of a Mac | phase(of:) without absences | mac.covered.count → 0
    @Test("Every absence covers every window, and its end uncovers them", arguments: DesktopWindows.Absence.allCases)
    func absences(_ absence: DesktopWindows.Absence) {
        for moment in [PrivacyScreen.Policy.Moment.resign, .background] {
            var mac = Mac(.init(covers: moment))
            #expect(mac.covered == [])
            mac.take(.began(absence))
            #expect(mac.covered.count == 3, "covered by \(absence)")
            mac.take(.ended(absence))
            #expect(mac.covered == [])
        }
    }

    // Rule: the screens wake up before the user has unlocked them | one flag for all absences | "uncovered before the unlock"
    @Test("Windows stay covered until the last absence is over")
    func severalAbsences() {
        var mac = Mac()
        for absence in [DesktopWindows.Absence.screensAsleep, .screenLocked] { mac.take(.began(absence)) }
        mac.take(.ended(.screensAsleep))
        #expect(mac.covered.count == 3, "uncovered before the unlock")
        mac.take(.ended(.screenLocked))
        #expect(mac.covered == [])
    }

    // Rule: an absence whose end is not reported ends with the user's next act | .userActed ignored | covered.count 3
    @Test("An end that is not reported leaves no cover on")
    func missedEnd() {
        var mac = Mac()
        mac.take(.began(.screenLocked))
        mac.take(.userActed)
        #expect(mac.covered == [])
    }

    @Test("Another app's window is in front: covered by one policy, and not by the other")
    func resigned() {
        var mac = Mac()
        mac.take(.activated(false))
        #expect(mac.covered.count == 3)
        mac.take(.activated(true))
        #expect(mac.covered == [])
        var other = Mac(.init(covers: .background))
        other.take(.activated(false))
        #expect(other.covered == [])
    }

    // Rule: a sheet goes into the Dock with its window | isMinimised without the parents | covered == [document]
    @Test("A window in the Dock is covered with its sheet, and others are not")
    func minimised() {
        var mac = Mac(.init(covers: .background))
        mac.take(.minimised(document))
        #expect(mac.covered == [document, sheet])
        mac.take(.restored(document))
        #expect(mac.covered == [])
    }

    @Test("A window that appears in a locked app is covered, and a closed one is forgotten")
    func appears() {
        var mac = Mac(.init(locksAtLaunch: true))
        #expect(mac.covered.count == 3)
        let late = SceneID("late")
        mac.take(.opened(late))
        #expect(mac.screen.isCovered(late))
        mac.take(.closed(late))
        #expect(mac.screen.phase(of: late) == nil)
        #expect(mac.windows.take(.opened(document)) == [])
        #expect(mac.windows.take(.closed(late)) == [])
    }

    // Rule: a prompt of the app's own is no absence on a Mac | .background for a resigned app | isLocked → true
    @Test("Away locks in time, and the prompt that unlocks doesn't lock again")
    func locks() {
        var mac = Mac(.init(locksAfter: .zero, locksAtLaunch: false))
        _ = mac.screen.handle(.authenticationBegan, at: mac.now)
        mac.take(.activated(false))
        mac.take(.activated(true))
        _ = mac.screen.handle(.authenticationEnded, at: mac.now)
        #expect(!mac.screen.isLocked)
        mac.take(.began(.sessionResigned))
        mac.now += .seconds(1)
        mac.take(.ended(.sessionResigned))
        #expect(mac.screen.isLocked)
    }

    // Rule: a prompt that has ended is no excuse for a Mac's window that was left | kept until the window's next phase | isLocked → false
    @Test("A Mac that was left from a prompt is covered when the prompt ends, and locks in time")
    func leftFromPrompt() {
        var mac = Mac(.init(locksAfter: .seconds(60), locksAtLaunch: false, coversDuringAuthentication: false))
        _ = mac.screen.handle(.authenticationBegan, at: mac.now)
        mac.take(.activated(false))
        #expect(mac.covered == [])
        _ = mac.screen.handle(.authenticationEnded, at: mac.now)
        #expect(mac.covered.count == 3)
        #expect(mac.screen.lockDeadline == mac.now + .seconds(60))
        mac.now += .seconds(7200)
        mac.take(.activated(true))
        #expect(mac.screen.isLocked)
    }

    @Test("A key that the cover lets through shows nothing of what is covered")
    func keys() {
        for key in ["q", "Q", "h", "m", "w", "`"] { #expect(DesktopWindows.letsThrough(command: key)) }
        for key in ["", "c", "v", "s", "p", "f", "\r"] { #expect(!DesktopWindows.letsThrough(command: key)) }
    }

    // Rule: no window of a Mac is bare while the user can't be in front of it | one flag for all absences; no parents | isCovered(window) → false
    @Test("In no history is a window bare that must not be, or covered that needn't be")
    func histories() {
        var generator = SplitMix(state: 7)
        for _ in 0..<300 {
            let moment = PrivacyScreen.Policy.Moment.allCases.randomElement(using: &generator) ?? .resign
            var (mac, isActive) = (Mac(.init(covers: moment)), true)
            var (absences, minimised): (Set<DesktopWindows.Absence>, Set<SceneID>) = ([], [])
            for _ in 0..<40 {
                let absence = DesktopWindows.Absence.allCases.randomElement(using: &generator) ?? .hidden
                let window = [document, sheet, panel].randomElement(using: &generator) ?? panel
                switch Int.random(in: 0..<6, using: &generator) {
                case 0: (_, _) = (absences.insert(absence), mac.take(.began(absence)))
                case 1: (_, _) = (absences.remove(absence), mac.take(.ended(absence)))
                case 2: (_, _) = (minimised.insert(window), mac.take(.minimised(window)))
                case 3: (_, _) = (minimised.remove(window), mac.take(.restored(window)))
                case 4:
                    isActive.toggle()
                    mac.take(.activated(isActive))
                default:
                    absences = []
                    mac.take(.userActed)
                }
                for window in [document, sheet, panel] {
                    let isDocked =
                        minimised.contains(window) || (window == sheet && minimised.contains(document))
                    let isAway = !absences.isEmpty || isDocked
                    let expected = moment != .manual && (isAway || (moment == .resign && !isActive))
                    // A cover comes off in front of the user alone.
                    let stays = moment == .background && mac.screen.isCovered(window) && !isActive
                    #expect(mac.screen.isCovered(window) == (expected || stays), "\(window) is bare, or covered")
                }
                #expect(mac.screen.brokenInvariants() == [])
            }
        }
    }
}
