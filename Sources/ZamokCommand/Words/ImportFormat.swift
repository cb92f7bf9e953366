// SPDX-License-Identifier: Apache-2.0

import ArgumentParser
import Keychains

/// What an imported file is.
enum ImportFormat: String, ExpressibleByArgument, CaseIterable {
    /// A sealed export.
    case zamok
    case jsonLines = "json-lines"
    case secretTool = "secret-tool"

    /// nil: not a text.
    var form: ItemListing.Form? {
        switch self {
        case .zamok: nil
        case .jsonLines: .jsonLines
        case .secretTool: .secretTool
        }
    }
}
