import Dispatch
import Glibc

/// The terminal of a live table: its screen is put back when the table ends.
final class Screen {
    /// An event of the screen, the most urgent one first.
    enum Event: CaseIterable {
        /// The user wants to leave.
        case quit
        /// The terminal has another size.
        case resized
        /// It is time for another table.
        case due
    }

    private static let enter = "\u{1B}[?1049h\u{1B}[?25l"
    private static let leave = "\u{1B}[?25h\u{1B}[?1049l"

    /// The settings to put back; nil once that is done.
    private var settings: termios?
    private let resizing: any DispatchSourceSignal
    private let typing: any DispatchSourceRead

    /// Nil if standard output is no terminal.
    ///
    /// - Parameter onEvent: Called when the table has to end, or to be drawn for another size.
    init?(onEvent: @escaping @Sendable (Event) -> Void) {
        guard isatty(STDOUT_FILENO) == 1 else { return nil }
        var settings = termios()
        // Keys come from the terminal only if that is standard input.
        let hasKeys = isatty(STDIN_FILENO) == 1 && tcgetattr(STDIN_FILENO, &settings) == 0
        self.settings = hasKeys ? settings : nil
        if hasKeys {
            settings.c_lflag &= ~tcflag_t(ICANON | ECHO)
            tcsetattr(STDIN_FILENO, TCSANOW, &settings)
        }
        Descriptors.output.write(Self.enter)
        signal(SIGWINCH, SIG_IGN)
        self.resizing = DispatchSource.makeSignalSource(signal: SIGWINCH, queue: .global())
        self.resizing.setEventHandler { onEvent(.resized) }
        self.resizing.activate()
        self.typing = DispatchSource.makeReadSource(fileDescriptor: STDIN_FILENO, queue: .global())
        self.typing.setEventHandler {
            let typed = Descriptors.input.read(upTo: 64) ?? []
            if typed.contains(where: { "qQ\u{3}\u{4}".utf8.contains($0) }) { onEvent(.quit) }
        }
        if hasKeys { self.typing.activate() }
    }

    var size: (columns: Int, rows: Int) {
        var size = winsize()
        guard ioctl(STDOUT_FILENO, UInt(TIOCGWINSZ), &size) == 0, size.ws_col > 0, size.ws_row > 0 else {
            return (80, 24)
        }
        return (Int(size.ws_col), Int(size.ws_row))
    }

    /// Replaces the shown lines, all in one write so that nothing flickers.
    func show(_ lines: [String], heading: Int) {
        let (columns, rows) = self.size
        let shown = lines.prefix(rows).enumerated().map { place, line in
            place == heading ? "\u{1B}[7m\(line.filled(to: columns))\u{1B}[m" : "\(line)\u{1B}[K"
        }
        let text = shown.joined(separator: "\r\n")
        Descriptors.output.write("\u{1B}[H\(text)\u{1B}[J")
    }

    /// Puts the terminal back as it was.
    func close() {
        self.resizing.cancel()
        if var settings = self.settings {
            self.typing.cancel()
            tcsetattr(STDIN_FILENO, TCSANOW, &settings)
            self.settings = nil
        }
        Descriptors.output.write(Self.leave)
    }
}
