// SPDX-License-Identifier: Apache-2.0

/// Keeps key groups between calls.
protocol KeyHolder: Sendable {
    /// Keeps `group` in place of the earlier one of its role.
    func publish(_ group: KeyGroup) throws

    /// The group of a role as it is kept; the caller checks whether it is still good.
    func group(_ role: KeyGroup.Role, _ home: UniqueIdentifier, generation: UInt64) throws -> KeyGroup?

    /// Destroys every group of a role, of whatever generation.
    func destroy(_ role: KeyGroup.Role, _ home: UniqueIdentifier) throws
}
