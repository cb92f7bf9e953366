// SPDX-License-Identifier: Apache-2.0

import CSystemBus
import Foundation
package import SecretMemory

/// A message that was received from the bus. Its deinit overwrites the secrets that it contains.
@safe
package final class BusMessage {
    package enum Kind: Sendable {
        case call
        case reply(of: UInt32)
        /// An error, with its name.
        case failure(of: UInt32, String)
        case signal
        case other
    }

    fileprivate let pointer: OpaquePointer
    package let kind: Kind
    package let sender: String
    package let path: String
    package let interface: String?
    package let member: String
    package let wantsNoReply: Bool

    fileprivate init(_ pointer: OpaquePointer) {
        unsafe self.pointer = pointer
        let head = unsafe zamok_bus_head_of(pointer)
        kind =
            switch unsafe head.kind {
            case Int32(zamok_bus_call): .call
            case Int32(zamok_bus_reply): unsafe .reply(of: head.reply_serial)
            case Int32(zamok_bus_error): unsafe .failure(of: head.reply_serial, Self.text(head.error) ?? "")
            case Int32(zamok_bus_signal): .signal
            default: .other
            }
        sender = unsafe Self.text(head.sender) ?? ""
        path = unsafe Self.text(head.path) ?? ""
        interface = unsafe Self.text(head.interface)
        member = unsafe Self.text(head.member) ?? ""
        wantsNoReply = unsafe head.wants_no_reply != 0
    }

    deinit {
        unsafe zamok_bus_wipe(pointer)
        unsafe zamok_bus_release(pointer)
    }

    private static func text(_ pointer: UnsafePointer<CChar>?) -> String? {
        guard let pointer = unsafe pointer else { return nil }
        return unsafe String(cString: pointer)
    }

    /// The first file descriptor in the message. Nil: there is none.
    package func descriptor() -> BusDescriptor? {
        let number = unsafe zamok_bus_taken_descriptor(pointer)
        return number < 0 ? nil : BusDescriptor(number)
    }

    /// The arguments. A file descriptor is given as the number 0.
    /// Errors: a `BusFailure` if they are larger, or nested deeper, than any supported call needs.
    package func arguments() throws -> [BusValue] {
        var reader = unsafe BusReader(pointer)
        return try reader.values()
    }
}

/// A file descriptor that was received from the bus. It is closed on deinit.
package final class BusDescriptor {
    package let number: Int32

    fileprivate init(_ number: Int32) { self.number = number }

    deinit { close(number) }

    /// Writes a secret to a pipe or a socket without blocking. False: it is neither, or did not take all of the secret.
    package func give(_ secret: Secret) throws -> Bool {
        var status = stat()
        guard unsafe fstat(number, &status) == 0, [S_IFIFO, S_IFSOCK].contains(status.st_mode & S_IFMT) else {
            return false
        }
        // Non-blocking, so that a slow reader can't stall this process.
        guard fcntl(number, F_SETFL, fcntl(number, F_GETFL) | O_NONBLOCK) == 0 else { return false }
        let count = secret.count
        return try secret.withBytes { span in
            unsafe span.withUnsafeBytes { unsafe write(number, $0.baseAddress, count) == count }
        }
    }
}

/// Reads the arguments of a message.
private struct BusReader {
    private var cursor = zamok_bus_cursor()
    private var found = 0
    private var size = 0

    init(_ message: OpaquePointer) { unsafe zamok_bus_read(message, &cursor) }

    mutating func values() throws -> [BusValue] {
        var all: [BusValue] = []
        while unsafe zamok_bus_type(&cursor) != 0 {
            all.append(try value())
            unsafe zamok_bus_step(&cursor)
        }
        return all
    }

    private mutating func inside<R>(_ body: (inout BusReader) throws -> R) throws -> R {
        guard unsafe zamok_bus_enter(&cursor) == 1 else { throw BusFailure.limits("the message is nested too deeply") }
        defer { unsafe zamok_bus_leave(&cursor) }
        return try body(&self)
    }

    private mutating func count(_ bytes: Int) throws {
        found += 1
        size += bytes
        guard found <= BusLimits.values, size <= BusLimits.texts else {
            throw BusFailure.limits("the message has more parts than are taken")
        }
    }

