import Dispatch
import Glibc
import Synchronization

/// The terminal of a live table: it is put back as it was when the table or the process ends.
final class Screen {
    /// An event of the screen, the most urgent one first.
    enum Event: CaseIterable {
        /// The user wants to leave.
        case quit
        /// The terminal has another size, or a key changed the view.
        case resized
        /// It is time for another table.
        case due
    }

    private let signals: [any DispatchSourceSignal]
    private let typing: any DispatchSourceRead

    /// Nil if standard output is no terminal.
    ///
    /// - Parameters:
    ///   - onEvent: Called when the table has to be drawn for another size.
    ///   - onTyped: Called with the typed bytes.
    init?(
        onEvent: @escaping @Sendable (Event) -> Void,
        onTyped: @escaping @Sendable ([UInt8]) -> Void
    ) {
        guard Descriptors.output.isTerminal else { return nil }
        TerminalMode.enter()
        // Leaving the process by any way but SIGKILL passes here.
        atexit { TerminalMode.leave() }
        self.signals = [
            Self.source(SIGWINCH) { onEvent(.resized) },
            Self.source(SIGTSTP) {
                TerminalMode.leave()
                kill(getpid(), SIGSTOP)
                TerminalMode.enter()
                onEvent(.resized)
            },
        ]
        self.typing = DispatchSource.makeReadSource(fileDescriptor: STDIN_FILENO, queue: .global())
        let typing = self.typing
        self.typing.setEventHandler {
            let typed = (try? Descriptors.input.read(upTo: 64)) ?? []
            if typed.isEmpty { typing.cancel() } else { onTyped(typed) }
        }
        // Keys come from the terminal only if that is standard input.
        if !Descriptors.input.isTerminal { self.typing.cancel() }
        self.typing.activate()
    }

    private static func source(_ number: Int32, _ act: @escaping @Sendable () -> Void) -> any DispatchSourceSignal {
        signal(number, SIG_IGN)
        let source = DispatchSource.makeSignalSource(signal: number, queue: .global())
        source.setEventHandler(handler: act)
        source.activate()
        return source
    }

    var size: (columns: Int, rows: Int) {
        var size = winsize()
        guard ioctl(STDOUT_FILENO, UInt(TIOCGWINSZ), &size) == 0, size.ws_col > 0, size.ws_row > 0 else {
            return (80, 24)
        }
        return (Int(size.ws_col), Int(size.ws_row))
    }

    /// Replaces the shown lines, all in one write so that nothing flickers.
    ///
    /// - Parameters:
    ///   - lines: The lines from the top.
    ///   - heading: The number of the line that stands out.
    ///   - footer: The lines at the bottom.
    func show(_ lines: [String], heading: Int, footer: [String]) {
        let (columns, rows) = self.size
        let place = max(0, rows - footer.count)
        let blank = [String](repeating: "", count: max(0, place - lines.count))
        let shown = (lines.prefix(place) + blank + footer.prefix(rows)).enumerated().map { place, line in
            place == heading ? "\u{1B}[7m\(line.aligned(left: columns))\u{1B}[m" : "\(line)\u{1B}[K"
        }
        Descriptors.output.write("\u{1B}[H\(shown.joined(separator: "\r\n"))\u{1B}[J")
    }

    /// Replaces the last line alone.
    func note(_ text: String) {
        let (columns, rows) = self.size
        let text = text.onOneLine.visible.fitted(to: columns)
        Descriptors.output.write("\u{1B}[\(rows);1H\u{1B}[7m\(text)\u{1B}[m\u{1B}[K")
    }

    /// Puts the terminal back as it was.
    func close() {
        for source in self.signals { source.cancel() }
        self.typing.cancel()
        TerminalMode.leave()
    }
}

/// The mode of the process's terminal, which `enter` changes and `leave` puts back, once each.
private enum TerminalMode {
    private static let enterScreen = "\u{1B}[?1049h\u{1B}[?25l"
    private static let leaveScreen = "\u{1B}[?25h\u{1B}[?1049l"

    private enum State {
        case left
        /// Entered, with the settings to put back, if standard input is the terminal.
        case entered(termios?)
    }

    private static let state = Mutex(State.left)

    static func enter() {
        Self.state.withLock { state in
            guard case .left = state else { return }
            var settings = termios()
            let hasKeys = Descriptors.input.isTerminal && tcgetattr(STDIN_FILENO, &settings) == 0
            state = .entered(hasKeys ? settings : nil)
            settings.c_lflag &= ~tcflag_t(ICANON | ECHO)
            if hasKeys { tcsetattr(STDIN_FILENO, TCSANOW, &settings) }
            Descriptors.output.write(Self.enterScreen)
        }
    }

    static func leave() {
        Self.state.withLock { state in
            guard case .entered(let settings) = state else { return }
            state = .left
            if var settings { tcsetattr(STDIN_FILENO, TCSANOW, &settings) }
            Descriptors.output.write(Self.leaveScreen)
        }
    }
}
