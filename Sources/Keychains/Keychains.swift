// SPDX-License-Identifier: Apache-2.0

@_exported public import class DataProtection.AuthenticationContext
@_exported public import struct KeychainStore.AccessConstraints
@_exported public import enum KeychainStore.Accessibility
@_exported public import enum KeychainStore.ItemClass
@_exported public import struct KeychainStore.KeychainError
@_exported public import struct KeychainStore.KeychainFinding
@_exported public import struct KeychainStore.KeychainRepair
@_exported public import struct KeychainStore.KeychainTransfer
@_exported public import struct KeychainStore.PersistentReference
