// SPDX-License-Identifier: Apache-2.0

import ProvisioningProfiles

/// Everything that one run found, to be printed in one of three forms.
struct ProfilesReport {
    /// Something that could not be read.
    struct Failure {
        let path: String
        let code: String
        let message: String

        init(_ path: String, _ error: ProfileError) {
            (self.path, code, message) = (path, error.code.name, error.message)
        }
    }

    var profiles: [(path: String, examined: ExaminedProfile)] = []
    /// Apps that were read, for `show`.
    var apps: [AppBundle] = []
    var findings: [Finding] = []
    var failures: [Failure] = []
    /// Whether code was looked at; then the report says what no check covers.
    var coversCode = false

    /// 0 clean, 1 findings worse than notes, 2 something could not be read.
    var exitStatus: Int32 {
        if !failures.isEmpty { return ExitStatus.notRun }
        return findings.contains { $0.severity != .note } ? ExitStatus.findings : 0
    }
}
