// SPDX-License-Identifier: Apache-2.0

// `FileLocation`, which nearly every call takes, comes with this module.
@_exported public import Files

/// Not DataProtection's.
typealias FileError = Files.FileError
