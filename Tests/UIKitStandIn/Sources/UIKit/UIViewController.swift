// SPDX-License-Identifier: Apache-2.0
//
// Names and meanings are those of Apple's documentation, which is not repeated here.
// swift-format-ignore-file: AllPublicDeclarationsHaveDocumentation

public import Foundation

@MainActor
open class UIViewController: UIResponder {
    private var loadedView: UIView?
    public private(set) var children: [UIViewController] = []
    public private(set) weak var parent: UIViewController?
    public private(set) var presentedViewController: UIViewController?
    public private(set) weak var presentingViewController: UIViewController?
    public internal(set) var isMovingFromParent = false
    public internal(set) var isBeingDismissed = false
    public private(set) var isVisible = false

    public init(nibName: String?, bundle: Bundle?) { super.init() }
    public override convenience init() { self.init(nibName: nil, bundle: nil) }
    public required init?(coder: NSCoder) { super.init() }

    public var view: UIView {
        if let loadedView { return loadedView }
        let view = UIView(frame: CGRect(x: 0, y: 0, width: 390, height: 844))
        loadedView = view
        viewDidLoad()
        return view
    }

    open func viewDidLoad() {}
    open func viewWillAppear(_ animated: Bool) {}
    open func viewWillDisappear(_ animated: Bool) {}

    public func addChild(_ child: UIViewController) {
        children.append(child)
        child.parent = self
    }
    open func didMove(toParent parent: UIViewController?) {}
    public func removeFromParent() {
        parent?.children.removeAll { $0 === self }
        parent = nil
    }

    public func present(_ controller: UIViewController, animated: Bool) {
        presentedViewController = controller
        controller.presentingViewController = self
        sendDisappearance()
        controller.sendAppearance()
    }

    public func dismiss(animated: Bool) {
        guard let controller = presentedViewController else { return }
        controller.isBeingDismissed = true
        controller.sendDisappearance()
        controller.isBeingDismissed = false
        presentedViewController = nil
        sendAppearance()
    }

    /// Appearance reaches the children too, as in a container that forwards it.
    func sendAppearance() {
        _ = view
        isVisible = true
        viewWillAppear(false)
        for child in visibleChildren { child.sendAppearance() }
    }

    func sendDisappearance() {
        guard isVisible else { return }
        isVisible = false
        viewWillDisappear(false)
        for child in visibleChildren { child.sendDisappearance() }
    }

    var visibleChildren: [UIViewController] { children }
}

@MainActor
public final class UINavigationController: UIViewController {
    public private(set) var viewControllers: [UIViewController] = []
    public var topViewController: UIViewController? { viewControllers.last }
    override var visibleChildren: [UIViewController] { topViewController.map { [$0] } ?? [] }

    public init(rootViewController: UIViewController) {
        super.init(nibName: nil, bundle: nil)
        addChild(rootViewController)
        viewControllers = [rootViewController]
    }
    public required init?(coder: NSCoder) { nil }

    public func pushViewController(_ controller: UIViewController, animated: Bool) {
        let old = topViewController
        addChild(controller)
        viewControllers.append(controller)
        old?.sendDisappearance()
        if isVisible { controller.sendAppearance() }
    }

    public func popViewController(animated: Bool) {
        guard viewControllers.count > 1, let old = viewControllers.popLast() else { return }
        old.isMovingFromParent = true
        old.sendDisappearance()
        old.isMovingFromParent = false
        old.removeFromParent()
        topViewController?.sendAppearance()
    }
}

@MainActor
public final class UITabBarController: UIViewController {
    public var viewControllers: [UIViewController] = [] {
        didSet { for controller in viewControllers { addChild(controller) } }
    }
    public var selectedIndex = 0 {
        didSet {
            guard oldValue != selectedIndex else { return }
            viewControllers[oldValue].sendDisappearance()
            viewControllers[selectedIndex].sendAppearance()
        }
    }
    override var visibleChildren: [UIViewController] {
        viewControllers.indices.contains(selectedIndex) ? [viewControllers[selectedIndex]] : []
    }
}
