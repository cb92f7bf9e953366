// SPDX-License-Identifier: Apache-2.0

import Sealing
import SecretMemory

/// The bytes of a segment of the access log: its header and its lines, in pieces of one
/// size (Documentation/Formats/AccessLog.md).
struct AccessSegment {
    static let piece = 512
    private static let magic = Array("zamoklog".utf8)
    private static let code = 32
    /// Segment numbers are below this.
    static let mostNumber: UInt64 = 1 << 31

    let log: UniqueIdentifier
    let home: UniqueIdentifier

    static func fileName(_ number: UInt64) -> String {
        let digits = String(number, radix: 16)
        return String(repeating: "0", count: max(0, 8 - digits.count)) + digits
    }

    /// The number in a segment's file name; nil for any other name.
    static func number(_ name: String) -> UInt64? {
        guard name.utf8.count == 8, let number = UInt64(name, radix: 16), fileName(number) == name else { return nil }
        return number
    }

    // MARK: The header

    private func head(_ tail: (segment: UInt64, start: UInt64, began: UInt64)) -> [UInt8] {
        var writer = ByteWriter(capacity: Self.piece)
        writer.append(Self.magic + [1] + [UInt8](repeating: 0, count: 7) + log.bytes + home.bytes)
        for number in [tail.segment, tail.start, tail.began] { writer.integer(number) }
        writer.append(repeatElement(0, count: Self.piece - Self.code - writer.bytes.count))
        return writer.bytes
    }

    func header(_ tail: AccessLogTail, _ chain: borrowing AccessChain) throws -> [UInt8] {
        let head = head((tail.segment, tail.segmentStart, tail.segmentBegan))
        return head + (try chain.code(ofHeader: head))
    }

    /// The segment's first line and the time when it was begun; nil if `bytes` is not this segment's header.
    func openHeader(
        _ bytes: [UInt8], segment: UInt64, _ chain: borrowing AccessChain
    ) throws -> (start: UInt64, began: UInt64)? {
        guard bytes.count == Self.piece else { return nil }
        var reader = ByteReader(Array(bytes[56..<72]))
        let (start, began): (UInt64, UInt64) = (try reader.integer(), try reader.integer())
        let head = head((segment, start, began))
        guard Array(bytes.dropLast(Self.code)) == head,
            try chain.isValid(Array(bytes.suffix(Self.code)), ofHeader: head)
        else { return nil }
        return (start, began)
    }

    // MARK: Lines

    private func associated(_ number: UInt64) -> [UInt8] {
        var writer = ByteWriter()
        writer.integer(number)
        return writer.bytes
    }

    func seal(_ line: AccessLine, to publicKey: [UInt8], _ chain: borrowing AccessChain) throws -> [UInt8] {
        let number = associated(line.number)
        let sealed = try PublicSeal.seal(
            line.encoded, to: publicKey, label: .accessLogContent, context: log.bytes + home.bytes,
            authenticating: number)
        let bytes = number + sealed
        return bytes + (try chain.code(ofLine: bytes))
    }

    /// The number that a line claims, unverified.
    static func claimedNumber(_ bytes: [UInt8]) -> UInt64 { bytes.prefix(8).reduce(0) { $0 << 8 | UInt64($1) } }

    static func isWhole(_ bytes: [UInt8], _ chain: borrowing AccessChain) throws -> Bool {
        try chain.isValid(Array(bytes.suffix(code)), ofLine: Array(bytes.dropLast(code)))
    }

    func open(_ bytes: [UInt8], _ privateKey: borrowing SecretBytes) throws -> AccessLine {
        let number = Self.claimedNumber(bytes)
        let content = try PublicSeal.open(
            Array(bytes[8..<Self.piece - Self.code]), with: privateKey, label: .accessLogContent,
            context: log.bytes + home.bytes, authenticating: associated(number))
        return try AccessLine(content, number: number)
    }
}
