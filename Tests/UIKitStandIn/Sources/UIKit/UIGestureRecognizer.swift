// SPDX-License-Identifier: Apache-2.0
//
// Names and meanings are those of Apple's documentation, which is not repeated here. Numbers in brackets are those of Documentation/SystemFacts.md.
// swift-format-ignore-file: AllPublicDeclarationsHaveDocumentation

public import Foundation

@MainActor
public final class UITouch: NSObject {}

@MainActor
@preconcurrency
public protocol UIGestureRecognizerDelegate: NSObjectProtocol {
    func gestureRecognizer(_ recognizer: UIGestureRecognizer, shouldReceive event: UIEvent) -> Bool
    func gestureRecognizer(_ recognizer: UIGestureRecognizer, shouldReceive touch: UITouch) -> Bool
    func gestureRecognizer(_ recognizer: UIGestureRecognizer, shouldReceive press: UIPress) -> Bool
}

@MainActor
open class UIGestureRecognizer {
    public weak var delegate: (any UIGestureRecognizerDelegate)?
    public var cancelsTouchesInView = true
    public fileprivate(set) var received = 0
    public init() {}

    /// The delegate is asked once for the event, then for the touch [35].
    func offer(_ event: UIEvent, _ touch: UITouch?) {
        guard delegate?.gestureRecognizer(self, shouldReceive: event) != false else { return }
        if let touch, delegate?.gestureRecognizer(self, shouldReceive: touch) == false { return }
        received += 1
    }
}
public final class UITapGestureRecognizer: UIGestureRecognizer {}
public final class UIHoverGestureRecognizer: UIGestureRecognizer {}

extension StandInSystem {
    private func recognizers(in name: String) -> [UIGestureRecognizer] {
        let windows = visibleWindows(of: name).filter { !($0 is UITextEffectsWindow) && $0.isUserInteractionEnabled }
        return windows.last?.gestureRecognizers ?? []
    }

    /// A finger, or a click: recognizers of the topmost window are asked before any view gets it [35]. A scene that isn't active gets none [25].
    /// Returns how many recognizers took it for themselves.
    @discardableResult
    public func touch(in name: String) -> Int {
        guard scene(name)?.activationState == .foregroundActive else { return 0 }
        let all = recognizers(in: name).filter { !($0 is UIHoverGestureRecognizer) }
        let before = all.map(\.received).reduce(0, +)
        for recognizer in all { recognizer.offer(UIEvent(), UITouch()) }
        return all.map(\.received).reduce(0, +) - before
    }

    /// The pointer moves, with no button down [36].
    public func movePointer(in name: String) {
        guard scene(name)?.activationState == .foregroundActive else { return }
        for case let hover as UIHoverGestureRecognizer in recognizers(in: name) { hover.offer(UIEvent(), nil) }
    }
}

extension ProcessInfo {
    /// Whether the tests' app runs on a Mac.
    nonisolated(unsafe) public static var standInIsOnMac = false
    public var isMacCatalystApp: Bool { unsafe Self.standInIsOnMac }
    public var isiOSAppOnMac: Bool { false }
}
