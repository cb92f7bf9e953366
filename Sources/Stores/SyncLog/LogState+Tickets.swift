// SPDX-License-Identifier: Apache-2.0

extension LogState {
    /// A ticket that may still be used.
    public struct OpenTicket: Hashable, Sendable {
        /// Its number, by which it can be ended.
        public let number: UInt32
        /// How many machines may apply with it.
        public let machines: UInt16
        /// How many have applied.
        public let used: UInt64
        /// Its key, which identifies it before it has a number.
        package let key: [UInt8]
    }

    /// Tickets that were made and have not ended, ascending.
    public var tickets: [OpenTicket] {
        authors.compactMap { number, author in
            guard case .ticket(let ticket, _) = author.role else { return nil }
            return OpenTicket(number: number, machines: ticket.machines, used: author.sequence, key: ticket.key)
        }.sorted { $0.number < $1.number }
    }
}
