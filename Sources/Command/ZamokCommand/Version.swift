// SPDX-License-Identifier: Apache-2.0

/// The version of the command, and of the package.
enum Version {
    static let number = "0.1.0"
    static let text = "zamok \(number)"
}
