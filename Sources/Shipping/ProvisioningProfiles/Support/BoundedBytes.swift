// SPDX-License-Identifier: Apache-2.0

import Readers

/// A window of untrusted bytes whose errors have the window's code.
typealias BoundedBytes = Readers.BoundedBytes<ProfileError>

extension BoundedBytes {
    init(_ bytes: ArraySlice<UInt8>, failingAs code: ProfileError.Code) {
        self.init(bytes) { ProfileError(code, $0) }
    }

    init(_ bytes: [UInt8], failingAs code: ProfileError.Code) { self.init(bytes[...], failingAs: code) }
}
