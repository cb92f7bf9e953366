// SPDX-License-Identifier: Apache-2.0

public import SecretMemory

extension Keybag {
    /// Sets after how many wrong passcodes in a row the home is erased; nil: never, the default. The limit stays
    /// until it is changed or the passcode is removed. One KDF, through the attempt limiter: changing the limit
    /// takes the passcode.
    ///
    /// Errors: `.wrongPasscode`, `.tooManyAttempts`, `.noPasscode`, `.invalidArgument` (outside 5...255), `.erased`,
    /// `.damaged` and the like, `.forked`, `.diskFull`, `.readOnly`, `.io`.
    public func setErase(
        afterFailedAttempts limit: Int?, passcode: borrowing SecretBytes
    ) throws(DataProtectionError) {
        try mapping {
            guard let value = UInt8(exactly: limit ?? 0), value == 0 ? limit == nil : value >= 5 else {
                throw DataProtectionError(
                    .invalidArgument, "the number of wrong passcodes before erasing must be 5 to 255")
            }
            guard try view().file.hasPasscode else {
                throw noPasscode()
            }
            let passcode = try Passcode(passcode)
            try rewrite { file, opened in
                let root = try rootByPasscode(passcode, opened)
                file.eraseAfter = value
                try file.sign(opened.roots, person: root)
            }
        }
    }

    /// Accepts a keybag that is older than what a database has seen. Its generation is above `seen` from now on, so
    /// that every store agrees again. Only for an explicit command. Errors: `.damaged` and the like, `.forked`,
    /// `.diskFull`, `.readOnly`, `.io`.
    package func acceptRestoredCopy(above seen: UInt64) throws(DataProtectionError) {
        try mapping {
            guard seen < UInt64.max - 1 else { throw DataProtectionError(.damaged, "a generation is out of range") }
            // Files may since have been wrapped under keys that aren't marked in this copy.
            let hasFiles = try place.folder.folder("stores", making: false)?.names().isEmpty == false
            try rewrite { file, _ in
                if file.generation <= seen { file.generation = seen + 1 }
                guard hasFiles else { return }
                for index in file.slots.indices where file.slots[index].canBeOfFiles {
                    file.slots[index].isOfFiles = true
                }
            }
        }
    }
}
