import Dispatch
import Glibc
import RacConnection

/// Reads lines of a file on request, on a thread of its own, because reading blocks.
///
/// `@unchecked Sendable` holds because `reader` is used in blocks on `queue` only, which run one after another.
final class LineInput: @unchecked Sendable {
    /// More than a daemon takes by default; the daemon's limit decides.
    private static let maximumLineBytes = 64 << 20
    private static let chunkBytes = 64 << 10

    private let descriptor: Descriptor
    private let isOwner: Bool
    private let queue = DispatchQueue(label: "racctl.input")
    private var reader: LineReader

    /// - Parameters:
    ///   - descriptor: The file to read.
    ///   - closing: Whether to close the descriptor after the last request.
    init(of descriptor: Descriptor, closing: Bool) {
        self.descriptor = descriptor
        self.isOwner = closing
        self.reader = LineReader(maximumBytes: Self.maximumLineBytes) { descriptor.read(upTo: Self.chunkBytes) }
    }

    deinit {
        if self.isOwner { close(self.descriptor.number) }
    }

    static var standard: LineInput { LineInput(of: Descriptors.input, closing: false) }

    /// The next line; nil at the end.
    func next() async -> LineReader.Line? {
        await withCheckedContinuation { continuation in
            self.queue.async { continuation.resume(returning: self.reader.next()) }
        }
    }
}
