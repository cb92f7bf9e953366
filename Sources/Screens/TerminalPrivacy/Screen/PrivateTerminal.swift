// SPDX-License-Identifier: Apache-2.0

public import InterfaceProtection
public import SecretMemory

/// A terminal that keeps its content from other people.
///
/// It uses the alternate screen, so that nothing stays in the scrollback. It covers the screen when the terminal loses
/// focus and when the program is stopped. It restores the terminal, emptied, at every end of the program that can
/// be observed.
///
/// ```swift
/// try TerminalPrivacy.supervised {
///     let terminal = try PrivateTerminal()
///     while let event = try terminal.next() {
///         model.handle(event)
///         terminal.draw { canvas in model.draw(&canvas) }
///     }
/// }
/// ```
///
/// Use one for each process, from one thread. It can't prevent a terminal's own recordings, or other processes of the
/// user from reading this one's memory. Drawing uses strings, which can't be wiped.
public final class PrivateTerminal {
    /// What happened.
    public enum Event: Sendable {
        /// A key was pressed.
        case key(Key)
        /// A paste of at most 64 KiB.
        case paste(Secret)
        /// A key was pressed while the program is locked: pass it only to what unlocks. `key` never arrives then.
        case lockedKey(Key)
        /// A paste while the program is locked: at most a passcode. `paste` never arrives then.
        case lockedPaste(Secret)
        /// A paste was not accepted: tell the user why.
        case pasteRefused(PasteRefusal)
        /// The screen must be drawn: at the start, after a change of size, after a cover.
        case redraw
        /// The timeout has passed.
        case timeout
        /// The screen is now covered.
        case covered(CoverReason)
        /// The program is locked: drop what is open. Draw how to unlock with `drawLocked`, pass what `lockedKey` and
        /// `lockedPaste` bring to it, and call `unlock` after success. The event arrives as soon as the lock is due,
        /// even behind a cover, and again when the user is back.
        case locked
        /// The outcome of a copy, after it was made and when its time is over.
        case clipboard(ClipboardOutcome)
    }

    /// How this terminal protects its content.
    public let policy: TerminalPolicy
    /// Lock after this long without a key, with focus or without; nil: never; zero or less counts as 1 s. Initially the
    /// policy's value. It can be changed, since users of a shared program may have settings of their own.
    public var locksAfterInactivity: Duration?
    /// The fields and screens that are masked and cleared with the events.
    public let contents: ConfidentialContents

    let device: TerminalDevice
    var parser = KeyParser()
    var screen: PrivacyScreen
    var events: [Event] = []
    var reason = CoverReason.request
    var clipboard: ClipboardState? {
        didSet { if clipboard == nil, oldValue != nil { device.entrust(nil) } }
    }
    private var widths = WidthQuestions()
    private let asksForWidths: Bool
    private(set) var lastKey = ContinuousClock.Instant.now
    /// When the user went away; nil while the user is present.
    private(set) var asleepSince: ContinuousClock.Instant?
    private var episode: LockEpisode?
    private var coverFrame: [UInt8] = []
    /// Whether the terminal has taken no output: what it shows is not known, and nothing is drawn until it does.
    private(set) var isStalled = false
    /// When this program last ran. What follows may be a stop.
    var lastRun = ContinuousClock.Instant.now

    /// Whether the terminal has reported its focus since the start. Until it does, a loss of focus can't cover
    /// the screen.
    public internal(set) var reportsFocus = false
    /// Whether it has the focus, by its last report.
    var hasFocus = true
    /// The size of the screen.
    public private(set) var size: (columns: Int, rows: Int)

    static let scene = SceneID("terminal")
    // Alternate screen, no cursor, no wrapping of long lines, which would scroll, focus reports, bracketed paste; then
    // clears the screen.
    private static let enter = "\u{1B}[?1049h\u{1B}[?25l\u{1B}[?7l\u{1B}[?1004h\u{1B}[?2004h\u{1B}[2J\u{1B}[H"
    // Clears the screen before leaving it, since a terminal may keep the alternate screen's last content. Focus reports
    // are switched off, or the shell would print them as text.
    private static let leave =
        "\u{1B}[?2026l\u{1B}[0m\u{1B}[2J\u{1B}[H\u{1B}[?7h\u{1B}[?1004l\u{1B}[?2004l\u{1B}[?1049l\u{1B}[?25h"
    /// Erases the lines that the terminal keeps after they leave its screen.
    private static let eraseKept = "\u{1B}[3J"

