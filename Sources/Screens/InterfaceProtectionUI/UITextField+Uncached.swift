// SPDX-License-Identifier: Apache-2.0

#if canImport(UIKit) && !os(tvOS) && !os(watchOS)
public import InterfaceProtection
public import UIKit

extension UITextField {
    /// Makes this a field whose text is seen and goes into no cache of the system: a card number, an amount, a name.
    /// Without autocorrection, spelling, predictions, smart punctuation, dragging and Writing Tools, the keyboard
    /// learns nothing. `contentType` says what AutoFill may fill in.
    ///
    /// A keyboard of another developer sees what is typed all the same, as it does in every field that isn't masked:
    /// keep those out with `PrivacyScreen.admits(_:)`.
    public func keepsOutOfCaches(contentType: UITextContentType? = nil) {
        takeTraitsOfUncached()
        textContentType = contentType
    }

    func takeTraitsOfUncached() {
        autocorrectionType = .no
        spellCheckingType = .no
        autocapitalizationType = .none
        smartQuotesType = .no
        smartDashesType = .no
        smartInsertDeleteType = .no
        textDragInteraction?.isEnabled = false
        if #available(iOS 17, macCatalyst 17, *) { inlinePredictionType = .no }
        if #available(iOS 18, macCatalyst 18, visionOS 2.4, *) { writingToolsBehavior = .none }
    }
}

extension PrivacyScreen {
    /// Whether the app admits an extension of this kind: not the keyboards of other developers, in any field. Return it
    /// from `application(_:shouldAllowExtensionPointIdentifier:)`.
    @MainActor
    public static func admits(_ extensionPoint: UIApplication.ExtensionPointIdentifier) -> Bool {
        extensionPoint != .keyboard
    }
}
#endif
