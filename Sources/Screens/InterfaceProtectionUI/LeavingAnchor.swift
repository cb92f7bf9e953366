// SPDX-License-Identifier: Apache-2.0

#if canImport(UIKit) && !os(tvOS) && !os(watchOS)
import Foundation
import InterfaceProtection
import UIKit

/// Represents, in a SwiftUI view, content that is cleared with its screen.
///
/// The row of a list is removed when it is scrolled off, and the screen is still there. So the screen decides: a row
/// that goes alone only masks. If the screen goes while the row is off, no controller in it tells: it is polled until
/// then.
final class LeavingAnchor: UIViewController {
    private(set) var content: any ConfidentialContent
    private var events: [ClearingEvent]
    private var state = LeavingState()
    private weak var screen: UIViewController?
    private var looking: Task<Void, Never>?

    /// How often a screen is looked at whose row is scrolled off.
    static var interval = Duration.seconds(1)

    init(content: any ConfidentialContent, events: [ClearingEvent]) {
        (self.content, self.events) = (content, events)
        super.init(nibName: nil, bundle: nil)
    }

    @available(*, unavailable)
    required init?(coder: NSCoder) { nil }

    func take(content: any ConfidentialContent, events: [ClearingEvent]) {
        (self.content, self.events) = (content, events)
    }

    override func viewDidAppear(_ animated: Bool) {
        super.viewDidAppear(animated)
        looking?.cancel()
        screen = ancestors.last
        tell(state.handle(.didAppear))
    }

    override func viewWillDisappear(_ animated: Bool) {
        super.viewWillDisappear(animated)
        tell(state.handle(.willDisappear(reason)))
    }

    override func viewDidDisappear(_ animated: Bool) {
        super.viewDidDisappear(animated)
        guard let screen, screen.isShown else { return tell(state.handle(.didDisappear(reason))) }
        lookAfter(screen)
    }

    /// The controllers that it is in, up to the one that a container shows as a screen.
    private var ancestors: [UIViewController] {
        var found: [UIViewController] = []
        var next = parent
        while let controller = next, !(controller is UINavigationController), !(controller is UITabBarController) {
            found.append(controller)
            next = controller.parent
        }
        return found
    }

    private var reason: ClearingEvent { screen.map { LeavingObserver.reason(of: $0) } ?? .left }

    /// Tells, once `screen` is no longer shown, why: the view that would have told is not there any more.
    private func lookAfter(_ screen: UIViewController) {
        looking?.cancel()
        looking = Task { [weak screen, weak content, events] in
            while let shown = screen, shown.isShown {
                do { try await Task.sleep(for: Self.interval) } catch { return }
            }
            let reason = screen.map { LeavingObserver.reason(ofGone: $0) } ?? .left
            if events.contains(reason) { content?.take(.tell(reason)) }
        }
    }

    private func tell(_ answer: LeavingState.Answer) {
        if case .tell(let event) = answer, !events.contains(event) { return }
        content.take(answer)
    }
}

extension UIViewController {
    /// Whether its view is in a window.
    fileprivate var isShown: Bool { viewIfLoaded?.window != nil }
}
#endif
