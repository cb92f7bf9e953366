# SPDX-License-Identifier: Apache-2.0
"""How a value travels from where it comes from to where it leaks. A carry is a function of the value's expression and of a sink, which makes a
statement of an expression; it gives back the statements of the function, members of the type, declarations of the file, and other files."""

CARRIES = {}


def carry(name):
    def note(function):
        CARRIES[name] = function
        return function
    return note


def made(body, members="", top="", files=None):
    return {"body": body, "members": members, "top": top, "files": files or {}}


def simple(name, body, members="", top="", file=""):
    """A carry by a text: $X is the value; the last line's $S(...) is the sink."""
    def write(x, sink):
        out = []
        for line in body.strip("\n").split("\n"):
            if "$S(" in line:
                start = line.index("$S(")
                level, end = 0, start + 2
                while True:
                    level += {"(": 1, ")": -1}.get(line[end], 0)
                    if not level:
                        break
                    end += 1
                line = line[:start] + sink(line[start + 3:end]) + line[end + 1:]
            out.append(line.replace("$X", x))
        return made("\n".join(out), members.replace("$X", x), top, {"Other.swift": file} if file else {})
    CARRIES[name] = write


simple("alias", "let item = $X\n$S(item)")
simple("two aliases", "let item = $X\nlet next = item\n$S(next)")
simple("if let", "let maybe: String? = $X\nif let found = maybe { $S(found) }")
simple("guard let", "guard let found = Optional($X) else { return }\n$S(found)")
simple("tuple's first", "let pair = ($X, 3)\n$S(pair.0)")
simple("tuple's label", "let pair = (text: $X, size: 3)\n$S(pair.text)")
simple("tuple taken apart", "let (first, _) = ($X, 3)\n$S(first)")
simple("element of an array", "let list = [$X]\n$S(list[0])")
simple("first of an array", "let list = [$X]\nif let first = list.first { $S(first) }")
simple("appended and joined", "var list: [String] = []\nlist.append($X)\n$S(list.joined(separator: \"-\"))")
simple("dictionary's element", "let bag = [\"v\": $X]\n$S(bag[\"v\"] ?? \"\")")
simple("dictionary that is set", "var bag: [String: String] = [:]\nbag[\"v\"] = $X\n$S(bag[\"v\", default: \"\"])")
simple("dictionary as a whole", "var bag: [String: Any] = [:]\nbag[\"v\"] = $X\n$S(\"\\(bag)\")")
simple("interpolated", "let line = \"v=\\($X)\"\n$S(line)")
simple("formatted", "let line = String(format: \"%@ / %d\", $X, 3)\n$S(line)")
simple("added", "var line = \"v\"\nline += $X\n$S(line)")
simple("summed", "let line = \"v\" + \"=\" + $X\n$S(line)")
simple("chosen", "let item = ready ? $X : \"\"\n$S(item)", "var ready = true")
simple("assigned in a branch", "var item = \"\"\nif ready { item = $X }\n$S(item)", "var ready = true")
simple("switch as a value", "let item = switch mode { case 0: \"\"\ndefault: $X }\n$S(item)", "var mode = 1")
simple("assigned in a switch", "var item: String\nswitch mode {\ncase 0: item = \"\"\ndefault: item = $X\n}\n$S(item)", "var mode = 1")
simple("closure called at once", "let item: String = { $X }()\n$S(item)")
simple("closure kept", "let make = { $X }\n$S(make())")
simple("closure with a parameter", "let put: (String) -> Void = { each in $S(each) }\nput($X)")
simple("closure with a short parameter", "let put: (String) -> Void = { $S($0) }\nput($X)")
simple("function that gives it back", "$S(same($X))", "func same(_ item: String) -> String { item }")
simple("two functions that give it back", "$S(outer($X))",
       "func outer(_ item: String) -> String { inner(item) }\nfunc inner(_ item: String) -> String { return item.trimmingCharacters(in: .whitespaces) }")
simple("function of another file", "$S(Tidy.line($X))", file="enum Tidy { static func line(_ item: String) -> String { item.trimmingCharacters(in: .whitespaces) } }")
simple("two files", "$S(Tidy.line($X))", file="enum Tidy { static func line(_ item: String) -> String { Neat.row(item) } }\nenum Neat { static func row(_ item: String) -> String { \"<\" + item + \">\" } }")
simple("method of String", "$S($X.neat())", top="extension String { func neat() -> String { trimmingCharacters(in: .newlines) } }")
simple("member of String", "$S($X.neat)", top="extension String { var neat: String { self.trimmingCharacters(in: .newlines) } }")
simple("generic function", "$S(echo($X))", "func echo<T>(_ item: T) -> T { item }")
simple("generic box", "let box = Box(held: $X)\n$S(box.held)", top="struct Box<T> { let held: T }")
simple("generic box of another file", "let box = Box($X)\n$S(box.held)", file="final class Box<T> { let held: T\n    init(_ held: T) { self.held = held } }")
simple("protocol and its implementation", "let step: any Step = Plain()\n$S(step.apply($X))",
       top="protocol Step { func apply(_ item: String) -> String }\nstruct Plain: Step { func apply(_ item: String) -> String { item } }")
