import Dispatch
import Glibc
import Synchronization

/// Writes the lines of the log to a file on a thread of its own, because a file that nobody reads blocks its writer.
///
/// Guards: all threads share `waiting`, for a few lines at a time. The blocks on `queue` write, one after the other.
package final class LogWriter: Sendable {
    /// Writes to standard error.
    package static let standardError = LogWriter(STDERR_FILENO)

    private let file: Int32
    private let waiting = Mutex(LogQueue())
    private let queue = DispatchQueue(label: "rac.log")

    init(_ file: Int32) {
        self.file = file
    }

    /// Has a line written, or dropped if too many wait.
    ///
    /// Isolation: any thread, also that of an event loop, because it never waits for the file.
    ///
    /// - Parameters:
    ///   - line: The line with its newline.
    ///   - count: Makes the line that reports a number of dropped lines.
    func write(_ line: String, reporting count: @escaping @Sendable (Int) -> String) {
        guard self.waiting.withLock({ $0.append(line) }) else { return }
        self.queue.async { self.drain(reporting: count) }
    }

    /// Waits until the file has all lines, but not for ever.
    ///
    /// - Parameter limit: The longest time to wait.
    /// - Returns: Whether the file has them.
    @discardableResult
    package func flush(within limit: Duration = .seconds(1)) -> Bool {
        let written = DispatchSemaphore(value: 0)
        self.queue.async { written.signal() }
        return written.wait(timeout: .now() + limit / .seconds(1)) == .success
    }

    private func drain(reporting count: (Int) -> String) {
        while let part = self.waiting.withLock({ $0.next() }) {
            for line in part.lines { self.write(line) }
            if part.dropped > 0 { self.write(count(part.dropped)) }
        }
    }

    /// Writes a line with one call, so that lines of several processes do not mix.
    ///
    /// A failure is ignored: there is no other place to log it.
    private func write(_ line: String) {
        var line = line
        line.withUTF8 { bytes in
            var rest = UnsafeRawBufferPointer(bytes)
            while !rest.isEmpty {
                let count = Glibc.write(self.file, rest.baseAddress, rest.count)
                if count >= 0 {
                    rest = UnsafeRawBufferPointer(rebasing: rest[count...])
                } else if errno == EAGAIN {
                    // Another process has made the file one that does not block.
                    var poll = pollfd(fd: self.file, events: Int16(POLLOUT), revents: 0)
                    _ = Glibc.poll(&poll, 1, -1)
                } else if errno != EINTR {
                    return
                }
            }
        }
    }
}
