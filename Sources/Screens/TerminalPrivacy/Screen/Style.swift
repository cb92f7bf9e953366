// SPDX-License-Identifier: Apache-2.0

/// How a cell looks. Colours are the terminal's own sixteen, which the user has chosen.
public struct Style: Sendable, Hashable {
    /// One of the terminal's colours.
    public enum Color: Int, Sendable {
        case black, red, green, yellow, blue, magenta, cyan, white
    }

    /// The colour of the text; nil: the usual one.
    public var color: Color?
    /// Brighter or heavier.
    public var isBold: Bool
    /// Paler.
    public var isDim: Bool
    /// Text and background exchanged.
    public var isInverse: Bool

    /// A style.
    public init(_ color: Color? = nil, bold: Bool = false, dim: Bool = false, inverse: Bool = false) {
        self.color = color
        isBold = bold
        isDim = dim
        isInverse = inverse
    }

    /// The usual one.
    public static let plain = Style()
    /// For what is beside the point.
    public static let dim = Style(dim: true)
    /// For what matters.
    public static let bold = Style(bold: true)
    /// For what is chosen.
    public static let selected = Style(inverse: true)
    /// For what is wrong.
    public static let error = Style(.red)

    /// The sequence that switches to this style from any other.
    var sequence: String {
        var codes = ["0"]
        if isBold { codes.append("1") }
        if isDim { codes.append("2") }
        if isInverse { codes.append("7") }
        if let color { codes.append(String(30 + color.rawValue)) }
        return "\u{1B}[" + codes.joined(separator: ";") + "m"
    }
}
