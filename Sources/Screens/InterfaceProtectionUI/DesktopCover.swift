// SPDX-License-Identifier: Apache-2.0

#if os(macOS)
import AppKit
import InterfaceProtection

/// What a covered window of a Mac shows: a view above its content, which takes every click, scroll and key.
final class DesktopCover: NSBox {
    let style: CoverStyle
    private let content: NSViewController?
    private let onTouch: () -> Void
    private let heading = NSTextField(labelWithString: "")
    private let message = NSTextField(wrappingLabelWithString: "")
    private lazy var button = NSButton(title: "", target: self, action: #selector(touched))
    private weak var covered: NSView?

    init(style: CoverStyle, content: NSViewController?, onTouch: @escaping () -> Void) {
        self.style = style
        self.content = content
        self.onTouch = onTouch
        super.init(frame: .zero)
        (boxType, titlePosition, borderWidth) = (.custom, .noTitle, 0)
        fillColor = .windowBackgroundColor
        autoresizingMask = [.width, .height]
        setAccessibilityLabel(CoverText.goOn)
        if let content {
            contentView = content.view
        } else {
            contentView = explanation()
            explain(.away)
        }
    }

    @available(*, unavailable)
    required init?(coder: NSCoder) { nil }

    /// Goes above everything in `content`, and hides it from assistive technology.
    func lie(over content: NSView) {
        // A split view would take it for one more pane.
        (content as? NSSplitView)?.arrangesAllSubviews = false
        frame = content.bounds
        content.addSubview(self)
        if covered !== content { covered?.setAccessibilityChildren(nil) }
        covered = content
        content.setAccessibilityChildren([self])
    }

    /// Comes off.
    func end() {
        covered?.setAccessibilityChildren(nil)
        covered = nil
        removeFromSuperview()
    }

    /// Explains why the cover is there and what can be done. A cover that only hides a picture has no text.
    func explain(_ cause: PrivacyScreen.Cause) {
        let text = CoverText(cause)
        for (label, words) in [(heading, text?.title), (message, text?.message)] {
            label.stringValue = words ?? ""
            label.isHidden = words == nil
        }
        button.title = text?.action ?? ""
        button.isHidden = text?.action == nil
        setAccessibilityLabel(text?.title ?? CoverText.goOn)
    }

    private func explanation() -> NSView {
        for label in [heading, message] { label.alignment = .center }
        heading.font = .preferredFont(forTextStyle: .headline, options: [:])
        button.keyEquivalent = "\r"
        let stack = NSStackView(views: [heading, message, button])
        stack.orientation = .vertical
        if case .image(let name) = style, let image = NSImage(named: name) {
            let view = NSImageView()
            view.image = image
            stack.insertArrangedSubview(view, at: 0)
        }
        let whole = NSView()
        whole.addSubview(stack)
        stack.translatesAutoresizingMaskIntoConstraints = false
        NSLayoutConstraint.activate([
            stack.centerYAnchor.constraint(equalTo: whole.centerYAnchor),
            stack.leadingAnchor.constraint(equalTo: whole.leadingAnchor, constant: 16),
            stack.trailingAnchor.constraint(equalTo: whole.trailingAnchor, constant: -16),
        ])
        return whole
    }

    @objc private func touched() { onTouch() }
}

// Everything that a responder would pass on ends here: the next one belongs to what is covered.
extension DesktopCover {
    override var acceptsFirstResponder: Bool { true }

    override func mouseDown(with event: NSEvent) { onTouch() }
    override func mouseUp(with event: NSEvent) {}
    override func mouseDragged(with event: NSEvent) {}
    override func rightMouseDown(with event: NSEvent) {}
    override func otherMouseDown(with event: NSEvent) {}
    override func scrollWheel(with event: NSEvent) {}
    override func magnify(with event: NSEvent) {}
    override func swipe(with event: NSEvent) {}
    /// Return presses the button.
    override func keyDown(with event: NSEvent) { _ = super.performKeyEquivalent(with: event) }
    override func keyUp(with event: NSEvent) {}

    /// A window offers a key with Command to its views before the menu gets it.
    override func performKeyEquivalent(with event: NSEvent) -> Bool {
        if super.performKeyEquivalent(with: event) { return true }
        guard event.modifierFlags.contains(.command) else { return false }
        return !DesktopWindows.letsThrough(command: event.charactersIgnoringModifiers ?? "")
    }
}
#endif
