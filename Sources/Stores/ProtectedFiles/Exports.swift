// SPDX-License-Identifier: Apache-2.0

// Re-exported for `FileLocation`, a parameter of nearly every call.
@_exported public import Files

/// Both Files and DataProtection have a `FileError`; this module uses that of Files.
typealias FileError = Files.FileError
