// SPDX-License-Identifier: Apache-2.0
//
// Names and meanings are those of Apple's documentation, which is not repeated here. Not Apple's SwiftUI: only so much of it that the adapters and
// the quick start compile, and that what SwiftUI calls can be called by a test.
// swift-format-ignore-file: AllPublicDeclarationsHaveDocumentation

public import UIKit

@MainActor
@preconcurrency
public protocol View {
    associatedtype Body: View
    @ViewBuilder var body: Body { get }
}

extension Never: View {
    public var body: Never { self }
}

public protocol PrimitiveView: View where Body == Never {}
extension PrimitiveView {
    public var body: Never { preconditionFailure("has no body") }
}

@MainActor
@resultBuilder
public enum ViewBuilder {
    public static func buildExpression<Content: View>(_ content: Content) -> Content { content }
    public static func buildBlock() -> EmptyView { EmptyView() }
    public static func buildBlock<Content: View>(_ content: Content) -> Content { content }
    public static func buildBlock<each Content: View>(
        _ content: repeat each Content
    ) -> TupleView<(repeat each Content)> {
        TupleView((repeat each content))
    }
}

public struct EmptyView: PrimitiveView {
    public init() {}
}
public struct TupleView<Content>: PrimitiveView {
    public let value: Content
    public init(_ value: Content) { self.value = value }
}
public struct Text: PrimitiveView {
    public let text: String
    public init(_ text: String) { self.text = text }
}
public struct VStack<Content: View>: PrimitiveView {
    public let content: Content
    public init(@ViewBuilder content: () -> Content) { self.content = content() }
}
/// A view with something done to it; what was done can be asked for.
public struct ModifiedView<Content: View>: PrimitiveView {
    public let content: Content
    public let addition: Any
}

extension View {
    public func privacySensitive(_ sensitive: Bool = true) -> some View {
        ModifiedView(content: self, addition: "privacySensitive")
    }
    public func background<Content: View>(_ content: Content) -> some View {
        ModifiedView(content: self, addition: content)
    }
    public func overlay<Content: View>(_ content: Content) -> some View {
        ModifiedView(content: self, addition: content)
    }
    public func task(_ action: @escaping @MainActor () async -> Void) -> some View {
        ModifiedView(content: self, addition: action)
    }
    public func frame(width: Double? = nil, height: Double? = nil) -> some View {
        ModifiedView(content: self, addition: "frame")
    }
    public func allowsHitTesting(_ enabled: Bool) -> some View {
        ModifiedView(content: self, addition: "allowsHitTesting")
    }
}

/// Kept by SwiftUI for as long as the view is on the screen, however often that is made anew.
@propertyWrapper
public struct State<Value> {
    private final class Storage {
        var value: Value
        init(_ value: Value) { self.value = value }
    }
    private let storage: Storage
    public init(wrappedValue: Value) { storage = Storage(wrappedValue) }
    public var wrappedValue: Value {
        get { storage.value }
        nonmutating set { storage.value = newValue }
    }
}

public struct Binding<Value> {
    private let get: @MainActor () -> Value
    private let set: @MainActor (Value) -> Void
    public init(get: @escaping @MainActor () -> Value, set: @escaping @MainActor (Value) -> Void) {
        (self.get, self.set) = (get, set)
    }
    @MainActor
    public var wrappedValue: Value {
        get { get() }
        nonmutating set { set(newValue) }
    }
}

/// A scene's content is made when the scene is first shown, and not before [40].
@MainActor
@preconcurrency
public protocol Scene {
    /// The contents of the groups in it, each unmade.
    var windows: [@MainActor () -> Void] { get }
}
public struct WindowGroup<Content: View>: Scene {
    public let content: () -> Content
    public init(@ViewBuilder content: @escaping () -> Content) { self.content = content }
    public init(_ title: String, @ViewBuilder content: @escaping () -> Content) { self.content = content }
    public init(id: String, @ViewBuilder content: @escaping () -> Content) { self.content = content }
    public var windows: [@MainActor () -> Void] { [{ _ = content() }] }
}
public struct SceneGroup<each Content: Scene>: Scene {
    let scenes: (repeat each Content)
    public var windows: [@MainActor () -> Void] {
        var all: [@MainActor () -> Void] = []
        for scene in repeat each scenes { all += scene.windows }
        return all
    }
}
@MainActor
@resultBuilder
public enum SceneBuilder {
    public static func buildExpression<Content: Scene>(_ content: Content) -> Content { content }
    public static func buildBlock<Content: Scene>(_ content: Content) -> Content { content }
    public static func buildBlock<each Content: Scene>(
        _ content: repeat each Content
    ) -> SceneGroup<repeat each Content> {
        SceneGroup(scenes: (repeat each content))
    }
}
@MainActor
public protocol App {
    associatedtype Body: Scene
    @SceneBuilder var body: Body { get }
    init()
}
extension App {
    /// What SwiftUI does with the app before there is a scene: makes it, and evaluates its body [40]. Returns the contents of its groups, which
    /// are made when a scene of theirs is shown.
    public static func begin() -> [@MainActor () -> Void] { Self().body.windows }
    /// What `@main` calls.
    public static func main() { _ = begin() }
}

@MainActor
public struct UIViewRepresentableContext<Representable: UIViewRepresentable> {
    public let coordinator: Representable.Coordinator
    public init(coordinator: Representable.Coordinator) { self.coordinator = coordinator }
}
@MainActor
@preconcurrency
public protocol UIViewRepresentable: PrimitiveView {
    associatedtype UIViewType: UIView
    associatedtype Coordinator = Void
    typealias Context = UIViewRepresentableContext<Self>
    func makeCoordinator() -> Coordinator
    func makeUIView(context: Context) -> UIViewType
    func updateUIView(_ view: UIViewType, context: Context)
    static func dismantleUIView(_ view: UIViewType, coordinator: Coordinator)
}
extension UIViewRepresentable {
    public static func dismantleUIView(_ view: UIViewType, coordinator: Coordinator) {}
}
extension UIViewRepresentable where Coordinator == Void {
    public func makeCoordinator() {}
}

@MainActor
public struct UIViewControllerRepresentableContext<Representable: UIViewControllerRepresentable> {
    public init() {}
}
@MainActor
@preconcurrency
public protocol UIViewControllerRepresentable: PrimitiveView {
    associatedtype UIViewControllerType: UIViewController
    typealias Context = UIViewControllerRepresentableContext<Self>
    func makeUIViewController(context: Context) -> UIViewControllerType
    func updateUIViewController(_ controller: UIViewControllerType, context: Context)
}
