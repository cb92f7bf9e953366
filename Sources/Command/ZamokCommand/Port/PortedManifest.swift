// SPDX-License-Identifier: Apache-2.0

/// A Package.swift, read as text, with the products that its targets name. For computed parts, a mention of the product
/// anywhere is sufficient.
struct PortedManifest {
    private let text: [UInt8]
    private var targets: [(name: String, path: String?, text: ArraySlice<UInt8>)] = []
    /// The text outside of targets, mainly variables.
    private var rest: [UInt8] = []
    /// Whether the manifest names the package.
    let hasPackage: Bool

    private static let kinds = [".target(", ".executableTarget(", ".testTarget(", ".macro(", ".plugin("]

    /// `nil`: the manifest couldn't be read.
    init(_ bytes: [UInt8]?) {
        text = Self.bare(bytes ?? [])
        hasPackage = String(decoding: text, as: UTF8.self).lowercased().contains("zamok")
        var position = 0
        while let dot = text[position...].firstIndex(of: UInt8(ascii: ".")) {
            rest += text[position..<dot]
            let kind = Self.kinds.first { text[dot...].starts(with: $0.utf8) }
            guard let kind, let end = Self.closing(text, from: dot + kind.utf8.count) else {
                rest.append(text[dot])
                position = dot + 1
                // A missing closing bracket is searched for only once.
                if kind != nil { break }
                continue
            }
            let inside = text[dot + kind.utf8.count..<end]
            if let name = Self.value("name", inside) {
                targets.append((name, Self.value("path", inside), inside))
            }
            position = end
        }
        rest += text[position...]
    }

    /// Whether the manifest names the product anywhere.
    func names(_ product: String) -> Bool { Self.has(product, text[...]) }

    /// Whether the target in that folder, relative to the manifest, can import a product.
    func gives(_ product: String, to folder: String) -> Bool {
        guard names(product) else { return false }
        let name = folder.split(separator: "/").last.map(String.init) ?? ""
        let target = targets.first { target in
            let steps = target.path?.split(separator: "/").filter { $0 != "." }.joined(separator: "/")
            return (steps ?? folder) == folder && (steps != nil || target.name == name)
        }
        guard let target else { return true }
        return Self.has(product, target.text) || Self.has(product, rest[...])
    }

    /// The text of a dependency on the product.
    static func dependency(_ product: String) -> String {
        let isOfApple = ["Security", "LocalAuthentication"].contains(product)
        let condition = isOfApple ? ", condition: .when(platforms: [.linux, .android, .windows])" : ""
        return ".product(name: \"\(product)\", package: \"zamok\"\(condition))"
    }

    private static func has(_ product: String, _ text: ArraySlice<UInt8>) -> Bool {
        text.firstRange(of: Array("\"\(product)\"".utf8)) != nil
    }

    /// The text in quotes after `label:`.
    private static func value(_ label: String, _ text: ArraySlice<UInt8>) -> String? {
        guard let found = text.firstRange(of: Array("\(label):\"".utf8)) else { return nil }
        let value = text[found.upperBound...].prefix { $0 != UInt8(ascii: "\"") }
        return String(decoding: value, as: UTF8.self)
    }

    /// The index where the bracket that is open at `start` closes.
    private static func closing(_ text: [UInt8], from start: Int) -> Int? {
        var depth = 1
        var isInText = false
        for position in start..<text.count {
            switch text[position] {
            case UInt8(ascii: "\""): isInText.toggle()
            case UInt8(ascii: "(") where !isInText: depth += 1
            case UInt8(ascii: ")") where !isInText: depth -= 1
            default: break
            }
            if depth == 0 { return position }
        }
        return nil
    }

    /// The text without comments, and without white space outside of quotes.
    private static func bare(_ bytes: [UInt8]) -> [UInt8] {
        var kept: [UInt8] = []
        var isInText = false
        var position = 0
        while position < bytes.count {
            let byte = bytes[position]
            let next = position + 1 < bytes.count ? bytes[position + 1] : 0
            if !isInText, byte == UInt8(ascii: "/"), next == UInt8(ascii: "/") {
                position = bytes[position...].firstIndex(of: UInt8(ascii: "\n")) ?? bytes.count
            } else if !isInText, byte == UInt8(ascii: "/"), next == UInt8(ascii: "*") {
                position = bytes[(position + 2)...].firstRange(of: Array("*/".utf8))?.upperBound ?? bytes.count
            } else {
                if byte == UInt8(ascii: "\"") { isInText.toggle() }
                if isInText || byte > 0x20 { kept.append(byte) }
                position += 1
            }
        }
        return kept
    }
}
