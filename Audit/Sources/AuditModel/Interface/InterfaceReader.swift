// SPDX-License-Identifier: Apache-2.0

import Findings

/// Finds fields, outlets and actions in the elements of a storyboard or xib.
struct InterfaceReader {
    let path: String
    let document: XMLDocument
    /// The position of each object by its identifier.
    private let objects: [String: Int]

    init(path: String, document: XMLDocument) {
        self.path = path
        self.document = document
        var objects: [String: Int] = [:]
        for (position, element) in document.elements.enumerated() where element.parent != nil {
            if let id = element["id"], objects[id] == nil, element.name != "outlet" { objects[id] = position }
        }
        self.objects = objects
    }

    private func place(_ element: XMLDocument.Element) -> Place {
        Place(file: path, line: element.line, column: element.column)
    }

    // MARK: Fields

    private static let fieldElements: Set<String> = [
        "textField", "textView", "secureTextField", "searchBar", "comboBox",
    ]

    func fields() -> [InterfaceField] {
        document.elements.enumerated().filter { Self.fieldElements.contains($0.element.name) }
            .compactMap { field($0.element, at: $0.offset) }
    }

    private func field(_ element: XMLDocument.Element, at position: Int) -> InterfaceField? {
        let cell = document.children(of: element).first {
            $0.name.hasSuffix("TextFieldCell") || $0.name == "textFieldCell"
        }
        // On the Mac a label is a field too, one that can't be edited.
        if let cell, cell["editable"] != "YES" { return nil }
        if element["editable"] == "NO" { return nil }
        let traits = document.child(of: element, named: "textInputTraits")
        let accessibility = document.child(of: element, named: "accessibility")
        var runtime: [String: String] = [:]
        if let list = document.child(of: element, named: "userDefinedRuntimeAttributes") {
            for attribute in document.children(of: list, named: "userDefinedRuntimeAttribute") {
                guard let key = attribute["keyPath"] else { continue }
                let value = attribute["value"] ?? document.children(of: attribute).first.map { $0["value"] ?? $0.text }
                runtime[key] = value ?? ""
            }
        }
        return InterfaceField(
            id: element["id"] ?? "", element: cell?.name.hasPrefix("secure") == true ? "secureTextField" : element.name,
            customClass: element["customClass"],
            placeholder: element["placeholder"] ?? cell?["placeholderString"] ?? attributed(element)
                ?? runtime["placeholder"] ?? sample(element) ?? text(in: runtime),
            text: element["text"] ?? "", label: label(of: element, accessibility), scene: scene(of: position),
            traits: Dictionary((traits?.attributes ?? []).map { ($0.name, $0.value) }) { first, _ in first },
            runtimeAttributes: runtime,
            accessibilityIdentifier: accessibility?["identifier"] ?? element["userLabel"] ?? "",
            owner: owner(of: position), place: place(element), isVisible: isVisible(element),
            traitsOffset: traits?.nameEnd)
    }

    /// What a text view shows at first.
    private func sample(_ element: XMLDocument.Element) -> String? {
        guard element.name == "textView" else { return nil }
        let text =
            element["text"] ?? document.children(of: element, named: "string").first { $0["key"] == "text" }?.text
        return text.flatMap { $0.isEmpty ? nil : $0 }
    }

    /// What a class of the app is told to show: `placeholderKey` = `login_password`.
    private func text(in runtime: [String: String]) -> String {
        let keys = runtime.keys.filter { key in
            let low = key.lowercased()
            return ["placeholder", "hint", "locali", "lockey", "title"].contains { low.contains($0) }
                && !["color", "font", "size", "inset"].contains { low.contains($0) }
        }
        return keys.min().flatMap { runtime[$0] } ?? ""
    }

    /// The pieces of an attributed placeholder.
    private func attributed(_ element: XMLDocument.Element) -> String? {
        document.children(of: element, named: "attributedString").first { $0["key"] == "attributedPlaceholder" }.map {
            document.children(of: $0, named: "fragment").compactMap { piece in
                piece["content"] ?? document.child(of: piece, named: "string")?.text
            }.joined()
        }
    }

    private func isVisible(_ element: XMLDocument.Element) -> Bool {
        if element["hidden"] == "YES" || element["alpha"].flatMap(Double.init).map({ $0 < 0.05 }) == true {
            return false
        }
        let constraints = document.child(of: element, named: "constraints").map { document.children(of: $0) } ?? []
        return !constraints.contains { constraint in
            ["width", "height"].contains(constraint["firstAttribute"]) && constraint["secondItem"] == nil
                && constraint["constant"].flatMap(Double.init).map { $0 <= 2 } == true
        }
    }

