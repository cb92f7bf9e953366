// SPDX-License-Identifier: Apache-2.0
//
// Names and meanings are those of Apple's documentation, which is not repeated here. Numbers in brackets are those of Documentation/SystemFacts.md.
// swift-format-ignore-file: AllPublicDeclarationsHaveDocumentation

// As UIKit does.
@_exported public import Foundation

public struct Selector: Hashable, Sendable {
    public let name: String
}
public func NSSelectorFromString(_ name: String) -> Selector { Selector(name: name) }

/// What can become the first responder. A command goes from there up the chain, to the first who says that it can perform it [29].
@MainActor
open class UIResponder {
    private var isFirst = false
    public init() {}
    open var next: UIResponder? { nil }
    open var canBecomeFirstResponder: Bool { false }
    open var isFirstResponder: Bool { isFirst }
    @discardableResult
    open func becomeFirstResponder() -> Bool {
        if canBecomeFirstResponder { isFirst = true }
        return isFirst
    }
    @discardableResult
    open func resignFirstResponder() -> Bool {
        isFirst = false
        return true
    }
    open func canPerformAction(_ action: Selector, withSender sender: Any?) -> Bool { false }
    open func target(forAction action: Selector, withSender sender: Any?) -> Any? {
        canPerformAction(action, withSender: sender) ? self : next?.target(forAction: action, withSender: sender)
    }
    /// The action of Copy: a responder overrides it.
    open func copy(_ sender: Any?) {}
    open func buildMenu(with builder: any UIMenuBuilder) {}

    // Raw events go up the chain until somebody keeps them [32].
    open func pressesBegan(_ presses: Set<UIPress>, with event: UIPressesEvent?) {
        next?.pressesBegan(presses, with: event)
    }
    open func pressesChanged(_ presses: Set<UIPress>, with event: UIPressesEvent?) {
        next?.pressesChanged(presses, with: event)
    }
    open func pressesEnded(_ presses: Set<UIPress>, with event: UIPressesEvent?) {
        next?.pressesEnded(presses, with: event)
    }
    open func pressesCancelled(_ presses: Set<UIPress>, with event: UIPressesEvent?) {
        next?.pressesCancelled(presses, with: event)
    }
    open func motionBegan(_ motion: UIEvent.EventSubtype, with event: UIEvent?) {
        next?.motionBegan(motion, with: event)
    }
    open func motionEnded(_ motion: UIEvent.EventSubtype, with event: UIEvent?) {
        next?.motionEnded(motion, with: event)
    }
    open func motionCancelled(_ motion: UIEvent.EventSubtype, with event: UIEvent?) {
        next?.motionCancelled(motion, with: event)
    }
    open func remoteControlReceived(with event: UIEvent?) { next?.remoteControlReceived(with: event) }
}

public final class UIPress: Hashable, Sendable {
    public init() {}
    public static func == (one: UIPress, other: UIPress) -> Bool { one === other }
    public func hash(into hasher: inout Hasher) { hasher.combine(ObjectIdentifier(self)) }
}
@MainActor
open class UIEvent {
    public enum EventSubtype: Sendable { case none, motionShake }
    public init() {}
}
@MainActor
public final class UIPressesEvent: UIEvent {}

@MainActor
public final class UIMenu {
    public struct Identifier: Hashable, Sendable {
        public let rawValue: String
        public static let lookup = Identifier(rawValue: "com.apple.menu.lookup")
        public static let share = Identifier(rawValue: "com.apple.menu.share")
        public static let learn = Identifier(rawValue: "com.apple.menu.learn")
        public static let speech = Identifier(rawValue: "com.apple.menu.speech")
        public static let standardEdit = Identifier(rawValue: "com.apple.menu.standard-edit")
    }
}
@MainActor
public protocol UIMenuBuilder: AnyObject {
    func remove(menu: UIMenu.Identifier)
}

@MainActor
public final class UIColor {
    public let name: String
    public let cgColor: CGColor
    init(_ name: String, alpha: CGFloat = 1) { (self.name, cgColor) = (name, CGColor(alpha: alpha)) }
    public func withAlphaComponent(_ alpha: CGFloat) -> UIColor { UIColor(name, alpha: alpha) }
    public static let systemBackground = UIColor("systemBackground")
    public static let secondarySystemBackground = UIColor("secondarySystemBackground")
    public static let label = UIColor("label")
    public static let clear = UIColor("clear", alpha: 0)
}
@MainActor
public final class CGColor {
    public let alpha: CGFloat
    init(alpha: CGFloat) { self.alpha = alpha }
}

@MainActor
public final class UIImage {
    public let name: String
    public init?(named name: String) { self.name = name }
}

