// SPDX-License-Identifier: Apache-2.0

import Foundation
import ProvisioningProfiles

extension Report {
    private struct Document: Encodable {
        struct FindingRecord: Encodable {
            let rule: String
            let severity: String
            let path: String
            let detail: String?
            let reason: String
            let remedy: String
        }

        let version = 1
        let profiles: [ProfileRecord]
        let apps: [AppRecord]
        let findings: [FindingRecord]
        let failures: [Failure]
        let notChecked: [String]
    }

    func json(_ options: CheckOptions, _ shortener: Shortener) throws -> String {
        try encoded(
            Document(
                profiles: profiles.map { ProfileRecord(path: $0.path, $0.examined, at: options.now, shortener) },
                apps: apps.flatMap(\.all).map { AppRecord($0, options, shortener) },
                findings: findings.map {
                    .init(
                        rule: $0.rule.id, severity: $0.severity.rawValue, path: $0.place.path, detail: $0.place.detail,
                        reason: $0.reason, remedy: $0.remedy)
                },
                failures: failures, notChecked: coversCode ? CheckReport.notChecked : []))
    }
}
