// SPDX-License-Identifier: Apache-2.0

/// The name of an attribute, as in Apple's dictionaries ("acct", "svce", ...).
package struct AttributeName: Hashable, Sendable, ExpressibleByStringLiteral {
    package let text: String
    package init(_ text: String) { self.text = text }
    package init(stringLiteral text: String) { self.init(text) }
}

/// The value of an attribute. Blobs keep the type they came in, and are equal when their UTF-8 bytes are.
package enum AttributeValue: Hashable, Sendable {
    case text(String)
    case data([UInt8])
    case number(Int64)
    /// Seconds since 2001-01-01 00:00 UTC.
    case date(Double)
}

package typealias Attributes = [AttributeName: AttributeValue]
