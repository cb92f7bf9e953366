// SPDX-License-Identifier: Apache-2.0

// For files that import Testing beside a module named UIKit the compiler imports an overlay of this name in place of both,
// where the toolchain knows of one. There is nothing to add to them here.
@_exported public import Testing
@_exported public import UIKit
