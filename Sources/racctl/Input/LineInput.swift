import Dispatch
import Glibc
import Synchronization

/// Reads lines of a file on request, on a thread of its own, because reading blocks.
///
/// `@unchecked Sendable` holds because `reader` is used in blocks on `queue` only, which run one after another.
final class LineInput: @unchecked Sendable {
    /// More than a daemon takes by default; the daemon's limit decides.
    private static let maximumLineBytes = 64 << 20
    private static let chunkBytes = 64 << 10

    /// The state of the thread.
    private struct Reading {
        /// Whether it waits for bytes, or has met the end.
        var isIdle = false
        /// Whether no further line is requested.
        var isOver = false
        var waiting: [CheckedContinuation<Void, Never>] = []
    }

    /// The name of the file in messages.
    let name: String
    private let descriptor: Descriptor
    private let isOwner: Bool
    private let isOfProgram: Bool
    private let queue = DispatchQueue(label: "racctl.input")
    private let reading = Mutex(Reading())
    private var reader: LineReader

    /// - Parameters:
    ///   - descriptor: The file to read.
    ///   - name: Its name in messages.
    ///   - closing: Whether to close the descriptor after the last request.
    ///   - isOfProgram: Whether a program that this process ends writes the lines.
    init(of descriptor: Descriptor, called name: String, closing: Bool, isOfProgram: Bool = false) {
        self.isOfProgram = isOfProgram
        self.name = name
        self.descriptor = descriptor
        self.isOwner = closing
        self.reader = LineReader(maximumBytes: Self.maximumLineBytes)
    }

    deinit {
        if self.isOwner { close(self.descriptor.number) }
    }

    static var standard: LineInput {
        LineInput(of: Descriptors.input, called: "standard input", closing: false)
    }

    /// Whether a person types the lines.
    var isTerminal: Bool { self.descriptor.isTerminal }

    /// The next line; nil at the end.
    ///
    /// A program's output ends with the program. Any other input may never end, so a cancelled task gets nil from it at
    /// once, and the line is lost.
    func next() async -> LineReader.Line? { await self.read { self.line() } }

    /// The next line, which is waited for as by ``next()``, and those that were read with it; nil at the end.
    func nextLines() async -> [LineReader.Line]? {
        await self.read {
            guard var lines = self.line().map({ [$0] }) else { return nil }
            while self.reader.hasLine, let line = self.line() { lines.append(line) }
            return lines
        }
    }

    private func read<Value: Sendable>(_ read: @escaping @Sendable () -> Value?) async -> Value? {
        guard !self.isOfProgram else {
            return await withCheckedContinuation { continuation in
                self.queue.async { continuation.resume(returning: read()) }
            }
        }
        let result = AwaitedResult<Value>()
        self.queue.async { result.resolve(read()) }
        return await result.value()
    }

    private func line() -> LineReader.Line? {
        let line = self.reader.next(reading: self.read)
        switch line {
        case nil, .unreadable?: self.setIdle(true)
        case .text?, .tooLong?, .notUTF8?: break
        }
        return line
    }

    /// Reads to the end, and drops everything.
    func drain() async {
        await withCheckedContinuation { continuation in
            self.queue.async {
                while let bytes = try? self.read(), !bytes.isEmpty {}
                continuation.resume()
            }
        }
    }

    /// Whether a line, or a part of one, or the end can be read at once; only for the task that takes the lines.
    var hasMore: Bool { self.queue.sync { self.reader.hasMore } || self.descriptor.isReadable }

    /// Says that no further line is requested, so that ``whenIdle()`` does not wait for a request.
    func finish() {
        self.reading.withLock { $0.isOver = true }
        self.setIdle(true)
    }

    /// Waits until a request for a line waits for bytes that nobody has written yet, or no request comes any more.
    func whenIdle() async {
        await withCheckedContinuation { continuation in
            let isIdle = self.reading.withLock { reading in
                if !reading.isIdle { reading.waiting.append(continuation) }
                return reading.isIdle
            }
            if isIdle { continuation.resume() }
        }
    }

    private func read() throws(SystemFailure) -> [UInt8] {
        if !self.descriptor.isReadable { self.setIdle(true) }
        let bytes = try self.descriptor.read(upTo: Self.chunkBytes)
        if !bytes.isEmpty { self.setIdle(false) }
        return bytes
    }

    private func setIdle(_ isIdle: Bool) {
        let waiting = self.reading.withLock { reading in
            reading.isIdle = isIdle || reading.isOver
            defer { if reading.isIdle { reading.waiting = [] } }
            return reading.isIdle ? reading.waiting : []
        }
        for continuation in waiting { continuation.resume() }
    }
}
