import Glibc
import Logging
import RacServer

/// Standard output or standard error, without the buffers of the C library.
struct StandardFile {
    /// A failed write to a standard file, in words.
    struct Fault: Error, CustomStringConvertible {
        let description: String
    }

    static let output = StandardFile(number: STDOUT_FILENO, name: "standard output")
    static let error = StandardFile(number: STDERR_FILENO, name: "standard error")

    /// Keeps the numbers of closed standard files from sockets and databases; to be called first in the process.
    ///
    /// A text for a closed output fails, as it would without the file. So does one for a pipe without a reader, instead of
    /// ending the process.
    static func prepare() {
        signal(SIGPIPE, SIG_IGN)
        for number in STDIN_FILENO...STDERR_FILENO where fcntl(number, F_GETFD) == -1 {
            _ = open("/dev/null", number == STDIN_FILENO ? O_RDWR : O_RDONLY)
        }
    }

    private let number: Int32
    private let name: String

    var isTerminal: Bool { isatty(self.number) == 1 }

    /// Writes a text; returns the fault if the file does not take all of it.
    @discardableResult
    func write(_ text: String) -> Fault? {
        var text = text
        return text.withUTF8 { self.write(UnsafeRawBufferPointer($0)) }
    }

    /// Writes a line about the program, with a priority for the journal of systemd.
    func report(_ level: Logger.Level, _ message: String) {
        self.write("\(LogReader.present.prefix(level))racd: \(message)\n")
    }

    /// Writes a line, or several.
    func print(_ text: String) throws {
        if let fault = self.write(text + "\n") { throw fault }
    }

    /// Writes bytes; returns the fault if the file does not take all of them.
    func write(_ bytes: UnsafeRawBufferPointer) -> Fault? {
        var written = 0
        while written < bytes.count {
            let count = Glibc.write(self.number, bytes.baseAddress?.advanced(by: written), bytes.count - written)
            if count >= 0 {
                written += count
            } else if errno != EINTR {
                return Fault(description: "cannot write to \(self.name): \(String(cString: strerror(errno)))")
            }
        }
        return nil
    }
}