simple("enum's payload", "let event = Event.typed($X)\nif case .typed(let item) = event { $S(item) }", top="enum Event { case typed(String), none }")
simple("enum's payload in a switch", "let event = Event.typed($X)\nswitch event {\ncase .typed(let item): $S(item)\ncase .none: break\n}", top="enum Event { case typed(String), none }")
simple("bytes", "let bytes = Data($X.utf8)\n$S(String(decoding: bytes, as: UTF8.self))")
simple("bytes by an encoding", "guard let bytes = $X.data(using: .utf8), let back = String(data: bytes, encoding: .utf8) else { return }\n$S(back)")
simple("base64", "let line = Data($X.utf8).base64EncodedString()\n$S(line)")
simple("hex", "let line = Data($X.utf8).map { String(format: \"%02x\", $0) }.joined()\n$S(line)")
simple("encoded by Codable", "let bytes = try? JSONEncoder().encode(Parcel(item: $X))\n$S(String(data: bytes ?? Data(), encoding: .utf8) ?? \"\")", top="struct Parcel: Codable { var item: String }")
simple("encoded by JSONSerialization", "let bytes = try? JSONSerialization.data(withJSONObject: [\"v\": $X])\n$S(String(data: bytes ?? Data(), encoding: .utf8) ?? \"\")")
simple("encoded by another file", "let line = Coder.json([\"v\": $X])\n$S(line)", file="enum Coder { static func json(_ bag: [String: Any]) -> String {\n    guard let bytes = try? JSONSerialization.data(withJSONObject: bag) else { return \"\" }\n    return String(decoding: bytes, as: UTF8.self) } }")
simple("async function", "let start = $X\nTask {\n    let item = await fetch(start)\n    $S(item)\n}", "func fetch(_ item: String) async -> String { await Task.yield()\n    return item }")
simple("task", "let item = $X\nTask { @MainActor in $S(item) }")
simple("task's value", "let job = Task { $X }\nTask { let item = await job.value\n    $S(item) }")
simple("dispatched", "let item = $X\nDispatchQueue.main.async { $S(item) }")
simple("Combine", "Just($X).map { \"v\" + $0 }.sink { item in $S(item) }.store(in: &bag)", "var bag = Set<AnyCancellable>()", "import Combine")
simple("subject", "subject.sink { item in $S(item) }.store(in: &bag)\nsubject.send($X)", "var bag = Set<AnyCancellable>()\nlet subject = PassthroughSubject<String, Never>()", "import Combine")
simple("published", "$shown.dropFirst().sink { item in $S(item) }.store(in: &bag)\nshown = $X", "var bag = Set<AnyCancellable>()\n@Published var shown = \"\"", "import Combine")
simple("completion", "load($X) { item in $S(item) }", "func load(_ item: String, done: @escaping (String) -> Void) { done(item) }")
simple("completion of another file", "Loader().load($X) { item in $S(item) }", file="final class Loader { func load(_ item: String, done: @escaping (String) -> Void) { DispatchQueue.main.async { done(item) } } }")
simple("result", "let result: Result<String, Error> = .success($X)\nif let item = try? result.get() { $S(item) }")
simple("result's case", "let result: Result<String, Error> = .success($X)\nswitch result {\ncase .success(let item): $S(item)\ncase .failure: break\n}")
simple("mapped optional", "let item = Optional($X).map { $0.lowercased() }\n$S(item ?? \"\")")
simple("compactMap", "let items = [Optional($X)].compactMap { $0 }\n$S(items.joined())")
simple("reduced", "let item = $X.reduce(\"\") { $0 + String($1) }\n$S(item)")
simple("reversed", "$S(String($X.reversed()))")
simple("inout", "var item = \"\"\nfill(&item, $X)\n$S(item)", "func fill(_ item: inout String, _ given: String) { item = given }")
simple("deferred", "let item = $X\ndefer { $S(item) }")
simple("function inside", "func put(_ item: String) { $S(item) }\nput($X)")
simple("loop", "for item in [$X, \"\"] { $S(item) }")
simple("forEach", "[$X].forEach { item in $S(item) }")
simple("forEach, short", "[$X].forEach { $S($0) }")
simple("throwing function", "guard let item = try? checked($X) else { return }\n$S(item)", "func checked(_ item: String) throws -> String { if item.isEmpty { throw CancellationError() }\n    return item }")
simple("do and catch", "do {\n    let item = try checked($X)\n    $S(item)\n} catch { return }", "func checked(_ item: String) throws -> String { item }")
simple("attributed", "let rich = NSAttributedString(string: $X)\n$S(rich.string)")
simple("described", "$S(String(describing: $X))")
simple("cast", "let item = $X as Any\nif let line = item as? String { $S(line) }")
simple("NSString", "let item = $X as NSString\n$S(item as String)")
simple("default of nil", "let item: String? = nil\n$S(item ?? $X)")
simple("operator", "$S(\"v\" <> $X)", top="infix operator <>\nfunc <> (left: String, right: String) -> String { left + right }")
simple("subscript", "$S(Wrap()[$X])", top="struct Wrap { subscript(item: String) -> String { item } }")
simple("callAsFunction", "let step = Step()\n$S(step($X))", top="struct Step { func callAsFunction(_ item: String) -> String { item } }")
simple("builder", "let line = Builder().with($X).build()\n$S(line)", top="final class Builder { private var item = \"\"\n    func with(_ item: String) -> Builder { self.item = item\n        return self }\n    func build() -> String { item } }")
simple("builder of another file", "let line = Builder().with($X).line\n$S(line)", file="final class Builder { private var item = \"\"\n    @discardableResult func with(_ item: String) -> Self { self.item = item\n        return self }\n    var line: String { \"<\\(item)>\" } }")
simple("result builder", "let line = lines { $X\n\"v\" }\n$S(line)", top="@resultBuilder enum Lines { static func buildBlock(_ parts: String...) -> String { parts.joined() } }\nfunc lines(@Lines _ make: () -> String) -> String { make() }")
simple("property", "held = $X\nflush()\n}\nfunc flush() {\n    $S(held)", "var held = \"\"")
simple("optional property", "held = $X\nflush()\n}\nfunc flush() {\n    guard let item = held else { return }\n    $S(item)", "var held: String?")
simple("dictionary as a property", "held[\"v\"] = $X\nflush()\n}\nfunc flush() {\n    $S(held[\"v\"] ?? \"\")", "var held: [String: String] = [:]")
simple("array as a property", "held.append($X)\nflush()\n}\nfunc flush() {\n    $S(held.last ?? \"\")", "var held: [String] = []")
simple("computed property", "held = $X\n$S(shown)", "var held = \"\"\nvar shown: String { \"v \" + held }")
simple("lazy property", "held = $X\n$S(shown)", "var held = \"\"\nlazy var shown: String = held")
simple("didSet", "held = $X\n}\nvar held = \"\" {\n    didSet { $S(held) }")
simple("willSet", "held = $X\n}\nvar held = \"\" {\n    willSet { $S(newValue) }")
simple("setter", "held = $X\n}\nvar held: String {\n    get { \"\" }\n    set { $S(newValue) }")
simple("static of another type", "Shelf.item = $X\nflush()\n}\nfunc flush() {\n    $S(Shelf.item)", file="enum Shelf { static var item = \"\" }")
simple("singleton of another file", "Shelf.shared.item = $X\nflush()\n}\nfunc flush() {\n    $S(Shelf.shared.item ?? \"\")", file="final class Shelf { static let shared = Shelf()\n    var item: String? }")
simple("singleton with a method", "Shelf.shared.keep($X)\n$S(Shelf.shared.item)", file="final class Shelf { static let shared = Shelf()\n    private(set) var item = \"\"\n    func keep(_ given: String) { item = given } }")
simple("struct of another file", "let parcel = Parcel(item: $X, size: 3)\n$S(parcel.item)", file="struct Parcel { var item: String\n    var size: Int }")
simple("struct that is set", "var parcel = Parcel()\nparcel.item = $X\n$S(parcel.item)", top="struct Parcel { var item = \"\" }")
simple("class with an initializer", "let parcel = Parcel(given: $X)\n$S(parcel.item)", top="final class Parcel { let item: String\n    init(given: String) { item = given } }")
simple("key path", "let parcel = Parcel(item: $X)\nlet path = \\Parcel.item\n$S(parcel[keyPath: path])", top="struct Parcel { var item: String }")
simple("property wrapper", "shown = $X\n$S(shown)", "@Trimmed var shown = \"\"", "@propertyWrapper struct Trimmed { private var held = \"\"\n    init(wrappedValue: String) { held = wrappedValue }\n    var wrappedValue: String { get { held } set { held = newValue.trimmingCharacters(in: .whitespaces) } } }")
simple("notification", "NotificationCenter.default.addObserver(forName: .moved, object: nil, queue: nil) { note in\n    guard let item = note.userInfo?[\"v\"] as? String else { return }\n    $S(item)\n}\nNotificationCenter.default.post(name: .moved, object: nil, userInfo: [\"v\": $X])", top="extension Notification.Name { static let moved = Notification.Name(\"moved\") }")
simple("actor", "let item = $X\nTask {\n    await shelf.keep(item)\n    let back = await shelf.item\n    $S(back)\n}", "let shelf = Shelf()", "actor Shelf { private(set) var item = \"\"\n    func keep(_ given: String) { item = given } }")
simple("stream", "let item = $X\nlet stream = AsyncStream<String> { $0.yield(item)\n    $0.finish() }\nTask { for await each in stream { $S(each) } }")
simple("replacing", "let item = $X.replacingOccurrences(of: \" \", with: \"\")\n$S(item)")
simple("split and joined", "let parts = $X.split(separator: \" \").map(String.init)\n$S(parts.joined(separator: \",\"))")
simple("a function given a closure", "use($X) { $S($0) }", "func use<T>(_ item: T, _ body: (T) -> Void) { body(item) }")
simple("a closure as a property", "onPick = { item in $S(item) }\nonPick?($X)", "var onPick: ((String) -> Void)?")
simple("default of a parameter", "show($X)", "func show(_ item: String, title: String = \"v\") { report(title: title, item: item) }\nfunc report(title: String, item: String) { forward(item) }\nfunc forward(_ item: String) { $KEEP }")


