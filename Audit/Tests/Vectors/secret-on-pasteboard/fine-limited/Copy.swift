// SPDX-License-Identifier: Apache-2.0

import UIKit

func copy(password: String) {
    UIPasteboard.general.setItems(
        [["public.utf8-plain-text": password]],
        options: [.localOnly: true, .expirationDate: Date().addingTimeInterval(30)])
}
