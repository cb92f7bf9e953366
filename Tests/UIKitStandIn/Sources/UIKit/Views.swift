// SPDX-License-Identifier: Apache-2.0
//
// Names and meanings are those of Apple's documentation, which is not repeated here.
// swift-format-ignore-file: AllPublicDeclarationsHaveDocumentation

public import Foundation

/// What can become the first responder.
@MainActor
open class UIResponder {
    public init() {}
}

@MainActor
public final class UIColor {
    public let name: String
    init(_ name: String) { self.name = name }
    public static let systemBackground = UIColor("systemBackground")
    public static let clear = UIColor("clear")
}

@MainActor
public final class UIImage {
    public let name: String
    public init?(named name: String) { self.name = name }
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
open class UIView: UIResponder {
    public var frame: CGRect
    public var bounds: CGRect { CGRect(origin: .zero, size: frame.size) }
    public private(set) var subviews: [UIView] = []
    public private(set) weak var superview: UIView?
    public var backgroundColor: UIColor?
    open var isHidden = false
    public var alpha: CGFloat = 1
    public var autoresizingMask: AutoresizingMask = []
    public var contentMode: ContentMode = .scaleToFill
    public var accessibilityViewIsModal = false
    public var accessibilityIdentifier: String?
    /// Set while a change must not be animated; the tests look at it.
    public private(set) static var isAnimationOff = false

    public init(frame: CGRect = .zero) {
        self.frame = frame
        super.init()
    }

    public func addSubview(_ view: UIView) {
        view.removeFromSuperview()
        subviews.append(view)
        view.superview = self
    }

    public func removeFromSuperview() {
        superview?.subviews.removeAll { $0 === self }
        superview = nil
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
}

@MainActor
public final class UILabel: UIView {
    public var text: String?
    public override var drawnText: String? { text }
}

@MainActor
public final class UIImageView: UIView {
    public var image: UIImage?
    public init(image: UIImage?) {
        self.image = image
        super.init()
    }
    public override var drawnText: String? { image.map { "image \($0.name)" } }
}

@MainActor
public final class UIAction {
    let handler: @MainActor (UIAction) -> Void
    public init(handler: @escaping @MainActor (UIAction) -> Void) { self.handler = handler }
}

@MainActor
open class UIControl: UIView {
    public struct Event: OptionSet, Sendable {
        public let rawValue: UInt
        public init(rawValue: UInt) { self.rawValue = rawValue }
        public static let editingChanged = Event(rawValue: 1 << 17)
        public static let editingDidEndOnExit = Event(rawValue: 1 << 19)
        public static let primaryActionTriggered = Event(rawValue: 1 << 13)
    }
    private var actions: [(UIAction, Event)] = []

    public func addAction(_ action: UIAction, for events: Event) { actions.append((action, events)) }

    public func sendActions(for events: Event) {
        for (action, wanted) in actions where !wanted.isDisjoint(with: events) { action.handler(action) }
    }
}

@MainActor
public final class UIButton: UIControl {
    public enum ButtonType: Sendable { case custom, system }
    public init(type: ButtonType, primaryAction: UIAction?) {
        super.init()
        if let primaryAction { addAction(primaryAction, for: .primaryActionTriggered) }
    }
}
