// SPDX-License-Identifier: Apache-2.0
//
// Names and meanings are those of Apple's documentation, which is not repeated here. Numbers in brackets are those of Documentation/SystemFacts.md.
// swift-format-ignore-file: AllPublicDeclarationsHaveDocumentation

import Foundation

extension StandInSystem {
    /// The windows of a scene that are shown, from the lowest level to the highest.
    func visibleWindows(of name: String) -> [UIWindow] {
        let windows =
            order == .applicationOnly
            ? UIApplication.shared.windowsWithoutScene.compactMap(\.window) : scene(name)?.windows ?? []
        return windows.enumerated().filter { !$0.element.isHidden && $0.element.alpha > 0 }
            .sorted { ($0.element.windowLevel.rawValue, $0.offset) < ($1.element.windowLevel.rawValue, $1.offset) }
            .map(\.element)
    }

    /// The picture of a scene: the texts that can be read in it. Windows are drawn from the lowest level to the highest, the
    /// keyboard above them all [6]; what has a background hides what is below.
    public func picture(of name: String) -> [String] {
        let visible = visibleWindows(of: name)
        var texts: [String] = []
        for window in visible {
            draw(window.contentView, of: window.rootViewController, into: &texts)
        }
        if editedField(in: name) != nil { texts.append("keyboard") }
        return texts
    }

    /// What a display shows: the app's window there, else what the main scene shows [10].
    public func picture(ofDisplay name: String, beside main: String) -> [String] {
        visibleWindows(of: name).isEmpty ? picture(of: main) : picture(of: name)
    }

    /// What assistive technology reaches in a scene: every window that is shown, whatever lies over it. What is modal hides its siblings,
    /// which in another window nothing is [7]; elements that are hidden are not reached [8].
    public func accessibleTexts(of name: String) -> [String] {
        var texts: [String] = []
        for window in visibleWindows(of: name) where !window.accessibilityElementsHidden {
            speak(window.contentView, into: &texts)
            if let presented = window.rootViewController?.presentedViewController {
                speak(presented.view, into: &texts)
            }
        }
        return texts
    }

    private func speak(_ view: UIView, into texts: inout [String]) {
        guard !view.isHidden, view.alpha > 0, !view.accessibilityElementsHidden else { return }
        if let text = view.spokenText { texts.append(text) }
        let modal = view.subviews.filter { $0.accessibilityViewIsModal && !$0.isHidden }
        for subview in modal.isEmpty ? view.subviews : modal { speak(subview, into: &texts) }
    }

    /// Who gets a key: the field that is edited in the key window, else that window's controller [4]. A scene that isn't active gets none [25].
    public func receiverOfKeys(in name: String) -> UIResponder? {
        if let scene = scene(name), scene.activationState != .foregroundActive { return nil }
        return editedField(in: name) ?? visibleWindows(of: name).first(where: \.isKeyWindow)?.rootViewController
    }

    /// A key, of a keyboard of any kind. False if no field got it.
    @discardableResult
    public func type(_ key: String, in name: String) -> Bool {
        guard let field = receiverOfKeys(in: name) as? UITextField else { return false }
        field.type(key)
        return true
    }

    /// Who performs a command of a key or a menu: whoever in the chain says that it can, from the first responder of the key window on [29].
    public func performer(of command: String, in name: String) -> UIResponder? {
        if let scene = scene(name), scene.activationState != .foregroundActive { return nil }
        let window = visibleWindows(of: name).first(where: \.isKeyWindow)
        func first(_ controller: UIViewController?) -> UIResponder? {
            guard let controller else { return nil }
            if controller.isFirstResponder { return controller }
            return first(controller.presentedViewController) ?? controller.children.lazy.compactMap { first($0) }.first
        }
        let start = editedField(in: name) ?? first(window?.rootViewController) ?? window ?? application
        return start.target(forAction: NSSelectorFromString(command), withSender: nil) as? UIResponder
    }

    /// A touch in the middle of the screen: the topmost window gets it. The controls there, the topmost first.
    public func controlsUnderFinger(in name: String) -> [UIControl] {
        let windows = visibleWindows(of: name).filter { !($0 is UITextEffectsWindow) }
        guard let window = windows.last(where: \.isUserInteractionEnabled) else { return [] }
        func controls(_ view: UIView) -> [UIControl] {
            guard !view.isHidden, view.isUserInteractionEnabled else { return [] }
            return view.subviews.reversed().flatMap(controls) + [view as? UIControl].compactMap(\.self)
        }
        return controls(window.contentView)
    }

    /// Who decides about status bar, home indicator and orientation: the controller of the topmost window [19].
    public func statusBarController(of name: String) -> UIViewController? {
        var controller = visibleWindows(of: name).last { !($0 is UITextEffectsWindow) }?.rootViewController
        while let child = controller?.childForStatusBarStyle { controller = child }
        return controller
    }

    /// An alert goes: UIKit makes the topmost window the key window, whoever it was before [20].
    public func alertGoes(in name: String) { visibleWindows(of: name).last { !($0 is UITextEffectsWindow) }?.makeKey() }

    /// The field that is being edited, in the key window: a keyboard goes away when another window becomes key [21].
    private func editedField(in name: String) -> UITextField? {
        visibleWindows(of: name).filter { $0.isKeyWindow || order == .applicationOnly }
            .compactMap { edited($0.contentView) }.first
    }

    private func edited(_ view: UIView) -> UITextField? {
        if let field = view as? UITextField, field.isFirstResponder { return field }
        return view.subviews.lazy.compactMap { self.edited($0) }.first
    }

    private func draw(_ view: UIView, of controller: UIViewController?, into texts: inout [String]) {
        draw(view, into: &texts)
        guard let presented = controller?.presentedViewController else { return }
        draw(presented.view, of: presented, into: &texts)
    }

    private func draw(_ view: UIView, into texts: inout [String]) {
        guard !view.isHidden, view.alpha > 0 else { return }
        let isOpaque = view.alpha >= 1 && view.backgroundColor?.cgColor.alpha == 1
        if isOpaque, view.frame.size.height >= UIScreen.main.bounds.height { texts = [] }
        if isOpaque, view.coversSuperview { texts.removeAll { $0 == view.superview?.drawnText } }
        if let text = view.drawnText { texts.append(text) }
        for subview in view.subviews.sorted(by: { $0.layer.zPosition < $1.layer.zPosition }) {
            draw(subview, into: &texts)
        }
    }
}

extension UIView {
    /// Whether it lies over the whole of the view that it is in.
    var coversSuperview: Bool {
        if let scroll = superview as? UIScrollView, scroll.contentOffset != .zero || edgesInPlace > 0 {
            return edgesInPlace == 4
        }
        return superview.map { frame.size == $0.frame.size && autoresizingMask == [.flexibleWidth, .flexibleHeight] }
            ?? false
    }
}
