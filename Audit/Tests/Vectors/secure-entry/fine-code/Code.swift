// SPDX-License-Identifier: Apache-2.0

import SwiftUI
import UIKit

/// The system fills a one-time code in, and Apple's fields show it.
struct CodeView: View {
    @State private var otpCode = ""

    var body: some View {
        TextField("One-time code", text: $otpCode).textContentType(.oneTimeCode)
    }
}

final class CodeController: UIViewController {
    private let otpCodeField = UITextField()

    override func viewDidLoad() {
        super.viewDidLoad()
        otpCodeField.textContentType = .oneTimeCode
    }
}