def forward(name, wrap):
    def write(x, sink):
        return wrap(x, sink)
    CARRIES[name] = write


forward("default of a parameter", lambda x, s: made(
    f"show({x})", "func show(_ item: String, title: String = \"v\") { report(title: title, item: item) }\nfunc report(title: String, item: String) {\n    " + s("item") + "\n}"))
forward("handed to another class", lambda x, s: made(
    f"Keeper().keep({x})", files={"Keeper.swift": "final class Keeper {\n    func keep(_ item: String) {\n        " + s("item") + "\n    }\n}"}))
forward("handed over two classes", lambda x, s: made(
    f"desk.take({x})", "let desk = Desk()", files={
        "Desk.swift": "final class Desk { let keeper = Keeper()\n    func take(_ item: String) { keeper.keep(item) } }",
        "Keeper.swift": "final class Keeper {\n    func keep(_ item: String) {\n        " + s("item") + "\n    }\n}"}))
forward("an object made with it", lambda x, s: made(
    f"Job(item: {x}).run()", files={"Job.swift": "struct Job { let item: String\n    func run() {\n        " + s("item") + "\n    }\n}"}))
forward("an object set with it", lambda x, s: made(
    f"let job = Job()\njob.item = {x}\njob.run()", files={"Job.swift": "final class Job { var item: String = \"\"\n    func run() {\n        " + s("item") + "\n    }\n}"}))
