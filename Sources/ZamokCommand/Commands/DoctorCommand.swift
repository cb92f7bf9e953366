// SPDX-License-Identifier: Apache-2.0

import ArgumentParser

struct DoctorCommand: ParsableCommand {
    static let configuration = CommandConfiguration(commandName: "doctor", abstract: "x")
    @OptionGroup var global: GlobalOptions
}
