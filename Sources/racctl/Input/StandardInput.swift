import Dispatch
import RacClient

/// Reads lines of standard input, each when it is asked for, on a thread of its own, since reading blocks.
///
/// `@unchecked Sendable` holds because `reader` is used in blocks on `queue` only, which run one after another.
final class StandardInput: @unchecked Sendable {
    /// Longer than what a daemon takes by default; the daemon's limit decides.
    private static let maximumLineBytes = 64 << 20
    private static let chunkBytes = 64 << 10

    private let queue = DispatchQueue(label: "racctl.input")
    private var reader = LineReader(maximumBytes: StandardInput.maximumLineBytes) {
        Descriptors.input.read(upTo: StandardInput.chunkBytes)
    }

    /// The next line; nil at the end.
    func next() async -> LineReader.Line? {
        await withCheckedContinuation { continuation in
            self.queue.async { continuation.resume(returning: self.reader.next()) }
        }
    }
}
