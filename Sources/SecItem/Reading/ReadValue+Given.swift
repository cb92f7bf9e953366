// SPDX-License-Identifier: Apache-2.0

#if !canImport(Darwin)
import Foundation
import KeychainStore

extension ReadValue {
    /// The value as an attribute takes it.
    var given: GivenValue {
        switch self {
        case .text(let text): .text(text)
        case .data(let data): .data(data.byteArray)
        case .number(let number): .number(number)
        case .boolean(let boolean): .boolean(boolean)
        case .date(let date): .date(date.timeIntervalSinceReferenceDate)
        case .inexactNumber, .null, .array, .other: .unusable
        }
    }
}
#endif
