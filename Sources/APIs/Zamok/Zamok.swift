// SPDX-License-Identifier: Apache-2.0

// Everything an app needs to keep secrets, in one import.
@_exported public import AppUsers
@_exported public import DataProtection
@_exported public import Keychains
@_exported public import ProtectedFiles
@_exported public import SecretMemory
@_exported public import UserPreferences
