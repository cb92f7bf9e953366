// SPDX-License-Identifier: Apache-2.0

import ProvisioningProfiles
import SwiftParser
import SwiftSyntax

/// What stands in a project.
package struct ProjectModel: Sendable {}
