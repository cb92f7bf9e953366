// SPDX-License-Identifier: Apache-2.0

#if canImport(UIKit)
import Foundation
public import InterfaceProtection
public import UIKit

extension UIViewController {
    /// Clears `contents`, by their policies, as this screen is left, covered by the next one, or hidden by another tab.
    ///
    /// A child controller without a view of its own hears it, so that no method has to be overridden.
    public func clears(_ contents: any ConfidentialContent...) {
        let observer = LeavingObserver { event in
            for content in contents { content.handle(event, at: .now) }
        }
        addChild(observer)
        observer.view.isHidden = true
        view.addSubview(observer.view)
        observer.didMove(toParent: self)
    }
}

/// Tells apart the three things that `viewWillDisappear` can mean.
final class LeavingObserver: UIViewController {
    private let handle: (ClearingEvent) -> Void

    init(handle: @escaping (ClearingEvent) -> Void) {
        self.handle = handle
        super.init(nibName: nil, bundle: nil)
    }

    @available(*, unavailable)
    required init?(coder: NSCoder) { nil }

    override func viewWillAppear(_ animated: Bool) {
        super.viewWillAppear(animated)
        handle(.shown)
    }

    override func viewWillDisappear(_ animated: Bool) {
        super.viewWillDisappear(animated)
        handle(reason)
    }

    private var reason: ClearingEvent {
        let screens = Array(sequence(first: self as UIViewController, next: \.parent))
        // A screen leaves with whatever contains it: a popped navigation controller, a dismissed sheet.
        if screens.contains(where: { $0.isMovingFromParent || $0.isBeingDismissed }) { return .left }
        for case let navigation as UINavigationController in screens {
            if let top = navigation.topViewController, !screens.contains(where: { $0 === top }) { return .covered }
        }
        return .hidden
    }
}
#endif