    private mutating func value() throws -> BusValue {
        let type = unsafe UInt8(truncatingIfNeeded: zamok_bus_type(&cursor))
        switch UnicodeScalar(type) {
        case "y", "b", "n", "q", "i", "u", "x", "t", "d":
            try count(0)
            return unsafe .number(type, zamok_bus_number(&cursor))
        case "h":
            try count(0)
            return .number(type, 0)
        case "s": return .text(try text())
        case "o": return .path(try text())
        case "v":
            try count(0)
            return .variant(try inside { try $0.value() })
        case "r":
            try count(0)
            return .structure(try inside { try $0.values() })
        case "e":
            let pair = try inside { try $0.values() }
            guard pair.count == 2 else { throw BusFailure.arguments("the message has an entry without a value") }
            return .entry(pair[0], pair[1])
        case "a": return try array()
        default: throw BusFailure.arguments("the message has a value of a type that is not taken")
        }
    }

    private mutating func text() throws -> String {
        guard let pointer = unsafe zamok_bus_text(&cursor) else { return "" }
        let text = unsafe String(cString: pointer)
        try count(text.utf8.count)
        return text
    }

    private mutating func array() throws -> BusValue {
        guard unsafe zamok_bus_element_type(&cursor) != Int32(UInt8(ascii: "y")) else {
            let run = unsafe zamok_bus_byte_array(&cursor)
            guard unsafe run.count <= BusLimits.bytes else {
                throw BusFailure.limits("a secret may have 16 MiB, this one is longer")
            }
            try count(0)
            let lent = unsafe UnsafeRawBufferPointer(start: run.bytes, count: run.count)
            return .bytes(Secret(try unsafe SecretBytes(copying: lent)))
        }
        var signature = [CChar](repeating: 0, count: 256)
        unsafe zamok_bus_signature(&cursor, &signature, signature.count)
        let letters = signature.dropFirst().prefix { $0 != 0 }.map(UInt8.init(bitPattern:))
        return .array(String(decoding: letters, as: UTF8.self), try inside { try $0.values() })
    }
}

/// The maximum amounts that are read of a message.
enum BusLimits {
    static let values = 1 << 17
    static let texts = 8 << 20
    /// The bytes of the longest secret, 16 MiB, and of its padding, at most a block.
    static let bytes = (16 << 20) + 16
}

/// Writes the arguments of a message.
private struct BusWriter {
    private var cursor = zamok_bus_cursor()

    init(_ message: OpaquePointer) { unsafe zamok_bus_write(message, &cursor) }

    mutating func append(_ value: BusValue) throws {
        switch value {
        case .number(let type, let bits): unsafe try done(zamok_bus_append_number(&cursor, Int32(type), bits))
        case .text(let text): try append(text, "s")
        case .path(let path): try append(path, "o")
        case .bytes(let secret):
            let count = secret.count
            let isDone = try secret.withBytes { span in
                unsafe span.withUnsafeBytes { raw in
                    unsafe zamok_bus_append_bytes(
                        &cursor, zamok_bus_bytes(bytes: raw.bindMemory(to: UInt8.self).baseAddress, count: count))
                }
            }
            try done(isDone)
        case .variant(let content): try inside("v", content.signature) { try $0.append(content) }
        case .structure(let fields): try inside("r", nil) { for field in fields { try $0.append(field) } }
        case .array(let element, let elements):
            try inside("a", element) { for each in elements { try $0.append(each) } }
        case .entry(let key, let value):
            try inside("e", nil) {
                try $0.append(key)
                try $0.append(value)
            }
        }
    }

    private mutating func append(_ text: String, _ type: UnicodeScalar) throws {
        guard !text.utf8.contains(0) else { throw BusFailure.failed }
        unsafe try done(zamok_bus_append_text(&cursor, Int32(type.value), text))
    }

    private mutating func inside(
        _ type: UnicodeScalar, _ signature: String?, _ body: (inout BusWriter) throws -> Void
    ) throws {
        unsafe try done(zamok_bus_open(&cursor, Int32(type.value), signature))
        try body(&self)
        unsafe try done(zamok_bus_close(&cursor))
    }

    private func done(_ isDone: Int32) throws { guard isDone == 1 else { throw BusFailure.failed } }
}

