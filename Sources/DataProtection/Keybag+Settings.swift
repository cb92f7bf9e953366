// SPDX-License-Identifier: Apache-2.0

extension Keybag {
    /// Erases the home after this many wrong passcodes in a row; nil: never, the default. Needs no passcode; kept until it is changed or the
    /// passcode is removed.
    ///
    /// Errors: `.noPasscode`, `.invalidArgument` (outside 5...255), `.damaged` and the like, `.forked`, `.diskFull`, `.readOnly`, `.io`.
    public func setErase(afterFailedAttempts limit: Int?) throws(DataProtectionError) {
        try door {
            guard let value = UInt8(exactly: limit ?? 0), value == 0 ? limit == nil : value >= 5 else {
                throw DataProtectionError(
                    .invalidArgument, "the number of wrong passcodes before erasing must be 5 to 255")
            }
            guard try view().file.hasPasscode else {
                throw DataProtectionError(.noPasscode, "no passcode is set; run: zamok passcode set")
            }
            try rewrite { $0.eraseAfter = value }
        }
    }

    /// Accepts a keybag that is older than what a database has seen: from now on its generation is above `seen`, so that every store agrees
    /// again. Only for an explicit command. Errors: `.damaged` and the like, `.forked`, `.diskFull`, `.readOnly`, `.io`.
    package func acceptRestoredCopy(above seen: UInt64) throws(DataProtectionError) {
        try door {
            guard seen < UInt64.max - 1 else { throw DataProtectionError(.damaged, "a generation is out of range") }
            try rewrite { file in if file.generation <= seen { file.generation = seen + 1 } }
        }
    }
}
