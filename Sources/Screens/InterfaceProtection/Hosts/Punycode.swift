// SPDX-License-Identifier: Apache-2.0

/// Labels of any script, encoded in letters, digits and hyphens (RFC 3492).
enum Punycode {
    private static let (base, leastThreshold, mostThreshold, skew, damping) = (36, 1, 26, 38, 700)
    private static let (firstBias, firstCode) = (72, 128)

    /// The encoded label with the prefix `xn--`; nil for more characters than a label can have.
    static func encoded(_ label: ArraySlice<Unicode.Scalar>) -> [UInt8]? {
        // A longer label would take quadratic time.
        guard label.count <= 256 else { return nil }
        var output = Array("xn--".utf8)
        output.reserveCapacity(64)
        // The next code: the smallest unhandled one.
        var next = Int.max
        for scalar in label {
            if scalar.isASCII { output.append(UInt8(scalar.value)) } else { next = min(next, Int(scalar.value)) }
        }
        let basicCount = output.count - 4
        if basicCount > 0 { output.append(UInt8(ascii: "-")) }
        var (code, delta, bias, handled) = (firstCode, 0, firstBias, basicCount)
        while handled < label.count {
            delta += (next - code) * (handled + 1)
            (code, next) = (next, Int.max)
            for scalar in label {
                let value = Int(scalar.value)
                if value > code {
                    next = min(next, value)
                } else if value < code {
                    delta += 1
                } else {
                    append(delta, bias: bias, to: &output)
                    bias = adapted(delta, count: handled + 1, isFirst: handled == basicCount)
                    delta = 0
                    handled += 1
                }
            }
            delta += 1
            code += 1
        }
        return output
    }

    /// The decoded label; nil if `text`, in lower case, is not an encoded one.
    static func decode(_ text: ArraySlice<UInt8>) -> [Unicode.Scalar]? {
        guard text.count <= 256 else { return nil }
        let hyphen = text.lastIndex(of: UInt8(ascii: "-"))
        var label = hyphen.map { text[..<$0].map { Unicode.Scalar($0) } } ?? []
        var (code, place, bias) = (firstCode, 0, firstBias)
        var index = hyphen.map { $0 + 1 } ?? text.startIndex
        while index < text.endIndex {
            let oldPlace = place
            var (weight, step) = (1, base)
            while true {
                guard index < text.endIndex, let digit = value(text[index]) else { return nil }
                index += 1
                place += digit * weight
                guard place < 1 << 32 else { return nil }
                let threshold = threshold(step, bias)
                if digit < threshold { break }
                weight *= base - threshold
                guard weight < 1 << 32 else { return nil }
                step += base
            }
            bias = adapted(place - oldPlace, count: label.count + 1, isFirst: oldPlace == 0)
            code += place / (label.count + 1)
            place %= label.count + 1
            guard code < 0x11_0000, let scalar = Unicode.Scalar(UInt32(code)) else { return nil }
            label.insert(scalar, at: place)
            place += 1
        }
        return label
    }

    private static func append(_ delta: Int, bias: Int, to output: inout [UInt8]) {
        var (rest, step) = (delta, base)
        while true {
            let threshold = threshold(step, bias)
            guard rest >= threshold else { break }
            output.append(digit(threshold + (rest - threshold) % (base - threshold)))
            rest = (rest - threshold) / (base - threshold)
            step += base
        }
        output.append(digit(rest))
    }

    private static func threshold(_ step: Int, _ bias: Int) -> Int {
        min(max(step - bias, leastThreshold), mostThreshold)
    }

    private static func adapted(_ delta: Int, count: Int, isFirst: Bool) -> Int {
        var delta = isFirst ? delta / damping : delta / 2
        delta += delta / count
        var steps = 0
        while delta > (base - leastThreshold) * mostThreshold / 2 {
            delta /= base - leastThreshold
            steps += base
        }
        return steps + (base - leastThreshold + 1) * delta / (delta + skew)
    }

    private static func digit(_ value: Int) -> UInt8 { UInt8(value < 26 ? value + 97 : value + 22) }

    private static func value(_ byte: UInt8) -> Int? {
        switch byte {
        case UInt8(ascii: "a")...UInt8(ascii: "z"): Int(byte) - 97
        case UInt8(ascii: "0")...UInt8(ascii: "9"): Int(byte) - 22
        default: nil
        }
    }
}
