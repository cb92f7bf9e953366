// SPDX-License-Identifier: Apache-2.0

@_exported public import class DataProtection.AuthenticationContext
@_exported public import struct KeychainEngine.AccessConstraints
@_exported public import enum KeychainEngine.Accessibility
@_exported public import enum KeychainEngine.ItemClass
@_exported public import struct KeychainEngine.KeychainError
@_exported public import struct KeychainEngine.KeychainFinding
@_exported public import struct KeychainEngine.KeychainRepair
@_exported public import struct KeychainEngine.KeychainTransfer
@_exported public import struct KeychainEngine.PersistentReference
