// SPDX-License-Identifier: Apache-2.0

#if canImport(UIKit) && !os(tvOS) && !os(watchOS)
import Foundation
public import InterfaceProtection
public import UIKit

extension UIViewController {
    /// Clears `contents`, by their policies, when this screen is left, covered by the next one, or hidden by another
    /// tab. A cancelled gesture clears nothing; while it lasts, they are masked.
    ///
    /// A child controller with a hidden view observes this, so no method has to be overridden.
    public func clears(_ contents: any ConfidentialContent...) {
        let observer = LeavingObserver { answer in
            for content in contents { content.take(answer) }
        }
        addChild(observer)
        observer.view.isHidden = true
        view.addSubview(observer.view)
        observer.didMove(toParent: self)
    }
}

extension ConfidentialContent {
    /// Does what `answer` requires.
    func take(_ answer: LeavingState.Answer) {
        switch answer {
        case .mask: mask()
        case .tell(let event): handle(event, at: .now)
        }
    }
}

/// Distinguishes the reasons for which a view disappears.
final class LeavingObserver: UIViewController {
    var handle: (LeavingState.Answer) -> Void
    private var state = LeavingState()

    init(handle: @escaping (LeavingState.Answer) -> Void) {
        self.handle = handle
        super.init(nibName: nil, bundle: nil)
    }

    @available(*, unavailable)
    required init?(coder: NSCoder) { nil }

    override func viewDidAppear(_ animated: Bool) {
        super.viewDidAppear(animated)
        handle(state.handle(.didAppear))
    }

    override func viewWillDisappear(_ animated: Bool) {
        super.viewWillDisappear(animated)
        handle(state.handle(.willDisappear(reason)))
    }

    override func viewDidDisappear(_ animated: Bool) {
        super.viewDidDisappear(animated)
        handle(state.handle(.didDisappear(reason)))
    }

    private var reason: ClearingEvent { Self.reason(of: self) }

    /// Why `controller`, or what is in it, disappears.
    static func reason(of controller: UIViewController) -> ClearingEvent {
        let screens = Array(sequence(first: controller, next: \.parent))
        // A screen leaves with its container: a popped navigation controller, a dismissed sheet.
        if screens.contains(where: { $0.isMovingFromParent || $0.isBeingDismissed }) { return .left }
        for case let navigation as UINavigationController in screens {
            if let top = navigation.topViewController, !screens.contains(where: { $0 === top }) { return .covered }
        }
        return .hidden
    }

    /// Why `screen`, which was seen a moment ago, isn't shown any more. Its transition is over.
    static func reason(ofGone screen: UIViewController) -> ClearingEvent {
        if screen.presentedViewController != nil { return .hidden }
        return screen.parent == nil ? .left : reason(of: screen)
    }
}
#endif
