// SPDX-License-Identifier: Apache-2.0

package import AuditModel
package import Findings

/// R2: nothing hides the screens before the system takes its picture for the app switcher.
package struct Cover: Rule {
    package init() {}

    package static let description = RuleDescription(
        id: "snapshot-cover", category: "R2", title: "Nothing covers the screen in the app switcher",
        explanation: """
            When an app leaves the foreground, the system takes a picture of what it shows, keeps it as a file and shows it in the app switcher. An app with secrets has to cover its screens when it resigns active. The rule fires once per \
            app, if no handler of that moment (of the application, the scene, a notification or scenePhase) leads within two calls to a cover: a view put on top, a window, another root controller, a blur or an overlay \
            bound to state that the handler sets; and if the cover is gone again before the picture: taken away as the app enters the background, after a time, or bound to the phase between. A handler that only stops timers is none, `privacySensitive` and `redacted` do nothing here.
            """,
        masvs: "MASVS-PLATFORM-3", cwe: 200,
        plainRemedy: """
            func sceneWillResignActive(_ scene: UIScene) {
                window?.addSubview(cover)
            }
            func sceneDidBecomeActive(_ scene: UIScene) {
                cover.removeFromSuperview()
            }
            """,
        zamokRemedy: """
            let screen = PrivacyScreen.install(policy: policy)  // at the start: covers every window when the app resigns
            """)

    package func examine(_ project: ProjectModel) -> [Finding] {
        let homes = CoverSearch(project).homes
        guard homes.count > 1 else { return examine(CoverSearch(project)) }
        return homes.flatMap { home in examine(CoverSearch(project, home: home, among: homes)) }
    }

    private func examine(_ search: CoverSearch) -> [Finding] {
        guard let place = search.place, search.hasSecrets else { return [] }
        let handlers = search.handlers()
        let byPhase = search.phaseCovers()
        let onlyInactive = byPhase ? search.phaseCoversInactiveOnly() : nil
        if byPhase, onlyInactive == nil { return [] }
        let covering = handlers.filter { search.covers($0) }
        // The system takes its picture after the handlers of the background have returned.
        if !covering.isEmpty {
            return search.earlyRemoval(of: covering, among: handlers).map { early in
                [Finding(Self.description.id, at: place, early.message, chain: early.chain)]
            } ?? []
        }
        if let onlyInactive {
            return [
                Finding(
                    Self.description.id, at: place,
                    "The cover is there while the app is inactive and gone in the background, where the system takes its picture.",
                    chain: [Step("it hangs on this phase alone", at: onlyInactive)])
            ]
        }
        let chain = handlers.prefix(3).map { Step("\($0.name) covers nothing", at: $0.place) }
        let message =
            if let mistake = handlers.first(where: { search.coversKeyWindow($0) }) {
                "\(mistake.name) covers keyWindow alone, which need not be the window that is seen."
            } else if handlers.isEmpty {
                "Nothing covers the app's screens before the system's snapshot: no handler for it anywhere in the app."
            } else {
                "Nothing covers the app's screens before the system's snapshot, although the app handles that moment."
            }
        return [Finding(Self.description.id, at: place, message, chain: chain)]
    }
}

/// The search for a cover in one project.
struct CoverSearch {
    let project: ProjectModel

    /// The folder of the app that is asked about, where the tree has several; and those of all.
    private let home: String?
    private let among: [String]

    init(_ project: ProjectModel, home: String? = nil, among: [String] = []) {
        self.project = project
        self.home = home
        self.among = among
    }

    /// The folders of the Xcode projects that have an app each.
    var homes: [String] {
        let projects = project.resources.signing.map { folder(of: folder(of: $0.path)) }
        let apps = project.types.values.filter { type in
            guard !isElsewhere(type) else { return false }
            return type.attribute("main") != nil && project.inherits(type, from: "App")
                || project.inherits(type, from: "UIApplicationDelegate")
        }
        return Set(apps.compactMap { Self.home(of: $0.place.file, among: projects) }).sorted()
    }

    private func folder(of path: String) -> String { String(path[..<(path.lastIndex(of: "/") ?? path.startIndex)]) }

    private static func home(of file: String, among homes: [String]) -> String? {
        homes.filter { $0.isEmpty || file.hasPrefix($0 + "/") }.max { $0.utf8.count < $1.utf8.count }
    }

