// SPDX-License-Identifier: Apache-2.0

/// One thing that the system does to a scene, named by its number, or to the whole app.
enum LifecycleStep: Sendable, Equatable {
    case connect(Int)
    case willEnterForeground(Int)
    case didActivate(Int)
    case willDeactivate(Int)
    case didEnterBackground(Int)
    case disconnect(Int)
    /// The system takes its picture of the scene.
    case snapshot(Int)
    case protectedData(Bool)
    case wait(Duration)
    /// A prompt of the app's own comes up (and makes the scene inactive by the next step), and is answered.
    case promptAppears
    case promptEnds

    /// The same step of another scene; nil if it is not a scene's.
    func moved(to scene: Int) -> LifecycleStep? {
        switch self {
        case .connect: .connect(scene)
        case .willEnterForeground: .willEnterForeground(scene)
        case .didActivate: .didActivate(scene)
        case .willDeactivate: .willDeactivate(scene)
        case .didEnterBackground: .didEnterBackground(scene)
        case .disconnect: .disconnect(scene)
        case .snapshot: .snapshot(scene)
        case .protectedData, .wait, .promptAppears, .promptEnds: nil
        }
    }
}

/// A sequence that iOS puts apps through.
struct Lifecycle: Sendable, CustomStringConvertible {
    let number: Int
    let name: String
    let steps: [LifecycleStep]
    /// Whether the steps are those of one scene, so that an app without scenes goes through them too.
    var isOfOneScene = true

    var description: String { "\(number) \(name)" }

    /// The same, with a second scene that does all that the first does, a step later.
    var doubled: Lifecycle {
        guard isOfOneScene else { return self }
        return Lifecycle(
            number: number, name: name + ", two scenes",
            steps: steps.flatMap { [$0, $0.moved(to: 1)].compactMap(\.self) }, isOfOneScene: false)
    }

    /// The same, while a second scene is active all the time.
    var besideAnActiveScene: Lifecycle {
        guard isOfOneScene else { return self }
        return Lifecycle(
            number: number, name: name + ", beside an active scene", steps: Self.coldStart(1) + steps,
            isOfOneScene: false)
    }

    private static func coldStart(_ scene: Int) -> [LifecycleStep] {
        [.connect(scene), .willEnterForeground(scene), .didActivate(scene)]
    }
    private static let home: [LifecycleStep] = [.willDeactivate(0), .didEnterBackground(0), .snapshot(0)]
    private static let comeBack: [LifecycleStep] = [
        .willEnterForeground(0), .wait(.milliseconds(440)), .didActivate(0),
    ]

    static let all: [Lifecycle] = [
        Lifecycle(number: 1, name: "cold start", steps: coldStart(0)),
        Lifecycle(number: 2, name: "home", steps: coldStart(0) + home),
        Lifecycle(number: 3, name: "interruption", steps: coldStart(0) + [.willDeactivate(0), .didActivate(0)]),
        Lifecycle(
            number: 4, name: "a look at the switcher, then another app",
            steps: coldStart(0) + [.willDeactivate(0), .didActivate(0)] + home),
        Lifecycle(number: 5, name: "return", steps: coldStart(0) + home + [.wait(.seconds(30))] + comeBack),
        Lifecycle(
            number: 6, name: "device locked and unlocked",
            steps: coldStart(0) + [.willDeactivate(0), .didEnterBackground(0), .protectedData(false), .snapshot(0)]
                + [.wait(.seconds(600)), .protectedData(true)] + comeBack),
        Lifecycle(
            number: 7, name: "background launch",
            steps: [.connect(0), .didEnterBackground(0), .snapshot(0), .wait(.seconds(3600))] + comeBack),
        Lifecycle(
            number: 8, name: "prewarm before first unlock",
            steps: [.protectedData(false), .connect(0), .didEnterBackground(0), .snapshot(0), .wait(.seconds(60))]
                + [.protectedData(true)] + comeBack),
        Lifecycle(
            number: 9, name: "scene swap",
            steps: coldStart(0) + [.connect(1), .willEnterForeground(1), .willDeactivate(0), .didEnterBackground(0)]
                + [.snapshot(0), .didActivate(1)],
            isOfOneScene: false),
        Lifecycle(
            number: 9, name: "scene swap without background",
            steps: coldStart(0) + [.connect(1), .willEnterForeground(1), .disconnect(0), .didActivate(1)],
            isOfOneScene: false),
        Lifecycle(
            number: 10, name: "two scenes, one leaves",
            steps: coldStart(0) + coldStart(1) + home,
            isOfOneScene: false),
        Lifecycle(
            number: 11, name: "Face ID, then away before activation",
            steps: coldStart(0) + [
                .promptAppears, .willDeactivate(0), .promptEnds, .didEnterBackground(0), .snapshot(0),
            ]
                + [.wait(.seconds(5))] + comeBack),
    ]

    /// Every sequence with one scene and with two.
    static let variants: [Lifecycle] =
        all + all.filter(\.isOfOneScene).flatMap { [$0.doubled, $0.besideAnActiveScene] }
}

/// In what order the scene's and the application's notifications of one change come; nobody promises one.
enum NotificationOrder: Sendable, CaseIterable {
    case sceneFirst
    case applicationFirst
    /// An app without scenes: the scene's notifications don't come at all.
    case applicationOnly
}
