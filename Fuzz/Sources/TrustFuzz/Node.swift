// SPDX-License-Identifier: Apache-2.0

/// DER, parsed so that it can be changed and written again with correct lengths. DER inside of strings is parsed, too.
indirect enum Node {
    case bytes(tag: UInt8, [UInt8])
    /// `prefix`: the bytes before the parts, which is the count of unused bits of a BIT STRING.
    case parts(tag: UInt8, prefix: [UInt8], [Node])

    /// nil for what is no DER of one value.
    init?(_ bytes: ArraySlice<UInt8>, depth: Int = 0) {
        guard let (node, rest) = Self.first(bytes, depth), rest.isEmpty else { return nil }
        self = node
    }

    private static func first(_ bytes: ArraySlice<UInt8>, _ depth: Int) -> (Node, ArraySlice<UInt8>)? {
        var rest = bytes
        guard depth < 24, let tag = rest.popFirst(), tag & 0x1F != 0x1F, let short = rest.popFirst() else { return nil }
        var count = Int(short)
        if short >= 0x80 {
            let width = Int(short & 0x7F)
            guard (1...3).contains(width), rest.count >= width else { return nil }
            count = rest.prefix(width).reduce(0) { $0 << 8 | Int($1) }
            rest = rest.dropFirst(width)
        }
        guard rest.count >= count else { return nil }
        let content = rest.prefix(count)
        return (inner(tag, content, depth), rest.dropFirst(count))
    }

    private static func inner(_ tag: UInt8, _ content: ArraySlice<UInt8>, _ depth: Int) -> Node {
        let prefix = tag == 0x03 ? Array(content.prefix(1)) : []
        if tag & 0x20 != 0 || tag == 0x03 || tag == 0x04, let parts = all(content.dropFirst(prefix.count), depth + 1) {
            return .parts(tag: tag, prefix: prefix, parts)
        }
        return .bytes(tag: tag, Array(content))
    }

    private static func all(_ bytes: ArraySlice<UInt8>, _ depth: Int) -> [Node]? {
        var rest = bytes
        var nodes: [Node] = []
        while !rest.isEmpty {
            guard let (node, after) = first(rest, depth) else { return nil }
            nodes.append(node)
            rest = after
        }
        return nodes.isEmpty ? nil : nodes
    }

    var der: [UInt8] {
        let (tag, content): (UInt8, [UInt8]) =
            switch self {
            case .bytes(let tag, let bytes): (tag, bytes)
            case .parts(let tag, let prefix, let parts): (tag, parts.reduce(into: prefix) { $0 += $1.der })
            }
        guard content.count >= 0x80 else { return [tag, UInt8(content.count)] + content }
        var length: [UInt8] = []
        var rest = content.count
        while rest > 0 {
            length.insert(UInt8(truncatingIfNeeded: rest), at: 0)
            rest >>= 8
        }
        return [tag, 0x80 | UInt8(length.count)] + length + content
    }

    var count: Int {
        if case .parts(_, _, let parts) = self { return parts.reduce(1) { $0 + $1.count } }
        return 1
    }

    /// The value of that number, counted from outside and from the left.
    subscript(_ number: Int) -> Node {
        guard number > 0, case .parts(_, _, let parts) = self else { return self }
        var number = number - 1
        for part in parts {
            if number < part.count { return part[number] }
            number -= part.count
        }
        return self
    }

    /// The same with other values in the place of that number.
    func replacing(_ number: Int, with others: [Node]) -> [Node] {
        guard number > 0, case .parts(let tag, let prefix, var parts) = self else { return others }
        var number = number - 1
        for (index, part) in parts.enumerated() {
            if number < part.count {
                parts.replaceSubrange(index...index, with: part.replacing(number, with: others))
                break
            }
            number -= part.count
        }
        return [.parts(tag: tag, prefix: prefix, parts)]
    }
}
