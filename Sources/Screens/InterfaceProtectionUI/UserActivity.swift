// SPDX-License-Identifier: Apache-2.0

#if canImport(UIKit) && !os(tvOS) && !os(watchOS)
import Foundation
import UIKit

/// Notices that the user touches, types or moves the pointer, and takes nothing of it.
///
/// UIKit asks the delegate of a window's gesture recognizer about each event in the window before any view gets it. The
/// answer is always no, so that the recognizer never sees a touch, and can't delay or cancel one.
@MainActor
final class UserActivity: NSObject, UIGestureRecognizerDelegate {
    private let report: () -> Void

    init(report: @escaping () -> Void) { self.report = report }

    /// Posted when the user has changed a text by any keyboard. Keyboards are in windows of the system.
    static let typing = [UITextField.textDidChangeNotification, UITextView.textDidChangeNotification]

    /// Reports what the user does in `window` from now on. UIKit's own windows are left alone: what happens in them is
    /// typing.
    func watch(_ window: UIWindow) {
        guard !window.isTheSystems, window.gestureRecognizers?.contains(where: { $0.delegate === self }) != true else {
            return
        }
        for recognizer in [UITapGestureRecognizer(), UIHoverGestureRecognizer()] {
            recognizer.delegate = self
            recognizer.cancelsTouchesInView = false
            window.addGestureRecognizer(recognizer)
        }
    }

    func gestureRecognizer(_ recognizer: UIGestureRecognizer, shouldReceive event: UIEvent) -> Bool {
        report()
        return false
    }

    func gestureRecognizer(_ recognizer: UIGestureRecognizer, shouldReceive touch: UITouch) -> Bool {
        report()
        return false
    }

    func gestureRecognizer(_ recognizer: UIGestureRecognizer, shouldReceive press: UIPress) -> Bool {
        report()
        return false
    }
}
#endif
