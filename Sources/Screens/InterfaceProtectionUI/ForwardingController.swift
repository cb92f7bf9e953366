// SPDX-License-Identifier: Apache-2.0

#if canImport(UIKit) && !os(tvOS) && !os(watchOS) && !os(visionOS)
import UIKit

/// A controller that keeps the status bar, the home indicator and the orientation of the window behind. The topmost
/// window decides about them. A cover with its own settings would rotate an app and back.
class ForwardingController: UIViewController {
    /// The root controller of the window behind.
    var behind: () -> UIViewController? = { nil }

    private func deciding(_ child: (UIViewController) -> UIViewController?) -> UIViewController? {
        var controller = behind()
        while let current = controller {
            let presented = current.presentedViewController.flatMap { shown in
                shown.modalPresentationStyle == .fullScreen && !shown.isBeingDismissed ? shown : nil
            }
            guard let next = presented ?? child(current), next !== current else { break }
            controller = next
        }
        return controller
    }

    override var preferredStatusBarStyle: UIStatusBarStyle {
        deciding(\.childForStatusBarStyle)?.preferredStatusBarStyle ?? super.preferredStatusBarStyle
    }
    override var prefersStatusBarHidden: Bool {
        deciding(\.childForStatusBarHidden)?.prefersStatusBarHidden ?? super.prefersStatusBarHidden
    }
    override var prefersHomeIndicatorAutoHidden: Bool {
        deciding(\.childForHomeIndicatorAutoHidden)?.prefersHomeIndicatorAutoHidden
            ?? super.prefersHomeIndicatorAutoHidden
    }
    override var supportedInterfaceOrientations: UIInterfaceOrientationMask {
        deciding { _ in nil }?.supportedInterfaceOrientations ?? super.supportedInterfaceOrientations
    }
}
#elseif os(visionOS)
import UIKit

/// visionOS has no status bar, home indicator or orientation.
class ForwardingController: UIViewController {
    var behind: () -> UIViewController? = { nil }
}
#endif
