// SPDX-License-Identifier: Apache-2.0

/// Elements of an XML file with the places where they stand, in the order in which they begin.
///
/// Made for storyboards and property lists: no entities but XML's own, no namespaces, no document types.
package struct XMLDocument: Sendable {
    package struct Element: Sendable {
        package let name: String
        package let attributes: [(name: String, value: String)]
        /// Counted from 1.
        package let line: Int
        /// Counted from 1, in UTF-8 bytes.
        package let column: Int
        /// The UTF-8 offset behind its name: here an attribute can be put in.
        package let nameEnd: Int
        package let parent: Int?
        /// Positions of its children, in order.
        package fileprivate(set) var children: [Int] = []
        /// The text directly inside it.
        package fileprivate(set) var text = ""

        package subscript(_ name: String) -> String? { attributes.first { $0.name == name }?.value }
    }

    package private(set) var elements: [Element] = []
    /// Whether the file ended early, nested too deep or wasn't XML from some place on; what came before is there.
    package private(set) var isDamaged = false

    package private(set) var declaresEntities = false

    private static let maximumDepth = 256
    private static let maximumElements = 400_000

    package init(_ bytes: [UInt8]) {
        var reader = XMLReader(bytes)
        var open: [Int] = []
        while let event = reader.next() {
            switch event {
            case .start(let start):
                guard open.count < Self.maximumDepth, elements.count < Self.maximumElements else {
                    isDamaged = true
                    return
                }
                let position = elements.count
                elements.append(
                    Element(
                        name: start.name, attributes: start.attributes, line: start.line, column: start.column,
                        nameEnd: start.nameEnd, parent: open.last))
                if let parent = open.last { elements[parent].children.append(position) }
                if !start.isEmpty { open.append(position) }
            case .end(let name):
                guard let last = open.popLast(), elements[last].name == name else {
                    isDamaged = true
                    return
                }
            case .text(let text):
                if let last = open.last { elements[last].text += text }
            }
        }
        isDamaged = reader.isDamaged || !open.isEmpty
        declaresEntities = reader.declaresEntities
    }

    package func children(of element: Element, named name: String? = nil) -> [Element] {
        element.children.map { elements[$0] }.filter { name == nil || $0.name == name }
    }

    package func child(of element: Element, named name: String) -> Element? {
        element.children.lazy.map { elements[$0] }.first { $0.name == name }
    }
}
