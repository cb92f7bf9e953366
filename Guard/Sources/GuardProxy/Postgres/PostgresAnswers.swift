// SPDX-License-Identifier: Apache-2.0

package import NIOCore

/// What a server of PostgreSQL says in a session, cut into its messages, each searched for secrets. A hit ends the
/// session: the fields of a message have lengths, so nothing can be put in its place.
package struct PostgresAnswers {
    package struct Found: Error {
        /// What may still be passed on; nil: nothing, and the message that began is not whole.
        package let whole: ByteBuffer?
    }

    /// A lock came while bytes were searched.
    package struct Locked: Error {
        /// Whether all that was passed on before are whole messages.
        package let isBetweenMessages: Bool
    }

    /// Bytes of the longest message: 512 MiB. So each length begins with a control character, and a text can't go on
    /// from one message to the next by way of what is between them.
    private static let limit = (1 << 29) - 1

    private var search: AnswerSearch
    /// Of the message that begins: its kind and length.
    private var head: [UInt8] = []
    /// Bytes of its content that have not come.
    private var rest = 0
    /// What a request to cancel has to have; nil: the server has not said it.
    package private(set) var cancelKey: [UInt8]?
    private var key: [UInt8]?
    private let isLocked: () -> Bool

    /// `isLocked`: asked after each search, which may take long.
    package init(_ search: AnswerSearch, isLocked: @escaping () -> Bool = { false }) {
        (self.search, self.isLocked) = (search, isLocked)
    }

    /// Appends what may be passed on. Errors: ``Found``; ``Locked``, and nothing may be passed on; ``Refusal``, if
    /// these are no messages.
    package mutating func feed(_ bytes: ByteBuffer, into output: inout ByteBuffer) throws {
        var bytes = bytes
        let isInside = rest > 0 || !head.isEmpty
        /// Where in the output the last whole message ends.
        var end = isInside ? nil : Optional(output.writerIndex)
        while true {
            if rest == 0 {
                while head.count < 5, let byte = bytes.readInteger(as: UInt8.self) { head.append(byte) }
                guard head.count == 5 else { return }
                let size = head[1...].reduce(0) { $0 << 8 | Int($1) }
                guard (4...Self.limit).contains(size), (0x20..<0x7F).contains(head[0]) else {
                    throw Refusal(502, "the server says what is no message of PostgreSQL")
                }
                // Kind and length may be bytes of a text, too.
                search.feed(ByteBuffer(bytes: head), into: &output)
                rest = size - 4
                key = head[0] == UInt8(ascii: "K") && rest <= 256 ? [] : nil
            }
            let count = min(rest, bytes.readableBytes)
            if let part = bytes.readSlice(length: count), count > 0 {
                key?.append(contentsOf: part.readableBytesView)
                search.feed(part, into: &output)
            }
            rest -= count
            if rest == 0 {
                search.finish(into: &output)
                if let key { cancelKey = key }
                (head, key) = ([], nil)
            }
            guard !isLocked() else {
                output.clear()
                throw Locked(isBetweenMessages: !isInside)
            }
            guard search.count == 0 else {
                throw Found(
                    whole: end.flatMap { output.getSlice(at: output.readerIndex, length: $0 - output.readerIndex) })
            }
            guard rest == 0 else { return }
            end = output.writerIndex
        }
    }

    /// Whether the last message is whole, so that another one may follow.
    package var isWhole: Bool { rest == 0 && head.isEmpty }

    package mutating func wipe() { search.wipe() }
}
