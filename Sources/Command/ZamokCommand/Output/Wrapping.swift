// SPDX-License-Identifier: Apache-2.0

extension String {
    /// The text wrapped at spaces into lines of at most `width` where possible, all but the first indented by `indent`
    /// spaces. Without a width the text stays one line.
    func wrapped(to width: Int?, indent: Int) -> String {
        guard let width, count > width else { return self }
        let margin = String(repeating: " ", count: indent)
        var lines: [String] = []
        var line = ""
        for (index, word) in split(separator: " ", omittingEmptySubsequences: false).enumerated() {
            if index > 0, line.count + 1 + word.count > width, line.contains(where: { $0 != " " }) {
                lines.append(line)
                line = margin + word
            } else {
                line += (index > 0 ? " " : "") + word
            }
        }
        return (lines + [line]).joined(separator: "\n")
    }
}
