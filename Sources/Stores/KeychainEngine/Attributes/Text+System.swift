// SPDX-License-Identifier: Apache-2.0

extension String {
    /// Whether both are the same bytes in UTF-8. At once where they lie in one piece, as nearly all do: one by one they take a hundredth of a lookup.
    /// Names from outside are compared so: `==` takes different Unicode forms of a text for the same.
    package func hasBytes(of other: String) -> Bool {
        let isSame = unsafe utf8.withContiguousStorageIfAvailable { own in
            unsafe other.utf8.withContiguousStorageIfAvailable { other in
                unsafe UnsafeRawBufferPointer(own).elementsEqual(UnsafeRawBufferPointer(other))
            }
        }
        return (isSame ?? nil) ?? utf8.elementsEqual(other.utf8)
    }
}
