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

    /// Says why the cover is there and what can be done. A cover that only hides the system's picture says nothing.
    func explain(_ cause: PrivacyScreen.Cause) {
        let text = CoverText(cause)
        for (label, words) in [(heading, text?.title), (message, text?.message)] {
            label.text = words
            label.isHidden = words == nil
        }
        button.setTitle(text?.action, for: .normal)
        button.accessibilityLabel = text?.action ?? CoverText.goOn
    }

    private func addImage(named name: String) {
        let image = UIImageView(image: UIImage(named: name))
        image.contentMode = .center
        fill(with: image)
    }

    /// A touch anywhere does what the button does.
    private func addExplanation() {
        let whole = UIButton(type: .custom, primaryAction: UIAction { [onTouch] _ in onTouch() })
        // There is one button for assistive technology, with a label.
        whole.accessibilityElementsHidden = true
        fill(with: whole)
        for (label, font) in [
            (heading, UIFont.preferredFont(forTextStyle: .headline)), (message, .preferredFont(forTextStyle: .body)),
        ] {
            label.font = font
            label.adjustsFontForContentSizeCategory = true
            label.numberOfLines = 0
            label.textAlignment = .center
        }
        button.titleLabel?.font = .preferredFont(forTextStyle: .body)
        button.titleLabel?.adjustsFontForContentSizeCategory = true
        let stack = UIStackView(arrangedSubviews: [heading, message, button])
        stack.axis = .vertical
        stack.alignment = .fill
        stack.spacing = 16
        stack.translatesAutoresizingMaskIntoConstraints = false
        view.addSubview(stack)
        NSLayoutConstraint.activate([
            stack.centerYAnchor.constraint(equalTo: view.centerYAnchor),
            stack.leadingAnchor.constraint(equalTo: view.layoutMarginsGuide.leadingAnchor),
            stack.trailingAnchor.constraint(equalTo: view.layoutMarginsGuide.trailingAnchor),
        ])
    }

    private func fill(with subview: UIView) {
        subview.frame = view.bounds
        subview.autoresizingMask = [.flexibleWidth, .flexibleHeight]
        view.addSubview(subview)
    }
}
#endif