forward("a command in an enum", lambda x, s: made(
    f"dispatch(.chose({x}))", "func dispatch(_ action: Action) {\n    switch action {\n    case .chose(let item): " + s("item") + "\n    case .left: break\n    }\n}",
    files={"Action.swift": "enum Action { case chose(String), left }"}))
forward("an extension of another file", lambda x, s: made(
    f"finish({x})", files={"Maker+Finish.swift": "extension $TYPE {\n    func finish(_ item: String) {\n        " + s("item") + "\n    }\n}"}))
forward("a protocol's extension", lambda x, s: made(
    f"Plain().put({x})", top="protocol Putting {}\nextension Putting { func put(_ item: String) {\n    " + s("item") + "\n} }\nstruct Plain: Putting {}"))
forward("a base class", lambda x, s: made(
    f"Sub().put({x})", files={"Base.swift": "class Base { func put(_ item: String) {\n    " + s("item") + "\n} }\nfinal class Sub: Base {}"}))
forward("delegate", lambda x, s: made(
    f"delegate?.panel(self, chose: {x})", "weak var delegate: (any PanelDelegate)?", "protocol PanelDelegate: AnyObject { func panel(_ panel: Any, chose item: String) }",
    files={"Desk.swift": "final class Desk: PanelDelegate {\n    let panel = $TYPE()\n    init() { panel.delegate = self }\n    func panel(_ panel: Any, chose item: String) {\n        " + s("item") + "\n    }\n}"}))
forward("a protocol as a property", lambda x, s: made(
    f"output?.finished(with: {x})", "var output: (any FinishOutput)?", files={
        "Output.swift": "protocol FinishOutput: AnyObject { func finished(with item: String) }\nfinal class Presenter: FinishOutput {\n    func finished(with item: String) {\n        " + s("item") + "\n    }\n}"}))