    /// Whether a file belongs to the app, or to none of the tree's apps.
    private func isOwn(_ file: String) -> Bool {
        guard let home else { return true }
        return Self.home(of: file, among: among).map { $0 == home } ?? true
    }

    private static let moments: Set<String> = [
        "applicationWillResignActive", "sceneWillResignActive", "applicationDidEnterBackground",
        "sceneDidEnterBackground",
    ]
    private static let notifications: Set<String> = [
        "willResignActiveNotification", "didEnterBackgroundNotification", "willDeactivateNotification",
        "UIApplicationWillResignActive",
        "UIApplicationDidEnterBackground",
    ]

    // MARK: Where the app begins

    /// The resign method or the type where the app begins; nil if the project has no app for a phone.
    var place: Place? {
        let types = project.types.values.filter { !isElsewhere($0) && isOwn($0.place.file) }
        let apps = types.filter { $0.attribute("main") != nil && project.inherits($0, from: "App") }
        if let app = main(of: apps) { return app.place }
        let scene = main(
            of: types.filter { type in
                ["UIWindowSceneDelegate", "UISceneDelegate"].contains { project.inherits(type, from: $0) }
            })
        let delegates = types.filter { project.inherits($0, from: "UIApplicationDelegate") }
        let marked = delegates.filter { type in ["main", "UIApplicationMain"].contains { type.attribute($0) != nil } }
        let delegate = main(of: marked.isEmpty ? delegates : marked)
        if let function = scene?.functions["sceneWillResignActive"]?.first { return function.place }
        if let function = delegate?.functions["applicationWillResignActive"]?.first { return function.place }
        return (delegate ?? scene)?.place
    }

    /// Of several targets' types, that of the target with the most sources.
    private func main(of types: [TypeModel]) -> TypeModel? {
        guard types.count > 1 else { return types.first }
        let sources = Dictionary(grouping: project.swift) { Self.target(of: $0.path) }.mapValues(\.count)
        func weight(_ type: TypeModel) -> Int {
            let words = SecretWords.words(of: type.shortName)
            let isAside = words.contains("external") || words.contains("carplay") || words.contains("car")
            return isAside ? 0 : 1 + (Self.target(of: type.place.file).flatMap { sources[$0] } ?? 0)
        }
        return types.map { ($0, weight($0)) }.max { ($0.1, $1.0.place) < ($1.1, $0.0.place) }?.0
    }

    /// The folder that a target's sources are below; nil for those that lie in none.
    private static func target(of path: String) -> Substring? { path.firstIndex(of: "/").map { path[..<$0] } }

    /// A watch, a Mac or an extension has no card in the switcher.
    private func isElsewhere(_ type: TypeModel) -> Bool {
        let path = type.place.file.lowercased()
        if path.contains("watch") || path.contains("macos") || path.contains("/mac/") || path.contains("extension/") {
            return true
        }
        let folders = path.split(separator: "/").dropLast()
        if folders.contains(where: { SecretWords.words(of: $0).contains { ["tv", "tvos"].contains($0) } }) {
            return true
        }
        if folders.contains(where: { ["demo", "example", "examples", "sample", "samples"].contains($0) }) {
            return true
        }
        let imports = project.swift(type.place.file)?.imports ?? []
        return imports.contains("WatchKit") || imports.contains("AppKit") || imports.contains("Cocoa")
    }

    /// Whether the app shows or holds anything that is nobody else's business.
    var hasSecrets: Bool {
        if project.resources.interfaces.contains(where: { $0.fields.contains(where: \.isSecure) }) { return true }
        if !project.calls(to: "SecItemAdd").isEmpty || !project.calls(to: "SecureField").isEmpty { return true }
        let secured = project.assignments(to: "isSecureTextEntry")
        if secured.contains(where: { if case .boolean(true) = $0.value.kind { true } else { false } }) { return true }
        return project.types.values.contains { $0.properties.keys.contains { SecretWords.kind(ofName: $0) != nil } }
    }

    // MARK: What happens at the moment

    /// The functions that run when the app leaves the foreground.
    func handlers() -> [Function] {
        var result = project.functions.filter { Self.moments.contains($0.name) && $0.kind == .function }
        for function in project.functions {
            for call in function.calls where mentionsMoment(call) {
                for argument in call.arguments {
                    if case .closure(let closure) = argument.value.kind {
                        result.append(function.part(closure, argument.value.span))
                    }
                    if case .macro("selector", let arguments) = argument.value.kind,
                        let name = arguments.first?.value.lastName
                    {
                        result += function.owner.flatMap { project.type($0) }?.functions[name] ?? []
                    }
                }
                // `publisher(for: ...).sink { }` and `.onReceive(...) { }`
                if call.name == "onReceive" || call.name == "sink" || call.name == "onChange" { continue }
            }
        }
        return result.filter { isOwn($0.file) }.sorted { $0.place < $1.place }
    }

