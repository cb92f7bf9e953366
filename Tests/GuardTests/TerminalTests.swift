// SPDX-License-Identifier: Apache-2.0

import Foundation
import TestSupport
import Testing

/// A guard as a job of a shell in a terminal.
@Suite(.needsBoundary) struct TerminalTests {
    /// Plays the person: types, changes the size, and prints what became of it.
    private static let person = #"""
        import fcntl, os, pty, re, select, signal, struct, sys, termios, time
        zamok, mark = sys.argv[1], sys.argv[2]
        process, terminal = pty.fork()
        if process == 0: os.execvp("bash", ["bash", "--norc", "--noprofile", "-i"])
        def size(rows, columns): fcntl.ioctl(terminal, termios.TIOCSWINSZ, struct.pack("HHHH", rows, columns, 0, 0))
        shown = ""
        def wait(pattern, seconds=60):
            global shown
            end = time.monotonic() + seconds
            while not (found := re.search(pattern, shown)):
                if not select.select([terminal], [], [], max(0, end - time.monotonic()))[0]: sys.exit("no %r in %r" % (pattern, shown))
                shown += os.read(terminal, 65536).decode(errors="replace")
            shown = shown[found.end():]
        def type_(text): os.write(terminal, text.encode())
        def states():
            found = []
            for name in os.listdir("/proc"):
                try:
                    words = open("/proc/%s/cmdline" % name, "rb").read().split(b"\0")
                    state = open("/proc/%s/stat" % name).read().rpartition(")")[2].split()[0]
                except OSError: continue
                if words[0] == b"sh" and mark.encode() in words: found.append(state)
            return found
        def become(what, wanted):
            end = time.monotonic() + 20
            while not wanted(states()):
                if time.monotonic() > end: sys.exit("%s: %r" % (what, states()))
                time.sleep(0.02)
            print(what, flush=True)
        size(24, 80)
        type_("PS1='ready''> '\n"); wait("ready> ")
        script = "setsid sh -c 'while :; do sleep 0.05; done' x " + mark + " & trap 'echo size $(stty size)' WINCH; echo beg''an; while :; do sleep 0.05; done"
        type_('%s guard --name terminal -- sh -c "%s" %s\n' % (zamok, script.replace("$", "\\$"), mark)); wait("began")
        size(40, 100); wait("size 40 100"); print("size", flush=True)
        type_("\x1a"); wait("Stopped.*\r?\n"); wait("ready> ")
        become("stopped", lambda found: found and all(state in "TD" for state in found))
        type_("fg\n"); become("continued", lambda found: found and not any(state == "T" for state in found))
        size(30, 90); wait("size 30 90")
        type_("\x1a"); wait("Stopped.*\r?\n"); wait("ready> ")
        type_("bg\n"); wait("ready> "); time.sleep(0.3)
        become("not in the background", lambda found: found and all(state in "TD" for state in found))
        type_("fg\n"); become("again", lambda found: found and not any(state == "T" for state in found)); type_("\x03"); wait("ready> "); type_("echo status $?\n"); wait("status 130"); print("interrupted", flush=True)
        become("ended", lambda found: not found)
        # Its parent waits for it in the kernel until its exec, and can't be stopped before.
        os.mkfifo("fifo"); begin = 'import os; print("beg" + "an", flush=True); os.posix_spawn("/bin/echo", ["echo", "resu" + "med"], {}, file_actions=[(os.POSIX_SPAWN_OPEN, 3, "fifo", os.O_RDONLY, 0)])'
        type_("%s guard --name terminal -- python3 -c '%s'\n" % (zamok, begin)); wait("began"); time.sleep(0.2)
        type_("\x1a"); wait("Stopped.*\r?\n"); wait("ready> "); type_("fg\n")
        fifo = os.open("fifo", os.O_RDWR); wait("resumed"); os.close(fifo); wait("ready> "); print("resumed", flush=True)
        type_("%s guard --name terminal -- sh -c 'stty -echo raw; exit 3'; echo status $?\n" % zamok); wait("status 3"); wait("ready> ")
        print("modes" if termios.tcgetattr(terminal)[3] & termios.ISIG else "raw", flush=True)
        """#

    // ^Z stops the guest, and fg continues it.
    // Rule: a guest runs in the foreground alone | the guard did not wait for it | bg continued the guest
    // Rule: a process that waits in the kernel counts as stopped | state D did not | ^Z killed the guest
    @Test func `it is stopped, continued, resized and interrupted as any job`() throws {
        let scene = try GuardScene()
        try scene.write(Self.person, to: "\(scene.person)/../person.py")
        let child = try Child(
            "/bin/sh",
            [
                "-c", #"cd "$0" && exec python3 ../../person.py "$@" 2>&1"#, scene.work, try Tool.url("zamok").path,
                "mark-\(UUID().uuidString)",
            ], environment: scene.environment)
        let ended = try child.rest()
        #expect(
            ended.text.split(separator: "\n") == [
                "size", "stopped", "continued", "not in the background", "again", "interrupted", "ended", "resumed",
                "modes",
            ])
        #expect(ended.status == 0)
    }
}