    /// The class of the nearest object around it that has one, else of the file's owner.
    private func owner(of position: Int) -> String {
        var steps = 0
        var next = document.elements[position].parent
        while let at = next, steps < 512 {
            let element = document.elements[at]
            if let name = element["customClass"], element.name.hasSuffix("ontroller") || element.name.hasSuffix("Cell")
            {
                return name
            }
            next = element.parent
            steps += 1
        }
        return document.elements.first { $0.name == "placeholder" && $0["placeholderIdentifier"] == "IBFilesOwner" }?[
            "customClass"]
            ?? ""
    }

    /// The title of the controller around it, or of its navigation item.
    private func scene(of position: Int) -> String {
        var steps = 0
        var next = document.elements[position].parent
        while let at = next, steps < 512 {
            let element = document.elements[at]
            if element.name.hasSuffix("ontroller") {
                let item = document.child(of: element, named: "navigationItem")
                return item?["title"] ?? element["title"] ?? ""
            }
            next = element.parent
            steps += 1
        }
        return ""
    }

    // MARK: Labels beside a field

    private struct Frame {
        var x, y, width, height: Double
    }

    private func frame(_ element: XMLDocument.Element) -> Frame? {
        guard let rect = document.children(of: element, named: "rect").first(where: { $0["key"] == "frame" }),
            let x = rect["x"].flatMap(Double.init), let y = rect["y"].flatMap(Double.init),
            let width = rect["width"].flatMap(Double.init), let height = rect["height"].flatMap(Double.init)
        else { return nil }
        return Frame(x: x, y: y, width: width, height: height)
    }

    /// The nearest label of the same parent that ends just above the field or stands to its left.
    private func label(
        of element: XMLDocument.Element, _ accessibility: XMLDocument.Element?
    ) -> String {
        var (next, steps) = (element, 0)
        // A view that holds the field alone has its label beside itself.
        while steps < 3 {
            let found = label(beside: next)
            if !found.isEmpty { return found }
            guard let list = next.parent, document.elements[list].name == "subviews",
                document.children(of: document.elements[list]).count(where: {
                    $0.name != "imageView" && $0.name != "button"
                })
                    == 1, let container = document.elements[list].parent
            else { break }
            (next, steps) = (document.elements[container], steps + 1)
        }
        return accessibility?["label"] ?? ""
    }

    private func label(beside element: XMLDocument.Element) -> String {
        guard let parent = element.parent, let own = frame(element) else { return "" }
        var best: (distance: Double, text: String)?
        for other in document.children(of: document.elements[parent], named: "label") {
            guard let text = other["text"] ?? document.child(of: other, named: "string")?.text, let frame = frame(other)
            else {
                continue
            }
            let isBeside = abs(frame.y - own.y) < 14 && frame.x < own.x
            let above = own.y - (frame.y + frame.height)
            guard isBeside || (-4...32).contains(above) else { continue }
            let distance = isBeside ? max(0, own.x - frame.x - frame.width) : max(0, above)
            if distance < best?.distance ?? .infinity { best = (distance, text) }
        }
        return best?.text ?? ""
    }

    // MARK: Connections

    /// The class of the object whose connections these are.
    private func sender(of connection: XMLDocument.Element) -> XMLDocument.Element? {
        guard let list = connection.parent, document.elements[list].name == "connections" else { return nil }
        return document.elements[list].parent.map { document.elements[$0] }
    }

    func outlets() -> [InterfaceFile.Outlet] {
        document.elements.compactMap { element in
            guard element.name == "outlet" || element.name == "outletCollection", let owner = sender(of: element),
                let property = element["property"], let destination = element["destination"]
            else { return nil }
            return InterfaceFile.Outlet(
                owner: owner["customClass"] ?? "", property: property, destination: destination,
                destinationElement: objects[destination].map { document.elements[$0].name } ?? "", place: place(element)
            )
        }
    }

    func actions() -> [InterfaceFile.Action] {
        document.elements.compactMap { element in
            guard element.name == "action", let sender = sender(of: element), let selector = element["selector"] else {
                return nil
            }
            let target = (element["destination"] ?? element["target"]).flatMap { objects[$0] }.map {
                document.elements[$0]
            }
            return InterfaceFile.Action(
                target: target?["customClass"] ?? "", selector: selector, event: element["eventType"] ?? "",
                sender: sender["id"] ?? "", place: place(element))
        }
    }
}
