// SPDX-License-Identifier: Apache-2.0

public import AuditModel
public import Findings

/// One rule: it looks at the whole project and tells the places that leak.
public protocol Rule: Sendable {
    static var description: RuleDescription { get }
    func examine(_ project: ProjectModel) -> [Finding]
}

/// Every rule, in the order in which findings of one place are told.
public let allRules: [any Rule] = []
