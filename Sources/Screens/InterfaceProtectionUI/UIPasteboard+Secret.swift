// SPDX-License-Identifier: Apache-2.0

#if canImport(UIKit) && !os(tvOS) && !os(watchOS)
public import Foundation
public import InterfaceProtection
public import UIKit

extension UIPasteboard {
    /// Copies the content of `field`, if `policy` allows it. Returns false if nothing was copied.
    ///
    /// The copy is for this device only, not for the user's others. The system removes it after `policy.clearsAfter`. A
    /// program that reads it meanwhile keeps what it read.
    @discardableResult
    public func copy(_ field: SecretField, under policy: ClipboardPolicy, at now: Date = Date()) -> Bool {
        guard policy.isAllowed, let text = field.exposingText(), !text.isEmpty else { return false }
        let seconds =
            Double(policy.clearsAfter.components.seconds) + Double(policy.clearsAfter.components.attoseconds) / 1e18
        setItems(
            [["public.utf8-plain-text": text]],
            options: [.localOnly: true, .expirationDate: now.addingTimeInterval(seconds)])
        return true
    }
}
#endif
