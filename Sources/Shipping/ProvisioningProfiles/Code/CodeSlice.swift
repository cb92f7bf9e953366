// SPDX-License-Identifier: Apache-2.0

/// One architecture of an executable.
public struct CodeSlice: Sendable {
    /// `arm64` for example.
    public let architecture: String
    /// What it was built for; nil for simulators and files without the load command.
    public let platform: Platform?
    /// Its code signature; nil where it has none.
    public let signature: CodeSignature?
}
