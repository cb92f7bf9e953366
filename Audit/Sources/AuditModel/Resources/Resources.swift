// SPDX-License-Identifier: Apache-2.0

/// What a project holds beside Swift.
///
/// Each reader has a file of its own in this folder and adds a property here.
package struct Resources: Sendable {
    /// `contents` gives a file's bytes, nil (and a line in `skipped`) if it can't be read.
    static func read(_ files: [ProjectFile], contents: (ProjectFile) -> [UInt8]?, skipped: inout [Skipped]) -> Resources
    {
        Resources()
    }
}
