// SPDX-License-Identifier: Apache-2.0
//
// Names and meanings are those of Apple's documentation, which is not repeated here. Numbers in brackets are those of Documentation/SystemFacts.md.
// swift-format-ignore-file: AllPublicDeclarationsHaveDocumentation

import Foundation

@MainActor
public final class UIAction {
    public struct Identifier: Hashable, Sendable {
        public let rawValue: String
        public init(_ rawValue: String) { self.rawValue = rawValue }
    }
    public let identifier: Identifier
    public let title: String
    let handler: @MainActor (UIAction) -> Void

    public init(
        title: String = "", identifier: Identifier? = nil, handler: @escaping @MainActor (UIAction) -> Void
    ) {
        self.title = title
        self.identifier = identifier ?? Identifier(UUID().uuidString)
        self.handler = handler
    }
}

@MainActor
open class UIControl: UIView {
    public struct Event: OptionSet, Sendable {
        public let rawValue: UInt
        public init(rawValue: UInt) { self.rawValue = rawValue }
        public static let editingDidBegin = Event(rawValue: 1 << 16)
        public static let editingChanged = Event(rawValue: 1 << 17)
        public static let editingDidEnd = Event(rawValue: 1 << 18)
        public static let editingDidEndOnExit = Event(rawValue: 1 << 19)
        public static let allEditingEvents = Event(rawValue: 0xF0000)
        public static let primaryActionTriggered = Event(rawValue: 1 << 13)
    }
    private var actions: [(UIAction, Event)] = []

    /// An action replaces an earlier one of the same identifier for the same events [22].
    public func addAction(_ action: UIAction, for events: Event) {
        actions.removeAll { $0.0.identifier == action.identifier && $0.1 == events }
        actions.append((action, events))
    }

    public func removeAction(identifiedBy identifier: UIAction.Identifier, for events: Event) {
        actions.removeAll { $0.0.identifier == identifier && $0.1 == events }
    }

    public func sendActions(for events: Event) {
        for (action, wanted) in actions where !wanted.isDisjoint(with: events) { action.handler(action) }
    }
}

@MainActor
public final class UIButton: UIControl {
    public enum ButtonType: Sendable { case custom, system }
    public private(set) var title: String?
    public let titleLabel: UILabel? = UILabel()

    public convenience init(type: ButtonType, primaryAction: UIAction?) {
        self.init(frame: .zero)
        guard let primaryAction else { return }
        title = primaryAction.title.isEmpty ? nil : primaryAction.title
        addAction(primaryAction, for: .primaryActionTriggered)
    }

    public struct State: Sendable {
        public static let normal = State()
    }
    public func setTitle(_ title: String?, for state: State) { self.title = title }
    public override var drawnText: String? { title }
    override var spokenText: String? { accessibilityLabel ?? title ?? "button" }
}
