// SPDX-License-Identifier: Apache-2.0

#if canImport(UIKit) && !os(tvOS) && !os(watchOS)
public import UIKit

/// Keeps its content out of screenshots and recordings by a method that Apple doesn't support.
///
/// The content is put into the view in which a masked text field draws, which the system leaves out. That view has no
/// public name and may be missing in any version of the system. Then the initializer throws, so that nothing seems
/// protected that isn't. Use it only where that risk is known, and never as the only protection.
public final class UnsupportedScreenshotShield: UIView {
    /// The system no longer has such a view: this method can't hide content from screenshots.
    public struct Unavailable: Error, CustomStringConvertible {
        /// The reason, safe to print and log.
        public let description = "this version of the system can't hide content from screenshots: cover it instead"
    }

    private let field = UITextField()

    /// Hides `content` from screenshots. Errors: `Unavailable`.
    public init(hiding content: UIView) throws(Unavailable) {
        super.init(frame: content.bounds)
        field.isSecureTextEntry = true
        let canvas = field.subviews.first { String(describing: type(of: $0)).hasSuffix("CanvasView") }
        guard let canvas else { throw Unavailable() }
        canvas.removeFromSuperview()
        canvas.frame = bounds
        canvas.autoresizingMask = [.flexibleWidth, .flexibleHeight]
        canvas.isUserInteractionEnabled = true
        addSubview(canvas)
        canvas.addSubview(content)
    }

    @available(*, unavailable)
    required init?(coder: NSCoder) { nil }
}
#endif
