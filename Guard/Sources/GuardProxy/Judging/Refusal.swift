// SPDX-License-Identifier: Apache-2.0

/// A request that is not sent, or an answer that is not passed on.
package struct Refusal: Error, Equatable {
    /// Of HTTP.
    package let status: UInt16
    /// One line.
    package let text: String

    package init(_ status: UInt16, _ text: String) { (self.status, self.text) = (status, text) }

    static func malformed(_ text: String) -> Refusal { Refusal(400, text) }
    static func forbidden(_ text: String) -> Refusal { Refusal(403, text) }
    /// Of a connection that failed.
    static func of(_ error: any Error, _ host: Host) -> Refusal {
        error as? Refusal ?? Refusal(502, "\(host.authority): \(error)")
    }
}
