// SPDX-License-Identifier: Apache-2.0

/// Who a program is and which access groups it may use.
public struct ApplicationIdentity: Sendable, Equatable {
    /// `application-identifier`, else the bundle identifier, else the executable's file name.
    public let applicationIdentifier: String
    /// In order; the first one is the default group. Empty: every call answers errSecMissingEntitlement.
    public let accessGroups: [String]
    /// May see every group (the `zamok` command).
    public let seesAllGroups: Bool

    /// An identity set by code.
    public init(applicationIdentifier: String, accessGroups: [String], seesAllGroups: Bool = false) {
        self.applicationIdentifier = applicationIdentifier
        self.accessGroups = accessGroups
        self.seesAllGroups = seesAllGroups
    }
}