    /// Whether this terminal has no alternate screen, or doesn't report one. Then drawn content can reach its
    /// scrollback, and is erased there as far as the terminal allows. Only with `ScrollbackPolicy.erase`.
    public let keepsScrollback: Bool
    let multiplexer: String?

    /// Takes over the process's terminal. Errors: `.noTerminal`, `.inUse`, `.noOtherScreen` (also where `TERM` says
    /// that nothing can be drawn: write lines there, by `LineMode`), `.noMemory`, `.system`.
    public init(
        policy: TerminalPolicy = TerminalPolicy(), contents: ConfidentialContents = .shared
    ) throws(TerminalError) {
        self.policy = policy
        locksAfterInactivity = policy.locksAfterInactivity ?? policy.screen.locksAfterInactivity
        self.contents = contents
        // Asked on the normal screen, with nothing drawn yet.
        let asked = try TerminalDevice(enter: "", leave: "")
        guard LineMode.canDraw(in: ProcessEnvironment.current) else {
            throw TerminalError(
                .noOtherScreen,
                "TERM is dumb or not set, so nothing is drawn: set TERM, or ZAMOK_LINES=0 if the terminal can draw; "
                    + "a program writes lines there by LineMode")
        }
        let (answers, hasOtherScreen) = try asked.identify()
        _ = consume asked
        multiplexer = answers.multiplexer(or: ProcessEnvironment.current)
        asksForWidths = !answers.positions.isEmpty
        keepsScrollback = hasOtherScreen != true
        guard !keepsScrollback || policy.scrollback == .erase else {
            throw TerminalError(.noOtherScreen, Self.refusal(in: multiplexer, isKnown: hasOtherScreen != nil))
        }
        device = try TerminalDevice(
            enter: Self.enter, leave: keepsScrollback ? Self.leave + Self.eraseKept : Self.leave)
        var screenPolicy = policy.screen
        // Locked at its start only on request.
        screenPolicy.locksAtLaunch = screenPolicy.locksAtLaunch ?? false
        // The terminal measures it itself: it alone knows which bytes are keys.
        screenPolicy.locksAfterInactivity = nil
        screen = PrivacyScreen(policy: screenPolicy)
        size = device.size
        prepareCover()
        // The user has just started the program and is looking at it.
        for event in [PrivacyScreen.Event.sceneWillConnect(Self.scene), .sceneDidActivate(Self.scene)] { handle(event) }
        events = [isLocked ? .locked : .redraw]
    }

    private static func refusal(in multiplexer: String?, isKnown: Bool) -> String {
        guard isKnown else {
            return
                "this terminal does not say whether it keeps what a program has drawn, so nothing is drawn; use another terminal"
        }
        let remedy =
            switch multiplexer {
            case "tmux": "type: tmux set -g alternate-screen on"
            case "screen": "type Control-A, then :altscreen on"
            default: "switch its alternate screen on, or use another terminal"
            }
        return "this terminal would keep what the program draws in its scrollback; " + remedy
    }

    deinit {
        endClipboard()
        MeasuredWidths.forget()
    }

    /// Whether the screen is covered.
    public var isCovered: Bool { screen.isCovered(Self.scene) }

    /// Whether an unlock is required.
    public var isLocked: Bool { screen.isLocked }

    /// Draws the screen. Draws nothing while it is covered; a locked screen always is.
    public func draw(_ body: (inout Canvas) -> Void) {
        if !isCovered { show(body) }
    }

    /// Draws what a locked program shows. Draws nothing while it isn't locked, or is covered for another reason
    /// as well.
    public func drawLocked(_ body: (inout Canvas) -> Void) {
        if isLocked, isAwake { show(body) }
    }

    /// Covers the screen until the next key.
    public func cover() { sleep(.request) }

    /// Locks the program: secrets are cleared, and `.locked` follows.
    public func lock() { handle(.lockRequested) }

    /// Opens the lock: the user has authenticated, in answer to the last `.locked`.
    public func unlock() {
        guard let episode else { return }
        noteKey()
        handle(.unlocked(episode))
    }

