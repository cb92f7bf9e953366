// SPDX-License-Identifier: Apache-2.0

/// The address of a slot or a reservation.
@safe
struct Address: @unchecked Sendable {
    // Only a place: the bytes there are reached through the slot that owns them, or under the arena's lock.
    let pointer: UnsafeMutableRawPointer

    init(_ pointer: UnsafeMutableRawPointer) { unsafe self.pointer = pointer }

    func advanced(by count: Int) -> Address { unsafe Address(pointer + count) }
}
