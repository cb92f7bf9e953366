// SPDX-License-Identifier: Apache-2.0

#if canImport(Darwin)
import Foundation

extension MainActor {
    /// Whether the caller runs on the main actor, though nothing in its type says so.
    static var isCurrent: Bool { Thread.isMainThread }
}
#else
import Dispatch

extension MainActor {
    /// Whether the caller runs on the main actor, though nothing in its type says so. Not the same as the first thread: the main queue is
    /// served by any thread once the first one has given itself up to it.
    static var isCurrent: Bool { DispatchQueue.getSpecific(key: mark) != nil }

    private static let mark = {
        let key = DispatchSpecificKey<Void>()
        DispatchQueue.main.setSpecific(key: key, value: ())
        return key
    }()
}
#endif

extension MainActor {
    /// Now, if the caller runs on the main actor: masking must be done when the system's call returns. Otherwise as soon
    /// as it can.
    static func runNow(_ body: @escaping @MainActor @Sendable () -> Void) {
        if isCurrent {
            assumeIsolated(body)
        } else {
            Task { @MainActor in body() }
        }
    }
}
