// SPDX-License-Identifier: Apache-2.0

#if canImport(UIKit) && !os(tvOS) && !os(watchOS) && !os(visionOS)
import UIKit

extension UIWindow {
    /// A window of an app without scenes.
    static func withoutScene() -> UIWindow? { UIWindow(frame: UIScreen.main.bounds) }
}
#elseif os(visionOS)
import UIKit

extension UIWindow {
    /// Every app has scenes here.
    static func withoutScene() -> UIWindow? { nil }
}
#endif
