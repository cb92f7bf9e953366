// SPDX-License-Identifier: Apache-2.0

/// The field of 256 elements in which secrets are shared: polynomials over bits modulo x^8 + x^4 + x^3 + x + 1. Without
/// tables and branches, so that neither time nor cache depend on an element.
enum Field {
    static func multiply(_ left: UInt8, _ right: UInt8) -> UInt8 {
        var (left, right, product) = (left, right, UInt8(0))
        for _ in 0..<8 {
            product ^= left & (0 &- (right & 1))
            left = left << 1 ^ 0x1B & (0 &- (left >> 7))
            right >>= 1
        }
        return product
    }

    /// The element that gives 1 with this one; 0 for 0. It is the 254th power.
    static func inverse(_ element: UInt8) -> UInt8 {
        var (power, square) = (UInt8(1), element)
        for _ in 0..<7 {
            square = multiply(square, square)
            power = multiply(power, square)
        }
        return power
    }

    /// By how much each point counts in the value at `x` of the polynomial through points at `places`, which differ.
    static func weights(of places: [UInt8], at x: UInt8) -> [UInt8] {
        places.map { place in
            var weight: UInt8 = 1
            for other in places where other != place {
                weight = multiply(weight, multiply(x ^ other, inverse(place ^ other)))
            }
            return weight
        }
    }
}
