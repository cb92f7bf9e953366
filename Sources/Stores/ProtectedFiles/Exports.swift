// SPDX-License-Identifier: Apache-2.0

// `FileLocation`, which nearly every call takes, comes with this module.
@_exported public import Files

/// Files has one and DataProtection has one: this module means that of Files.
typealias FileError = Files.FileError
