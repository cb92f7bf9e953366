// SPDX-License-Identifier: Apache-2.0

import Foundation

/// Lends words to C, with a null at the end.
func withTexts<R>(_ words: [String], _ body: ([UnsafeMutablePointer<CChar>?]) -> R) -> R {
    let copies = unsafe words.map { unsafe strdup($0) }
    defer { for index in unsafe copies.indices { unsafe free(copies[index]) } }
    return unsafe body(copies + [nil])
}
