import Glibc

/// The size of the terminal that shows standard output.
enum TerminalSize {
    /// The size in cells; nil if standard output is no terminal or does not report it.
    static var ofOutput: (columns: Int, rows: Int)? {
        var size = winsize()
        guard ioctl(STDOUT_FILENO, UInt(TIOCGWINSZ), &size) == 0, size.ws_col > 0, size.ws_row > 0 else { return nil }
        return (Int(size.ws_col), Int(size.ws_row))
    }
}