    private func mentionsMoment(_ call: CallSite) -> Bool {
        var found = false
        func look(_ expression: Expression) {
            expression.visit { part in
                if case .closure = part.kind { return }
                if let name = part.lastName, Self.notifications.contains(name) { found = true }
                if case .member(_, let name) = part.kind, name == "scenePhase" { found = true }
                if case .name("scenePhase") = part.kind { found = true }
            }
        }
        guard
            ["addObserver", "onReceive", "sink", "onChange", "notifications", "listen", "publisher"].contains(call.name)
        else { return false }
        for argument in call.plainArguments { look(argument.value) }
        if call.name == "sink", let receiver = call.receiver { look(receiver) }
        return found
    }

    /// Whether a handler covers the screen, itself, through at most three calls, or through state that a view shows.
    func covers(_ handler: Function) -> Bool {
        project.functionsReached(from: handler, hops: 3).contains { function in
            var found = false
            function.body.visit { part in if !found { found = isCover(part, in: function) } }
            return found
        }
    }

    /// Whether a handler of the background alone.
    func comesLate(_ handler: Function) -> Bool {
        if ["applicationDidEnterBackground", "sceneDidEnterBackground"].contains(handler.name) { return true }
        var moments = Set<String>()
        func note(_ part: Expression) {
            guard let name = part.lastName else { return }
            if Self.notifications.contains(name) || Self.moments.contains(name) { moments.insert(name) }
        }
        // A closure or a selector is known by the call that registers it.
        for function in project.functions where function.file == handler.file {
            for call in function.calls where mentionsMoment(call) && registers(call, handler) {
                for argument in call.plainArguments { argument.value.visit(note) }
                if let receiver = call.receiver { receiver.visit(note) }
            }
        }
        let late: Set<String> = ["didEnterBackgroundNotification", "UIApplicationDidEnterBackground"]
        return !moments.isEmpty && moments.isSubset(of: late)
    }

    private func registers(_ call: CallSite, _ handler: Function) -> Bool {
        call.arguments.contains { argument in
            switch argument.value.kind {
            case .closure: argument.value.span == handler.span
            case .macro("selector", let names): names.first?.value.lastName == handler.name
            default: false
            }
        }
    }

    /// Whether a handler puts something on keyWindow, which may be the keyboard's or an alert's, or none.
    func coversKeyWindow(_ handler: Function) -> Bool {
        project.functionsReached(from: handler, hops: 3).contains(where: addsToKeyWindow)
    }

    private func addsToKeyWindow(_ function: Function) -> Bool {
        var found = false
        function.body.visit { part in
            if case .call(let callee, _) = part.kind, isOnKeyWindow(callee, in: function) { found = true }
        }
        return found
    }

    private func isOnKeyWindow(_ callee: Expression, in function: Function) -> Bool {
        guard case .member(let base?, let name) = callee.kind, ["addSubview", "insertSubview"].contains(name) else {
            return false
        }
        var isKey = false
        func look(_ expression: Expression) {
            expression.visit { part in
                if let name = part.lastName, name == "keyWindow" || name == "isKeyWindow" { isKey = true }
            }
        }
        look(base)
        if let root = base.root, let value = project.scope(of: function).constants[root] { look(value) }
        return isKey
    }

    private func isCover(_ part: Expression, in function: Function) -> Bool {
        switch part.kind {
        case .call(let callee, _):
            guard let name = callee.lastName, !isOnKeyWindow(callee, in: function) else { return false }
            if ["addSubview", "insertSubview", "bringSubviewToFront", "makeKeyAndVisible"].contains(name) {
                return true
            }
            if name == "UIVisualEffectView" || name == "UIBlurEffect" { return !addsToKeyWindow(function) }
            if name == "present" || name == "setRootViewController" || name == "UIWindow" { return true }
            // A cover of a library, or of the project where it can't be followed.
            let words = SecretWords.words(of: name)
            return !Self.coverWords.isDisjoint(with: words)
                && words.first.map {
                    ["show", "add", "present", "apply", "display", "enable", "blur", "cover", "hide", "set"].contains(
                        $0)
                } == true
                && !words.contains("keyboard") && !words.contains("hud") && !words.contains("indicator")
        case .binary("=", let target, let value):
            guard let name = target.lastName else { return false }
            if name == "rootViewController" || name == "windowLevel" { return true }
            if name == "isHidden" || name == "alpha", case .member(let base?, _) = target.kind {
                let words = SecretWords.words(of: base.dotted)
                return !Self.coverWords.isDisjoint(with: words) || words.contains("window")
            }
            // What an initializer sets is no change of what is shown.
            guard function.kind != .initializer else { return false }
            switch value.kind {
            case .boolean, .unary("!", _), .member(nil, _), .name, .choice: return showsCover(name)
            case .binary(let operation, _, _): return ["==", "!=", "&&", "||"].contains(operation) && showsCover(name)
            default: return false
            }
        default: return false
        }
    }

