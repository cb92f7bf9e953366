// SPDX-License-Identifier: Apache-2.0

#if canImport(Darwin)
import Foundation

extension MainActor {
    /// Whether the caller runs on the main actor, even if its type doesn't show it.
    static var isCurrent: Bool { Thread.isMainThread }
}
#else
import Dispatch

extension MainActor {
    /// Whether the caller runs on the main actor, even if its type doesn't show it. The first thread is no criterion:
    /// once it has handed the main queue over, any thread may serve that queue.
    static var isCurrent: Bool { DispatchQueue.getSpecific(key: mark) != nil }

    private static let mark = {
        let key = DispatchSpecificKey<Void>()
        DispatchQueue.main.setSpecific(key: key, value: ())
        return key
    }()
}
#endif

extension MainActor {
    /// Runs `body` at once if the caller is on the main actor: masking must be done when the system's call returns.
    /// Otherwise runs it as soon as possible.
    static func runNow(_ body: @escaping @MainActor @Sendable () -> Void) {
        if isCurrent {
            assumeIsolated(body)
        } else {
            Task { @MainActor in body() }
        }
    }
}
