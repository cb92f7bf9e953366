// SPDX-License-Identifier: Apache-2.0

/// Of the program, as it tells it.
enum Version { static let text = "0.1.0" }
