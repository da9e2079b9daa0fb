import Dispatch
import Glibc

/// The process's standard files, without the buffers of the C library.
enum Descriptors {
    static let input = Descriptor(number: STDIN_FILENO)
    static let output = Descriptor(number: STDOUT_FILENO)
    static let error = Descriptor(number: STDERR_FILENO)

    /// To be called first in a process.
    static func prepare() {
        // A closed pipe is the result of a write, and reading a terminal from the background an error: not deaths.
        signal(SIGPIPE, SIG_IGN)
        signal(SIGTTIN, SIG_IGN)
        // A socket must not get the number of a standard file that somebody closed.
        for number in STDIN_FILENO...STDERR_FILENO where fcntl(number, F_GETFD) == -1 { _ = open("/dev/null", O_RDWR) }
    }
}

/// A file descriptor that blocks.
struct Descriptor: Sendable {
    let number: Int32

    /// Writes everything; returns the error's number if that fails.
    @discardableResult
    func write(_ text: String) -> Int32? {
        var text = text
        return text.withUTF8 { bytes in
            var written = 0
            while written < bytes.count {
                let count = Glibc.write(self.number, bytes.baseAddress?.advanced(by: written), bytes.count - written)
                if count >= 0 { written += count } else if errno != EINTR { return errno }
            }
            return nil
        }
    }

    /// Reads some bytes, none at the end of the file; nil if reading fails.
    func read(upTo count: Int) -> [UInt8]? {
        var bytes = [UInt8](repeating: 0, count: count)
        while true {
            let count = Glibc.read(self.number, &bytes, bytes.count)
            if count >= 0 { return Array(bytes.prefix(count)) } else if errno != EINTR { return nil }
        }
    }

    /// Calls back when the other end of a pipe closes.
    func whenNobodyReads(_ act: @escaping @Sendable () -> Void) {
        let number = self.number
        DispatchQueue(label: "racctl.output.watch").async {
            var entry = pollfd(fd: number, events: 0, revents: 0)
            while poll(&entry, 1, -1) < 0, errno == EINTR {}
            if entry.revents & Int16(POLLERR) != 0 { act() }
        }
    }
}