    /// Restores the terminal, stops the program like Control-Z, and covers the screen when it continues. The time until
    /// then counts as away.
    public func suspend() {
        put(coverFrame)
        lastRun = .now
        device.suspend()
    }

    var isAwake: Bool { screen.phase(of: Self.scene) == .foregroundActive }

    func noteKey() { lastKey = .now }

    private func show(_ body: (inout Canvas) -> Void) {
        // Input that waits changes what is shown. Once it has been taken, the program draws.
        guard !events.contains(where: \.isInput) else {
            if isLocked { announceLock() } else { announceRedraw() }
            return
        }
        var canvas = Canvas(columns: size.columns, rows: size.rows)
        body(&canvas)
        let question =
            asksForWidths ? widths.ask(for: canvas.unmeasured, columns: size.columns, rows: size.rows) : ""
        put(Array(question.utf8) + canvas.frame)
    }

    private func put(_ bytes: [UInt8]) { if !isStalled { isStalled = !device.write(bytes) } }

    /// Draws again once the terminal takes output.
    func seeToOutput() {
        guard isStalled, device.takesOutput else { return }
        isStalled = false
        // CAN ends a sequence that was cut off (ECMA-48, 8.3.6).
        put([0x18])
        resize()
    }

    /// Handles a cursor report, and so the width of a drawn character: what follows it may move.
    func noteCursor(row: Int, column: Int) {
        guard widths.answer(row: row, column: column) else { return }
        if isLocked { announceLock() } else if isAwake { events.append(.redraw) }
    }

    private func prepareCover() {
        var canvas = Canvas(columns: size.columns, rows: size.rows)
        if let cover = policy.cover {
            cover(&canvas, reason)
        } else {
            let middle = max(0, size.rows / 2 - 1)
            canvas.centered(policy.title, row: middle - 1, .bold)
            canvas.centered(reason.explanation, row: middle + 1, .dim)
            canvas.centered("Press a key to go on.", row: middle + 2, .dim)
        }
        coverFrame = canvas.frame
    }

    /// Reads the size again, and redraws.
    func resize() {
        size = device.size
        prepareCover()
        // A terminal that was made smaller and larger again shows what it kept of lines that were cut off.
        put(Array("\u{1B}[2J\(keepsScrollback ? Self.eraseKept : "")".utf8))
        if isCovered, !(isLocked && isAwake) {
            put(coverFrame)
        } else {
            events.append(isLocked ? .locked : .redraw)
        }
    }

    /// The user is away: covers the screen, and measures the time from `start`.
    func sleep(_ why: CoverReason, since start: ContinuousClock.Instant = .now) {
        if why != reason {
            reason = why
            prepareCover()
        }
        let wasAwake = isAwake
        handle(.sceneWillDeactivate(Self.scene))
        handle(.sceneDidEnterBackground(Self.scene))
        if wasAwake {
            asleepSince = start
            contents.handle(.backgrounded)
            events.append(.covered(why))
        }
    }

    /// The user is back.
    func wake() {
        noteKey()
        guard !isAwake else { return }
        asleepSince = nil
        contents.handle(.foregrounded)
        handle(.sceneWillEnterForeground(Self.scene))
        handle(.sceneDidActivate(Self.scene))
        // What a locked program shows must be redrawn after every cover.
        if isLocked { announceLock() }
    }

    private func announceLock() {
        if !events.contains(where: { if case .locked = $0 { true } else { false } }) { events.append(.locked) }
    }

    private func announceRedraw() {
        if !events.contains(where: { if case .redraw = $0 { true } else { false } }) { events.append(.redraw) }
    }

    func handle(_ event: PrivacyScreen.Event) {
        for action in screen.handle(event, at: .now) {
            switch action {
            case .cover: put(coverFrame)
            case .uncover: events.append(.redraw)
            case .maskSecrets: contents.maskAll()
            case .requireUnlock(let episode):
                self.episode = episode
                announceLock()
            case .lock(let episode):
                self.episode = episode
                // What was typed before was meant for what is dropped now, not for what unlocks.
                events.removeAll(where: \.isInput)
                contents.handle(.locked)
                announceLock()
            // A terminal is one window with one reader of keys, which checks `isCovered` itself. Its cover explains why
            // it is there.
            case .discardCover, .endEditing, .explain, .takeInput, .returnInput, .redact, .reportScreenshot: break
            }
        }
    }
}
