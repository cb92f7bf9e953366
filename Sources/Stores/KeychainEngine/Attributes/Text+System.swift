// SPDX-License-Identifier: Apache-2.0

extension String {
    /// Whether both have the same bytes in UTF-8. Names from outside are compared like this, because `==` treats
    /// different Unicode forms as the same.
    /// Contiguous storage, as nearly all strings have, is compared at once. Byte by byte the comparison takes a
    /// hundredth of a lookup.
    package func hasBytes(of other: String) -> Bool {
        let isSame = unsafe utf8.withContiguousStorageIfAvailable { own in
            unsafe other.utf8.withContiguousStorageIfAvailable { other in
                unsafe UnsafeRawBufferPointer(own).elementsEqual(UnsafeRawBufferPointer(other))
            }
        }
        return (isSame ?? nil) ?? utf8.elementsEqual(other.utf8)
    }
}
