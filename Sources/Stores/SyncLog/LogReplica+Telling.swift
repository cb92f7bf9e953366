// SPDX-License-Identifier: Apache-2.0

extension LogReplica.Notice {
    /// One line for the user.
    public var text: String {
        switch self {
        case .void(let place, let reason): "entry \(place) doesn't count: \(reason.text)"
        case .badPart(let place, _):
            "entry \(place) has something that doesn't open or breaks the format, though a member sealed it; it was left out"
        case .ownChainAhead(let place):
            "entry \(place) is this device's and not known here: it was put back from a backup, or a copy is at work"
        case .clockAhead(let author, _):
            "the clock of device \(author) is far ahead; until then what it edits, and later edits of the same, win over edits that didn't know of it"
        case .wrongSnapshot(let place):
            "the snapshot at entry \(place) is not what the log comes to here; it is not acknowledged"
        case .wrongKey(let place):
            "keys that entry \(place) seals to this device are not the others'; have it removed, and join again"
        case .noSnapshot(let place):
            "no snapshot could be made at entry \(place), where the engine has something else; it is tried again"
        case .rekeyed(let author): "device \(author) has new keys: it was put back from a backup, or copied"
        }
    }
}

extension VoidReason {
    var text: String {
        switch self {
        case .tooLarge: "it is too large"
        case .malformed: "it is no entry"
        case .anotherAccount: "it is another account's"
        case .anotherPlace: "it is another place's, played again"
        case .unknownAuthor: "no member has its author's number"
        case .endedAuthor: "its author is no member any more"
        case .badSignature: "its signature is wrong"
        case .anotherLog: "it continues another log"
        case .outOfSequence: "its author's entries don't lead to it"
        case .anotherEpoch: "it is of another epoch"
        case .notAllowed: "its author may not write that, or it says what can't be"
        }
    }
}