    private static let coverWords: Set<String> = [
        "blur", "cover", "privacy", "obscure", "obscured", "curtain", "shield", "overlay", "splash", "mask", "protect",
        "protection", "snapshot", "screen", "lockscreen", "effect",
    ]

    // MARK: SwiftUI's state

    /// Whether a view's look hangs on a property: an overlay, a blur or a branch that shows another view.
    func showsCover(_ state: String) -> Bool {
        guard state != "_", state.count > 2 else { return false }
        return project.functions.contains { function in
            guard function.kind == .getter, let owner = function.owner.flatMap({ project.type($0) }),
                function.name == "body" || function.returns?.hasPrefix("some ") == true,
                project.inherits(owner, where: { ["View", "App", "Scene", "ViewModifier"].contains($0) })
            else { return false }
            return looksBy(state, function.body)
        } || project.functions.contains { $0.name == "body" && $0.kind == .function && looksBy(state, $0.body) }
    }

    private func looksBy(_ state: String, _ body: [Statement]) -> Bool {
        var found = false
        func mentions(_ expression: Expression) -> Bool {
            var hit = false
            expression.visit { part in
                switch part.kind {
                case .name(let name): hit = hit || name == state || name == "$" + state
                case .member(_, let name): hit = hit || name == state || name == "$" + state
                default: break
                }
            }
            return hit
        }
        func branches(_ statements: [Statement]) {
            statements.visitStatements { statement in
                guard case .branch(let branch) = statement.kind, !branch.isGuard else { return }
                if branch.conditions.contains(where: { $0.expressions.contains(where: mentions) }) { found = true }
            }
        }
        // What a closure does when something happens is no look.
        var actions: [SourceSpan] = []
        body.visit { part in
            guard case .call(let callee, let arguments) = part.kind, let name = callee.lastName,
                Self.events.contains(name) || name == "Button"
            else { return }
            for argument in arguments where name != "Button" || argument.label == nil || argument.label == "action" {
                if case .closure = argument.value.kind { actions.append(argument.value.span) }
            }
        }
        branches(body)
        body.visit { part in
            guard !found, !actions.contains(where: { $0.start <= part.span.start && part.span.end <= $0.end }) else {
                return
            }
            switch part.kind {
            case .call(let callee, _) where Self.events.contains(callee.lastName ?? ""): return
            case .call(let callee, let arguments):
                guard let name = callee.lastName, Self.looks.contains(name) else {
                    for argument in arguments {
                        if case .closure(let closure) = argument.value.kind { branches(closure.body) }
                    }
                    return
                }
                if arguments.contains(where: { mentions($0.value) }) { found = true }
            default: break
            }
        }
        return found
    }

    private static let events: Set<String> = [
        "onChange", "onReceive", "onAppear", "onDisappear", "task", "onTapGesture", "onLongPressGesture", "onSubmit",
        "refreshable", "onOpenURL", "onContinueUserActivity", "Task", "sink", "onHover", "onDrop", "onCommand",
        "perform",
    ]
    private static let looks: Set<String> = [
        "overlay", "blur", "opacity", "fullScreenCover", "background", "zIndex", "hidden", "privacyScreen",
    ]

    /// Whether a view's look hangs on scenePhase itself.
    func phaseCovers() -> Bool { showsCover("scenePhase") || !project.calls(to: "privacyScreen").isEmpty }
}

extension Function {
    /// A closure of the function as a function of its own.
    package func part(_ closure: Closure, _ span: SourceSpan) -> Function {
        Function(name: name, kind: .function, body: closure.body, owner: owner, file: file, span: span)
    }
}
