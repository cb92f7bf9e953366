// SPDX-License-Identifier: Apache-2.0

/// A bound on work that untrusted bytes cause by expansion, resolution, concatenation or repetition, in steps and
/// bytes. A small file can request any amount of either, so a limit on its size is not enough.
package struct DerivationBudget: Sendable {
    private let what: String
    private var steps: Int
    private var bytes: Int

    /// `what`: the subject of the error message, in the plural.
    package init(_ what: String, steps: Int, bytes: Int) {
        self.what = what
        self.steps = steps
        self.bytes = bytes
    }

    /// Called before the work is done, or the memory is allocated.
    package mutating func take(steps: Int = 1, bytes: Int = 0) throws(ReadingError) {
        guard steps >= 0, steps <= self.steps else {
            throw ReadingError(.tooLarge, "\(what) need too many steps: they repeat or refer to each other too often")
        }
        guard bytes >= 0, bytes <= self.bytes else {
            throw ReadingError(
                .tooLarge, "\(what) come to too many bytes: they repeat or refer to each other too often")
        }
        self.steps -= steps
        self.bytes -= bytes
    }
}

/// Counts the values in JSON text before it is parsed: a JSON reader takes some hundred bytes for a value of two bytes.
package enum JSONMeasure {
    /// Errors: `.tooLarge`. Text that isn't JSON passes, and the JSON reader refuses it.
    package static func check(_ bytes: [UInt8], values: Int, containers: Int) throws(ReadingError) {
        var budget = (values: values, containers: containers)
        var isInText = false
        var isEscaped = false
        for byte in bytes {
            if isInText {
                if !isEscaped, byte == UInt8(ascii: "\"") { isInText = false }
                isEscaped = !isEscaped && byte == UInt8(ascii: "\\")
                continue
            }
            switch byte {
            case UInt8(ascii: "\""): isInText = true
            case UInt8(ascii: "{"), UInt8(ascii: "["): budget.containers -= 1
            case UInt8(ascii: ","), UInt8(ascii: ":"): budget.values -= 1
            default: continue
            }
            guard budget.values >= 0, budget.containers >= 0 else {
                throw ReadingError(
                    .tooLarge, "it has more than \(values) values, or more than \(containers) objects and lists")
            }
        }
    }
}
