// SPDX-License-Identifier: Apache-2.0

package import Files

extension Keybag {
    /// The file of the counters that all processes of the home share, open to read, for a process that has no home and
    /// watches for locks (Documentation/Formats/Keybag.md, `generation`), and its folder, where another file may take
    /// its name. Nil: there is none that can be opened.
    package var counters: (file: OpenFile, folder: OpenFile)? { process.page.openFile }
}
