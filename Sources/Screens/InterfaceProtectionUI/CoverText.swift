// SPDX-License-Identifier: Apache-2.0

#if os(macOS) || (canImport(UIKit) && !os(tvOS) && !os(watchOS))
import Foundation
import InterfaceProtection

/// The text of a cover in the user's language: English here, others in Localizable.xcstrings. An app that needs other
/// text makes its own cover (`CoverStyle.ownView`).
struct CoverText {
    let title: String
    let message: String
    /// The button's title; nil: no button, since only waiting helps.
    let action: String?

    /// nil: there is no text.
    init?(_ cause: PrivacyScreen.Cause) {
        switch cause {
        case .away: return nil
        case .requested:
            (title, message, action) = (
                Self.text("cover.requested.title", "Hidden"),
                Self.text("cover.requested.message", "The app hides its content at the moment."), nil
            )
        case .locked:
            (title, message, action) = (
                Self.text("cover.locked.title", "Locked"),
                Self.text("cover.locked.message", "Prove that it is you to go on."),
                Self.text("cover.locked.action", "Unlock")
            )
        case .recorded:
            (title, message, action) = (
                Self.text("cover.recorded.title", "Hidden while the screen is shared"),
                Self.text(
                    "cover.recorded.message", "Stop the recording, mirroring or screen sharing to see the content."),
                Self.text("cover.recorded.action", "Check Again")
            )
        case .protectedDataUnavailable:
            (title, message, action) = (
                Self.text("cover.protected.title", "The device is locked"),
                Self.text("cover.protected.message", "The data can be read after the device has been unlocked."),
                Self.text("cover.protected.action", "Try Again")
            )
        }
    }

    /// The accessibility label of a cover without text: it tells users with assistive technology that they can
    /// touch it.
    static var goOn: String { text("cover.action", "Go On") }

    private static func text(_ key: String, _ english: String) -> String {
        NSLocalizedString(key, bundle: .module, value: english, comment: "")
    }
}
#endif
