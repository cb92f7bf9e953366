// SPDX-License-Identifier: Apache-2.0

#if canImport(UIKit) && !os(tvOS) && !os(watchOS)
import Foundation
public import UIKit

/// A text field for secrets whose menu has nothing that takes the text elsewhere: no copying, which UIKit refuses to masked fields itself, and
/// no Look Up, Translate, Share, Writing Tools either, of which nothing is promised. Only what brings text in, selects or deletes is there.
public final class SecretTextField: UITextField {
    private static let allowed = Set(
        ["paste:", "pasteAndMatchStyle:", "select:", "selectAll:", "delete:"].map(NSSelectorFromString))

    /// Allows only what brings text in, selects or deletes. Called by UIKit.
    public override func canPerformAction(_ action: Selector, withSender sender: Any?) -> Bool {
        Self.allowed.contains(action) && super.canPerformAction(action, withSender: sender)
    }

    /// Takes whole menus out, whatever commands a version of the system has in them. Called by UIKit.
    public override func buildMenu(with builder: any UIMenuBuilder) {
        super.buildMenu(with: builder)
        for menu in [UIMenu.Identifier.lookup, .share, .learn, .speech] { builder.remove(menu: menu) }
    }
}
#endif
