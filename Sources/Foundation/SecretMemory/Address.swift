// SPDX-License-Identifier: Apache-2.0

/// Where a slot or a reservation lies.
@safe
struct Address: @unchecked Sendable {
    // Only a place: the bytes there are reached through the slot that owns them, or under the arena's lock.
    let pointer: UnsafeMutableRawPointer

    init(_ pointer: UnsafeMutableRawPointer) { unsafe self.pointer = pointer }

    func advanced(by count: Int) -> Address { unsafe Address(pointer + count) }
}
