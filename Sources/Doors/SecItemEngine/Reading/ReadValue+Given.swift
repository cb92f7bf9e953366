// SPDX-License-Identifier: Apache-2.0

#if !canImport(Darwin)
import Foundation
import KeychainEngine
import Readers
import SecItem
import SecurityTypes

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

    /// The same for a certificate's issuer: a Name in DER stands for its normalized content, other bytes for themselves.
    var givenIssuer: GivenValue {
        guard case .data(let data) = self, let content = DistinguishedName.normalizedContent(of: data.byteArray) else {
            return given
        }
        return .data(content)
    }
}
#endif