@MainActor
public final class UIFont {
    public enum TextStyle: Sendable { case body, headline }
    public let style: TextStyle
    init(_ style: TextStyle) { self.style = style }
    public static func preferredFont(forTextStyle style: TextStyle) -> UIFont { UIFont(style) }
}

public enum NSTextAlignment: Sendable { case natural, center }
public enum NSLineBreakMode: Sendable { case byTruncatingTail, byCharWrapping }

@MainActor
public final class CALayer {
    public var zPosition: CGFloat = 0
}

public struct UILayoutPriority: Sendable {
    public static let defaultLow = UILayoutPriority()
}
@MainActor
public final class NSLayoutConstraint {
    public var priority: UILayoutPriority?
    private let apply: @MainActor () -> Void
    init(_ apply: @escaping @MainActor () -> Void = {}) { self.apply = apply }
    public static func activate(_ constraints: [NSLayoutConstraint]) {
        for constraint in constraints { constraint.apply() }
    }
}
/// An anchor fits others of its direction only. Of all layout only this is modelled: what is bound to the frame of a scroll view stays where
/// it is while the content moves [31].
@MainActor
public final class NSLayoutAnchor<Direction> {
    private weak var owner: AnyObject?
    init(of owner: AnyObject) { self.owner = owner }
    public func constraint(equalTo other: NSLayoutAnchor) -> NSLayoutConstraint {
        NSLayoutConstraint { [owner, target = other.owner] in
            guard let view = owner as? UIView, let scroll = view.superview as? UIScrollView,
                target === scroll.frameLayoutGuide, !view.translatesAutoresizingMaskIntoConstraints
            else { return }
            view.edgesInPlace += 1
        }
    }
    public func constraint(greaterThanOrEqualTo other: NSLayoutAnchor) -> NSLayoutConstraint { NSLayoutConstraint() }
}
public enum NSLayoutHorizontal {}
public enum NSLayoutVertical {}
public enum NSLayoutLength {}

@MainActor
public protocol LayoutAnchors: AnyObject {}
extension LayoutAnchors {
    public var topAnchor: NSLayoutAnchor<NSLayoutVertical> { NSLayoutAnchor(of: self) }
    public var bottomAnchor: NSLayoutAnchor<NSLayoutVertical> { NSLayoutAnchor(of: self) }
    public var centerYAnchor: NSLayoutAnchor<NSLayoutVertical> { NSLayoutAnchor(of: self) }
    public var leadingAnchor: NSLayoutAnchor<NSLayoutHorizontal> { NSLayoutAnchor(of: self) }
    public var trailingAnchor: NSLayoutAnchor<NSLayoutHorizontal> { NSLayoutAnchor(of: self) }
    public var widthAnchor: NSLayoutAnchor<NSLayoutLength> { NSLayoutAnchor(of: self) }
    public var heightAnchor: NSLayoutAnchor<NSLayoutLength> { NSLayoutAnchor(of: self) }
}
@MainActor
public final class UILayoutGuide: LayoutAnchors {}

@MainActor
open class UIScrollView: UIView {
    public let contentLayoutGuide = UILayoutGuide()
    public let frameLayoutGuide = UILayoutGuide()
    /// Where the content is seen from: the subviews move with it [31].
    public var contentOffset = CGPoint.zero
    public override var bounds: CGRect { CGRect(origin: contentOffset, size: frame.size) }
}

@MainActor
public final class UITextView: UIScrollView {
    public nonisolated static let textDidChangeNotification = Notification.Name("UITextViewTextDidChangeNotification")
    public var text = ""
    public override var drawnText: String? { text }
}

extension UIView {
    public struct AutoresizingMask: OptionSet, Sendable {
        public let rawValue: Int
        public init(rawValue: Int) { self.rawValue = rawValue }
        public static let flexibleWidth = AutoresizingMask(rawValue: 2)
        public static let flexibleHeight = AutoresizingMask(rawValue: 16)
    }
    public enum ContentMode: Sendable { case scaleToFill, center }
}

@MainActor
open class UIView: UIResponder, LayoutAnchors {
    public var frame: CGRect
    open var bounds: CGRect { CGRect(origin: .zero, size: frame.size) }
    /// How many of its edges are bound to the frame of the scroll view that it is in.
    var edgesInPlace = 0
    public private(set) var subviews: [UIView] = []
    public private(set) weak var superview: UIView?
    public private(set) var gestureRecognizers: [UIGestureRecognizer]?
    public func addGestureRecognizer(_ recognizer: UIGestureRecognizer) {
        gestureRecognizers = (gestureRecognizers ?? []) + [recognizer]
    }
    public let layer = CALayer()
    public var backgroundColor: UIColor?
    open var isHidden = false
    public var alpha: CGFloat = 1
    public var isUserInteractionEnabled = true
    public var autoresizingMask: AutoresizingMask = []
    public var translatesAutoresizingMaskIntoConstraints = true
    public var contentMode: ContentMode = .scaleToFill
    public var isAccessibilityElement = false
    public var accessibilityLabel: String?
    public var accessibilityViewIsModal = false
    public var accessibilityElementsHidden = false
    public var accessibilityIdentifier: String?
    public let layoutMarginsGuide = UILayoutGuide()
    public let safeAreaLayoutGuide = UILayoutGuide()
    /// Set while a change must not be animated; the tests look at it.
    public private(set) static var isAnimationOff = false

