// SPDX-License-Identifier: Apache-2.0

extension Place {
    /// Whether a file of this name, in any folder, is of this place.
    package func isNamed(_ name: String) -> Bool { names.contains { Glob.matches($0, name) } }
}
