// SPDX-License-Identifier: Apache-2.0

/// The programs of which it is known where they keep secrets.
package enum Catalogue {
    /// In the order in which they are listed. A file that several places name belongs to the first.
    package static let places: [Place] =
        packages + code + cloud + databases + mail + networks + agents + files
}