    public init(frame: CGRect = .zero) {
        self.frame = frame
        super.init()
    }
    public required init?(coder: NSCoder) { nil }

    open override var next: UIResponder? { owner ?? superview }

    /// The window that it is in.
    public var window: UIWindow? {
        if let window = self as? UIWindow { return window }
        if let superview { return superview.window }
        return owner?.isVisible == true ? owner?.window : nil
    }
    /// The controller whose view it is: a controller's view is in the window that shows the controller.
    weak var owner: UIViewController?

    public func addSubview(_ view: UIView) {
        view.removeFromSuperview()
        subviews.append(view)
        view.superview = self
        view.tellMoved()
    }

    public func removeFromSuperview() {
        let wasInWindow = window != nil
        superview?.subviews.removeAll { $0 === self }
        superview = nil
        if wasInWindow { tellLeft() }
    }

    public func bringSubviewToFront(_ view: UIView) {
        guard let index = subviews.firstIndex(where: { $0 === view }) else { return }
        subviews.append(subviews.remove(at: index))
    }

    open func didMoveToWindow() {}

    func tellMoved() {
        guard window != nil else { return }
        didMoveToWindow()
        for view in subviews { view.tellMoved() }
    }

    /// It is no longer in a window: the end of it, for what AutoFill saves.
    func tellLeft() {
        PasswordSaving.left(self)
        didMoveToWindow()
        for view in subviews { view.tellLeft() }
    }

    @discardableResult
    public func endEditing(_ force: Bool) -> Bool {
        (self as? UITextField)?.resignFirstResponder()
        for view in subviews { view.endEditing(force) }
        return true
    }

    public static func performWithoutAnimation(_ actions: () -> Void) {
        let before = isAnimationOff
        isAnimationOff = true
        actions()
        isAnimationOff = before
    }

    /// What is seen of this view by itself; nil: nothing.
    open var drawnText: String? { nil }
    /// What assistive technology says of this view by itself; nil: nothing.
    var spokenText: String? { accessibilityLabel ?? drawnText }
}

@MainActor
open class UILabel: UIView {
    public var text: String?
    public var font: UIFont?
    public var textColor: UIColor?
    public var textAlignment: NSTextAlignment = .natural
    public var numberOfLines = 1
    public var lineBreakMode = NSLineBreakMode.byTruncatingTail
    public var adjustsFontForContentSizeCategory = false
    /// Ten points for each letter, twenty for each line; what doesn't fit is cut off at the end.
    public func sizeThatFits(_ size: CGSize) -> CGSize {
        let letters = max(1, Int(size.width / 10))
        let lines = numberOfLines == 1 ? 1 : max(1, ((text ?? "").count + letters - 1) / letters)
        return CGSize(width: size.width, height: Double(lines * 20))
    }
    /// What is seen of the text in its frame.
    public var visibleText: String? {
        let fits = max(1, Int(frame.size.width / 10)) * max(1, numberOfLines == 1 ? 1 : Int(frame.size.height / 20))
        return text.map { String($0.prefix(fits)) }
    }
    open override var drawnText: String? { text }
}

@MainActor
public final class UIStackView: UIView {
    public enum Axis: Sendable { case horizontal, vertical }
    public enum Alignment: Sendable { case fill, center }
    public var axis = Axis.horizontal
    public var alignment = Alignment.fill
    public var spacing: CGFloat = 0
    public convenience init(arrangedSubviews: [UIView]) {
        self.init(frame: .zero)
        for view in arrangedSubviews { addSubview(view) }
    }
    public func addArrangedSubview(_ view: UIView) { addSubview(view) }
}

@MainActor
public final class UIImageView: UIView {
    public var image: UIImage?
    public convenience init(image: UIImage?) {
        self.init(frame: .zero)
        self.image = image
    }
    public override var drawnText: String? { image.map { "image \($0.name)" } }
}

public enum UIAccessibility {
    public enum Notification: Sendable { case screenChanged, announcement }
    @MainActor public static var posted: [Notification] = []
    @MainActor public static func post(notification: Notification, argument: Any?) { posted.append(notification) }
}
