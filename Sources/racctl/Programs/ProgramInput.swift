import Dispatch
import Glibc

/// The standard input of a program, written on a thread of its own, since a program may read slowly.
///
/// `@unchecked Sendable` holds because `descriptor` is used in blocks on `queue` only, which run one after another, and
/// in deinit, when no block is left.
final class ProgramInput: LineOutput, @unchecked Sendable {
    private let queue = DispatchQueue(label: "racctl.program.input")
    /// Nil once it is closed.
    private var descriptor: Descriptor?

    /// - Parameter descriptor: The writing end of a pipe, which this object closes.
    init(_ descriptor: Descriptor) {
        self.descriptor = descriptor
    }

    deinit {
        if let descriptor { Glibc.close(descriptor.number) }
    }

    /// Writes a line once those before it are written; the caller bounds how many wait.
    func writeLater(_ line: String) {
        self.queue.async { _ = self.descriptor?.write(line + "\n") }
    }

    /// Writes a line; a line that the program does not read any more is dropped, and its end explains that.
    func write(_ line: String) async {
        await withCheckedContinuation { continuation in
            self.queue.async {
                self.descriptor?.write(line + "\n")
                continuation.resume()
            }
        }
    }

    /// Ends the input of the program, behind the lines that were written.
    func close() {
        self.queue.async {
            if let descriptor = self.descriptor { Glibc.close(descriptor.number) }
            self.descriptor = nil
        }
    }
}
