// SPDX-License-Identifier: Apache-2.0

// Everything is in SecItem; this module has only the name that code for Apple's systems imports.
@_exported public import SecItem
