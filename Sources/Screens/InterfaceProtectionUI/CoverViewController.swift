// SPDX-License-Identifier: Apache-2.0

#if canImport(UIKit) && !os(tvOS) && !os(watchOS)
import InterfaceProtection
import UIKit

/// What a cover shows.
final class CoverViewController: ForwardingController {
    private let style: CoverStyle
    private let content: UIViewController?
    private let onTouch: () -> Void
    private let heading = UILabel()
    private let message = UILabel()
    private lazy var button = UIButton(type: .system, primaryAction: UIAction { [onTouch] _ in onTouch() })

    init(style: CoverStyle, content: UIViewController?, onTouch: @escaping () -> Void) {
        self.style = style
        self.content = content
        self.onTouch = onTouch
        super.init(nibName: nil, bundle: nil)
    }

    @available(*, unavailable)
    required init?(coder: NSCoder) { nil }

    override func viewDidLoad() {
        super.viewDidLoad()
        view.backgroundColor = .systemBackground
        view.accessibilityViewIsModal = true
        if let content {
            addChild(content)
            fill(with: content.view)
            content.didMove(toParent: self)
            return
        }
        if case .image(let name) = style { addImage(named: name) }
        addExplanation()
        explain(.away)
    }

    /// Explains why the cover is there and what can be done. A cover that only hides the system's picture has no text.
    func explain(_ cause: PrivacyScreen.Cause) {
        let text = CoverText(cause)
        for (label, words) in [(heading, text?.title), (message, text?.message)] {
            label.text = words
            label.isHidden = words == nil
        }
        button.setTitle(text?.action, for: .normal)
        button.accessibilityLabel = text?.action ?? CoverText.goOn
    }

    override var canBecomeFirstResponder: Bool { true }

    /// Ends every key or menu command that the cover doesn't handle. Otherwise the scene, the application and its
    /// delegate would receive it next, and act behind the cover.
    override func target(forAction action: Selector, withSender sender: Any?) -> Any? { nil }

    // A raw key press, a shake or a remote control event ends here too, for the same reason.
    override func pressesBegan(_ presses: Set<UIPress>, with event: UIPressesEvent?) {}
    override func pressesChanged(_ presses: Set<UIPress>, with event: UIPressesEvent?) {}
    override func pressesEnded(_ presses: Set<UIPress>, with event: UIPressesEvent?) {}
    override func pressesCancelled(_ presses: Set<UIPress>, with event: UIPressesEvent?) {}
    override func motionBegan(_ motion: UIEvent.EventSubtype, with event: UIEvent?) {}
    override func motionEnded(_ motion: UIEvent.EventSubtype, with event: UIEvent?) {}
    override func motionCancelled(_ motion: UIEvent.EventSubtype, with event: UIEvent?) {}
    override func remoteControlReceived(with event: UIEvent?) {}

    /// Makes commands begin here, unless something in the app's own cover already receives them.
    func takeCommands() {
        if !view.holdsFirstResponder, !children.contains(where: \.isFirstResponder) { becomeFirstResponder() }
    }

    private func addImage(named name: String) {
        let image = UIImageView(image: UIImage(named: name))
        image.contentMode = .center
        fill(with: image)
    }

    /// A touch anywhere acts like the button. At the largest text sizes the text is taller than a phone's screen.
    private func addExplanation() {
        let whole = UIButton(type: .custom, primaryAction: UIAction { [onTouch] _ in onTouch() })
        // Assistive technology sees a single button, with a label.
        whole.isAccessibilityElement = false
        whole.accessibilityElementsHidden = true
        for (label, font) in [
            (heading, UIFont.preferredFont(forTextStyle: .headline)), (message, .preferredFont(forTextStyle: .body)),
        ] { setUp(label, font) }
        if let label = button.titleLabel { setUp(label, .preferredFont(forTextStyle: .body)) }
        let stack = UIStackView(arrangedSubviews: [heading, message, button])
        stack.axis = .vertical
        stack.alignment = .fill
        stack.spacing = 16
        let scroll = UIScrollView()
        view.addSubview(scroll)
        for part in [whole, stack] { scroll.addSubview(part) }
        for part in [scroll, whole, stack] { part.translatesAutoresizingMaskIntoConstraints = false }
        let (safe, content, seen) = (view.safeAreaLayoutGuide, scroll.contentLayoutGuide, scroll.frameLayoutGuide)
        let isNoHigher = content.heightAnchor.constraint(equalTo: seen.heightAnchor)
        isNoHigher.priority = .defaultLow
        NSLayoutConstraint.activate([
            scroll.topAnchor.constraint(equalTo: safe.topAnchor),
            scroll.bottomAnchor.constraint(equalTo: safe.bottomAnchor),
            scroll.leadingAnchor.constraint(equalTo: safe.leadingAnchor),
            scroll.trailingAnchor.constraint(equalTo: safe.trailingAnchor),
            content.widthAnchor.constraint(equalTo: seen.widthAnchor),
            content.heightAnchor.constraint(greaterThanOrEqualTo: seen.heightAnchor), isNoHigher,
            whole.topAnchor.constraint(equalTo: content.topAnchor),
            whole.bottomAnchor.constraint(equalTo: content.bottomAnchor),
            whole.leadingAnchor.constraint(equalTo: content.leadingAnchor),
            whole.trailingAnchor.constraint(equalTo: content.trailingAnchor),
            stack.centerYAnchor.constraint(equalTo: content.centerYAnchor),
            stack.topAnchor.constraint(greaterThanOrEqualTo: content.topAnchor),
            stack.leadingAnchor.constraint(equalTo: view.layoutMarginsGuide.leadingAnchor),
            stack.trailingAnchor.constraint(equalTo: view.layoutMarginsGuide.trailingAnchor),
        ])
    }

    private func setUp(_ label: UILabel, _ font: UIFont) {
        label.font = font
        label.adjustsFontForContentSizeCategory = true
        label.numberOfLines = 0
        label.textAlignment = .center
    }

}

extension UIViewController {
    /// Adds a view that has the whole of this controller's, at any size.
    func fill(with subview: UIView) {
        subview.frame = view.bounds
        subview.autoresizingMask = [.flexibleWidth, .flexibleHeight]
        view.addSubview(subview)
    }
}

extension UIView {
    /// Whether the view, or a view in it, is the first responder.
    fileprivate var holdsFirstResponder: Bool { isFirstResponder || subviews.contains(where: \.holdsFirstResponder) }
}
#endif
