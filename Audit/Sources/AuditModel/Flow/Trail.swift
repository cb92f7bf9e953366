// SPDX-License-Identifier: Apache-2.0

import Synchronization

/// How deep a question about a flow nests, and how many were asked: one count for every flow that takes part in the
/// answers of one rule, since each flow begins its own levels anew.
final class Trail {
    /// Sources ask some 200 deep. What is deeper carries nothing.
    private static let deepest = 1_000

    private let limit: StepLimit
    private var depth = 0
    private var left: Int
    /// What objects say in their descriptions, by the getter; nil while it is looked at.
    private var descriptions: [ObjectIdentifier: Secret?] = [:]

    init(_ project: ProjectModel) {
        limit = project.steps
        left = project.steps.most
    }

    /// Whether one level more is allowed; then `comeBack` ends it.
    func goDeeper() -> Bool {
        guard depth < Self.deepest, take(1) else { return false }
        depth += 1
        return true
    }

    func comeBack() { depth -= 1 }

    /// Whether so many steps more are allowed.
    func take(_ steps: Int) -> Bool {
        left -= steps
        if left < 0 { limit.reach() }
        return left >= 0
    }

    /// Looked at once: descriptions tell each other's, and themselves.
    func described(by getter: Function, _ look: () -> Secret?) -> Secret? {
        let id = ObjectIdentifier(getter)
        if let known = descriptions[id] { return known }
        descriptions[id] = .some(nil)
        let found = look()
        descriptions[id] = .some(found)
        return found
    }
}

/// How many steps the flows of a project may take for one rule: functions that call each other many times would
/// otherwise take the cube of their size.
final class StepLimit: Sendable {
    let most: Int
    private let reached = Mutex(false)

    /// - Parameter expressions: of all functions. Real sources take some steps for each.
    init(expressions: Int) { most = 200_000 + 20 * expressions }

    func reach() { reached.withLock { $0 = true } }
    var isReached: Bool { reached.withLock { $0 } }
}
