// SPDX-License-Identifier: Apache-2.0

#if canImport(UIKit) && !os(tvOS) && !os(watchOS)
import Foundation
import UIKit

/// Recording as reported before iOS 17: by the screen, for all scenes on it.
@MainActor
enum ScreenCapture {
    /// Calls `report` whenever the recording of the screen of `scene` begins or ends.
    static func watch(
        _ scene: UIWindowScene, _ report: @escaping @MainActor (UIWindowScene) -> Void
    ) -> [any NSObjectProtocol] {
        guard let name = changes else { return [] }
        let report: @MainActor @Sendable (UIWindowScene) -> Void = report
        return [
            NotificationCenter.default.addObserver(forName: name, object: nil, queue: nil) { [weak scene] _ in
                MainActor.assumeIsolated { scene.map(report) }
            }
        ]
    }
}
#endif

#if canImport(UIKit) && !os(tvOS) && !os(watchOS) && !os(visionOS)
extension ScreenCapture {
    static var changes: Notification.Name? { UIScreen.capturedDidChangeNotification }
}

extension UIWindowScene {
    /// Whether it is recorded, mirrored or shared.
    var isRecorded: Bool {
        if #available(iOS 17, macCatalyst 17, *) {
            traitCollection.sceneCaptureState == .active
        } else {
            screen.isCaptured
        }
    }
}
#elseif os(visionOS)
extension ScreenCapture {
    static var changes: Notification.Name? { nil }
}

extension UIWindowScene {
    /// Whether it is recorded, mirrored or shared.
    var isRecorded: Bool { traitCollection.sceneCaptureState == .active }
}
#endif
