// SPDX-License-Identifier: Apache-2.0

package import SecretMemory

/// A value of the bus, of the types that the Secret Service uses (D-Bus Specification, "Type System").
/// Arrays of bytes are secrets.
package indirect enum BusValue: Sendable {
    /// A number of one of the types `y b n q i u x t d`, as its bits.
    /// A descriptor (type `h`) is always 0, since the message has the descriptor itself.
    case number(UInt8, UInt64)
    case text(String)
    case path(String)
    case bytes(Secret)
    case variant(BusValue)
    case structure([BusValue])
    /// With the signature of its elements.
    case array(String, [BusValue])
    case entry(BusValue, BusValue)

    package static func boolean(_ value: Bool) -> BusValue { .number(UInt8(ascii: "b"), value ? 1 : 0) }
    package static func word(_ value: UInt32) -> BusValue { .number(UInt8(ascii: "u"), UInt64(value)) }
    /// A number of type `t`.
    package static func count(_ value: UInt64) -> BusValue { .number(UInt8(ascii: "t"), value) }
    package static func paths(_ paths: [String]) -> BusValue { .array("o", paths.map { .path($0) }) }

    /// `a{sv}`
    package static func properties(_ values: [(String, BusValue)]) -> BusValue {
        .array("{sv}", values.map { .entry(.text($0.0), .variant($0.1)) })
    }

    /// `a{ss}`, in the order of the names.
    static func attributes(_ attributes: [String: String]) -> BusValue {
        .array("{ss}", attributes.sorted { $0.key < $1.key }.map { .entry(.text($0.key), .text($0.value)) })
    }

    package var signature: String {
        switch self {
        case .number(let type, _): String(UnicodeScalar(type))
        case .text: "s"
        case .path: "o"
        case .bytes: "ay"
        case .variant: "v"
        case .structure(let fields): "(\(fields.map(\.signature).joined()))"
        case .array(let element, _): "a\(element)"
        case .entry(let key, let value): "{\(key.signature)\(value.signature)}"
        }
    }

    // MARK: What it holds, if it is that

    package var text: String? { if case .text(let text) = self { text } else { nil } }
    var path: String? { if case .path(let path) = self { path } else { nil } }
    package var bytes: Secret? { if case .bytes(let bytes) = self { bytes } else { nil } }
    package var content: BusValue? { if case .variant(let value) = self { value } else { nil } }
    package var fields: [BusValue]? { if case .structure(let fields) = self { fields } else { nil } }
    package var bool: Bool? { if case .number(UInt8(ascii: "b"), let bits) = self { bits != 0 } else { nil } }
    package var number: UInt64? { if case .number(_, let bits) = self { bits } else { nil } }

    package var paths: [String]? {
        guard case .array("o", let elements) = self else { return nil }
        return elements.compactMap(\.path)
    }

    /// `a{ss}`. Nil also if a name occurs twice.
    var attributes: [String: String]? {
        guard case .array("{ss}", let elements) = self else { return nil }
        var attributes: [String: String] = [:]
        for case .entry(.text(let name), .text(let value)) in elements {
            guard attributes.updateValue(value, forKey: name) == nil else { return nil }
        }
        return attributes
    }

    /// `a{sv}`. Nil also if a name occurs twice.
    package var properties: [String: BusValue]? {
        guard case .array("{sv}", let elements) = self else { return nil }
        var properties: [String: BusValue] = [:]
        for case .entry(.text(let name), .variant(let value)) in elements {
            guard properties.updateValue(value, forKey: name) == nil else { return nil }
        }
        return properties
    }
}

/// A received method call.
package struct BusCall: Sendable {
    /// The unique name that the bus assigned to the caller.
    package var sender: String
    package var path: String
    /// Nil: the caller named none.
    package var interface: String?
    package var member: String
    package var arguments: [BusValue]

    package init(sender: String, path: String, interface: String?, member: String, arguments: [BusValue]) {
        (self.sender, self.path, self.interface, self.member) = (sender, path, interface, member)
        self.arguments = arguments
    }

    var signature: String { arguments.map(\.signature).joined() }
}

/// A signal to be sent: a broadcast, unless it has a destination.
package struct BusSignal: Sendable {
    package var path: String
    package var interface: String
    package var member: String
    package var arguments: [BusValue]
    package var destination: String?
}

/// The error that a caller gets in place of an answer.
package struct BusFailure: Error, Sendable, Equatable {
    /// The name of the error.
    package let name: String
    package let message: String

    package init(_ name: String, _ message: String) { (self.name, self.message) = (name, message) }
}

extension BusFailure {
    static let interface = "org.freedesktop.Secret.Error"
    private static let bus = "org.freedesktop.DBus.Error"

    static func arguments(_ message: String) -> BusFailure { BusFailure("\(bus).InvalidArgs", message) }
    static func limits(_ message: String) -> BusFailure { BusFailure("\(bus).LimitsExceeded", message) }
    static func notSupported(_ message: String) -> BusFailure { BusFailure("\(bus).NotSupported", message) }
    static func unknownMethod(_ member: String) -> BusFailure {
        BusFailure("\(bus).UnknownMethod", "this object has no method \(member)")
    }
    static func unknownProperty(_ name: String) -> BusFailure {
        BusFailure("\(bus).UnknownProperty", "this object has no property \(name)")
    }
    static func readOnly(_ name: String) -> BusFailure {
        BusFailure("\(bus).PropertyReadOnly", "the property \(name) can't be set")
    }
    static func failed(_ message: String) -> BusFailure { BusFailure("\(bus).Failed", message) }
    package static let accessDenied = BusFailure("\(bus).AccessDenied", "the secrets are those of another user")
    static let failed = failed("the answer could not be made")
    package static let tooMuch = limits("this client asks more than is answered; wait for answers")
    package static let unforeseen = failed("this could not be done")
    static let locked = BusFailure("\(interface).IsLocked", "the keychain is locked; unlock it first: zamok unlock")
    static let noSession = BusFailure("\(interface).NoSession", "there is no such session of this client")
    static let noObject = BusFailure("\(interface).NoSuchObject", "there is no such object")
}