/// A connection to the session bus by the system's libdbus (Decision 0036). Used by one thread.
/// Only the initializer and `wait` block.
@safe
package final class BusConnection {
    private let pointer: OpaquePointer
    /// Messages with secrets that may not have been written yet.
    private var secrets: [OpaquePointer] = unsafe []
    /// The unique name that the bus assigned.
    package let name: String
    package let descriptor: Int32

    /// Errors: a `BusFailure` that says why there is no connection.
    package init(address: String) throws {
        var problem = [CChar](repeating: 0, count: 512)
        guard let pointer = unsafe zamok_bus_connect(address, &problem, problem.count) else {
            let text = String(decoding: problem.prefix { $0 != 0 }.map(UInt8.init(bitPattern:)), as: UTF8.self)
            throw BusFailure("org.freedesktop.DBus.Error.NoServer", text)
        }
        unsafe self.pointer = pointer
        descriptor = unsafe zamok_bus_descriptor(pointer)
        name = unsafe zamok_bus_own_name(pointer).map { unsafe String(cString: $0) } ?? ""
    }

    deinit {
        wipe()
        unsafe zamok_bus_disconnect(pointer)
    }

    /// Whether output is still to be written.
    package var hasOutput: Bool { unsafe zamok_bus_has_output(pointer) != 0 }

    /// Reads and writes as much as is possible without blocking. False: the bus is gone.
    package func move() -> Bool {
        let isThere = unsafe zamok_bus_move(pointer) != 0
        if !hasOutput { wipe() }
        return isThere
    }

    private func wipe() {
        while let message = unsafe secrets.popLast() {
            unsafe zamok_bus_wipe(message)
            unsafe zamok_bus_release(message)
        }
    }

    package func next() -> BusMessage? {
        guard let message = unsafe zamok_bus_next_message(pointer) else { return nil }
        return unsafe BusMessage(message)
    }

    /// Makes libdbus overwrite its input buffer.
    /// It does so with a message from this process to itself, which is ignored on arrival.
    package func overwriteInput() {
        let zeros = try? Secret(copying: [UInt8](repeating: 0, count: 1 << 14))
        guard let zeros else { return }
        try? emit(
            BusSignal(
                path: "/org/freedesktop/secrets", interface: "org.freedesktop.Secret.Overwrite", member: "Overwrite",
                arguments: [.bytes(zeros)], destination: name))
    }

    // MARK: Sending

    package func reply(to call: BusMessage, _ values: [BusValue]) throws {
        guard !call.wantsNoReply else { return }
        _ = unsafe try send(zamok_bus_new_reply(call.pointer), values)
    }

    package func reply(to call: BusMessage, _ failure: BusFailure) throws {
        guard !call.wantsNoReply else { return }
        _ = unsafe try send(zamok_bus_new_error(call.pointer, failure.name, failure.message), [])
    }

    package func emit(_ signal: BusSignal) throws {
        _ = unsafe try send(
            zamok_bus_new_signal(signal.destination, signal.path, signal.interface, signal.member), signal.arguments)
    }

    /// Calls a method of the bus itself. Returns the serial number that the reply refers to.
    package func callBus(_ member: String, _ values: [BusValue]) throws -> UInt32 {
        let bus = "org.freedesktop.DBus"
        return try call(bus, "/org/freedesktop/DBus", bus, member, values)
    }

    /// Calls a method of a peer on the bus. Returns the serial number that the reply refers to.
    package func call(
        _ destination: String, _ path: String, _ interface: String, _ member: String, _ values: [BusValue]
    ) throws -> UInt32 {
        unsafe try send(zamok_bus_new_call(destination, path, interface, member), values)
    }

    /// Waits until a message arrives, output can be written, or the time is over. False: the bus is gone.
    package func wait(_ time: Duration) -> Bool {
        var watched = pollfd(fd: descriptor, events: Int16(POLLIN | (hasOutput ? POLLOUT : 0)), revents: 0)
        let milliseconds = time.components.seconds * 1000 + time.components.attoseconds / 1_000_000_000_000_000
        _ = unsafe poll(&watched, 1, Int32(clamping: milliseconds))
        return move()
    }

    private func send(_ made: OpaquePointer?, _ values: [BusValue]) throws -> UInt32 {
        guard let message = unsafe made else { throw BusFailure.failed }
        var isKept = false
        defer { if !isKept { unsafe zamok_bus_release(message) } }
        var writer = unsafe BusWriter(message)
        for value in values { try writer.append(value) }
        let number = unsafe zamok_bus_send(pointer, message)
        guard number != 0 else { throw BusFailure.failed }
        if values.contains(where: \.hasBytes) {
            unsafe secrets.append(message)
            isKept = true
        }
        return number
    }
}

extension BusValue {
    fileprivate var hasBytes: Bool {
        switch self {
        case .bytes: true
        case .number, .text, .path: false
        case .variant(let value): value.hasBytes
        case .structure(let fields): fields.contains(where: \.hasBytes)
        case .array(_, let elements): elements.contains(where: \.hasBytes)
        case .entry(let key, let value): key.hasBytes || value.hasBytes
        }
    }
}
