// SPDX-License-Identifier: Apache-2.0
//
// Names and meanings are those of Apple's documentation, which is not repeated here. Numbers in brackets are those of Documentation/SystemFacts.md.
// swift-format-ignore-file: AllPublicDeclarationsHaveDocumentation

public import Foundation

public struct UIInterfaceOrientationMask: OptionSet, Sendable {
    public let rawValue: UInt
    public init(rawValue: UInt) { self.rawValue = rawValue }
    public static let portrait = UIInterfaceOrientationMask(rawValue: 2)
    public static let landscape = UIInterfaceOrientationMask(rawValue: 24)
    public static let allButUpsideDown = UIInterfaceOrientationMask(rawValue: 26)
}
public struct UIRectEdge: OptionSet, Sendable {
    public let rawValue: UInt
    public init(rawValue: UInt) { self.rawValue = rawValue }
    public static let bottom = UIRectEdge(rawValue: 4)
}
public enum UIStatusBarStyle: Sendable { case `default`, lightContent, darkContent }
public enum UIModalPresentationStyle: Sendable { case fullScreen, pageSheet }

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
    public var modalPresentationStyle = UIModalPresentationStyle.pageSheet
    weak var rootWindow: UIWindow?

    public init(nibName: String?, bundle: Bundle?) { super.init() }
    public override convenience init() { self.init(nibName: nil, bundle: nil) }
    public required init?(coder: NSCoder) { super.init() }

    public var view: UIView {
        if let loadedView { return loadedView }
        let view = UIView(frame: CGRect(x: 0, y: 0, width: 390, height: 844))
        view.owner = self
        loadedView = view
        viewDidLoad()
        return view
    }

    public var viewIfLoaded: UIView? { loadedView }

    /// A row with a controller of its own comes into a list, or is scrolled off it and removed.
    public func showRow(_ row: UIViewController) {
        addChild(row)
        view.addSubview(row.view)
        row.appear()
    }
    public func scrollOff(_ row: UIViewController) {
        row.isMovingFromParent = true
        row.disappear()
        row.view.removeFromSuperview()
        row.removeFromParent()
        row.isMovingFromParent = false
    }

    open override var next: UIResponder? { parent?.view ?? presentingViewController ?? rootWindow }

    /// The window that shows it.
    var window: UIWindow? { rootWindow ?? parent?.window ?? presentingViewController?.window }

    open func viewDidLoad() {}
    open func viewWillAppear(_ animated: Bool) {}
    open func viewDidAppear(_ animated: Bool) {}
    open func viewWillDisappear(_ animated: Bool) {}
    open func viewDidDisappear(_ animated: Bool) {}

    open var preferredStatusBarStyle: UIStatusBarStyle { .default }
    open var prefersStatusBarHidden: Bool { false }
    open var prefersHomeIndicatorAutoHidden: Bool { false }
    open var preferredScreenEdgesDeferringSystemGestures: UIRectEdge { [] }
    open var supportedInterfaceOrientations: UIInterfaceOrientationMask { .allButUpsideDown }
    open var shouldAutorotate: Bool { true }
    open var childForStatusBarStyle: UIViewController? { nil }
    open var childForStatusBarHidden: UIViewController? { nil }
    open var childForHomeIndicatorAutoHidden: UIViewController? { nil }

    public func addChild(_ child: UIViewController) {
        children.append(child)
        child.parent = self
    }
    open func didMove(toParent parent: UIViewController?) {}
    open func willMove(toParent parent: UIViewController?) {}
    public func removeFromParent() {
        parent?.children.removeAll { $0 === self }
        parent = nil
    }

    /// A sheet leaves its presenter in place, which hears nothing; a full screen takes it away [13].
    public func present(_ controller: UIViewController, animated: Bool) {
        presentedViewController = controller
        controller.presentingViewController = self
        if controller.modalPresentationStyle == .fullScreen { disappear() }
        controller.appear()
    }

    public func dismiss(animated: Bool) {
        let drag = beginDrag()
        drag.end(isCancelled: false)
    }

    /// The user drags the sheet down; it is not decided yet whether far enough [12].
    public func beginDrag() -> InteractiveTransition {
        guard let controller = presentedViewController else { return InteractiveTransition { _ in } }
        controller.isBeingDismissed = true
        controller.willDisappear()
        return InteractiveTransition { [self] isCancelled in
            if isCancelled {
                controller.isBeingDismissed = false
                controller.appear()
                return
            }
            controller.didDisappear()
            controller.isBeingDismissed = false
            presentedViewController = nil
            if controller.modalPresentationStyle == .fullScreen { appear() }
        }
    }

    /// Appearance reaches the children too, as in a container that forwards it.
    func appear() {
        _ = view
        willAppear()
        didAppear()
        view.tellMoved()
    }
    func willAppear() {
        isVisible = true
        viewWillAppear(false)
        for child in visibleChildren { child.willAppear() }
    }
    func didAppear() {
        viewDidAppear(false)
        for child in visibleChildren { child.didAppear() }
    }
    func disappear() {
        guard isVisible else { return }
        willDisappear()
        didDisappear()
    }
    func willDisappear() {
        viewWillDisappear(false)
        for child in visibleChildren { child.willDisappear() }
    }
    func didDisappear() {
        isVisible = false
        // The view is out of the window before it is told [39].
        view.tellLeft()
        viewDidDisappear(false)
        for child in visibleChildren { child.didDisappear() }
    }

    var visibleChildren: [UIViewController] { children }
}

/// A transition that follows a finger: finished or called off.
@MainActor
public final class InteractiveTransition {
    private let body: (Bool) -> Void
    init(_ body: @escaping (Bool) -> Void) { self.body = body }
    public func end(isCancelled: Bool) { body(isCancelled) }
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
        old?.disappear()
        if isVisible { controller.appear() }
    }

    public func popViewController(animated: Bool) { beginBackSwipe().end(isCancelled: false) }

    /// The user swipes back; whether far enough is not decided yet. Called off, the screen below disappears again and the one
    /// above appears, without having disappeared [11].
    public func beginBackSwipe() -> InteractiveTransition {
        guard viewControllers.count > 1, let old = viewControllers.popLast() else {
            return InteractiveTransition { _ in }
        }
        old.isMovingFromParent = true
        old.willDisappear()
        let below = topViewController
        below?.willAppear()
        return InteractiveTransition { [self] isCancelled in
            if isCancelled {
                old.isMovingFromParent = false
                viewControllers.append(old)
                below?.willDisappear()
                below?.didDisappear()
                old.willAppear()
                old.didAppear()
                return
            }
            old.didDisappear()
            old.isMovingFromParent = false
            old.removeFromParent()
            below?.didAppear()
        }
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
            viewControllers[oldValue].disappear()
            viewControllers[selectedIndex].appear()
        }
    }
    override var visibleChildren: [UIViewController] {
        viewControllers.indices.contains(selectedIndex) ? [viewControllers[selectedIndex]] : []
    }
}
