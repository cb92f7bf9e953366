// SPDX-License-Identifier: Apache-2.0

import InterfaceProtection
import InterfaceProtectionUI
import TerminalPrivacy

let field = SecretField()
try field.append("secret")
let screen = PrivacyScreen(policy: .init(locksAfter: .seconds(60)))
precondition(screen.isLocked && field.count == 6)
_ = TerminalPolicy()
