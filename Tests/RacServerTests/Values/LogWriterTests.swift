import Dispatch
import Expectations
import Foundation
import Glibc
import Synchronization
import Testing

@testable import RacServer

@Suite(.timeLimit(.minutes(1))) struct LogWriterTests {
    /// Reads a file up to its end, on a thread of its own: a writer that waits for it may hold all those of tasks.
    private final class Reading: Sendable {
        private let read = Mutex<Data?>(nil)
        private let work = DispatchGroup()

        init(_ file: Int32) {
            DispatchQueue(label: "reading").async(group: self.work) {
                let data = try? FileHandle(fileDescriptor: file, closeOnDealloc: true).readToEnd()
                self.read.withLock { $0 = data }
            }
        }

        /// All bytes, when the file has ended.
        func content() -> Data? {
            self.work.wait()
            return self.read.withLock { $0 }
        }
    }

    /// The ends of a pipe.
    private static func pipe() throws -> (reading: Int32, writing: Int32) {
        var ends: [Int32] = [-1, -1]
        try #require(Glibc.pipe(&ends) == 0)
        return (ends[0], ends[1])
    }

    @Test("A file that nobody reads keeps no writer waiting, and gets the lines in order and a count of the others")
    func unread() throws {
        let (reading, writing) = try Self.pipe()
        let writer = LogWriter(writing)
        let count = 3 * LogQueue.limit / 1024
        for number in 0..<count {
            let line = "\(number) " + String(repeating: "a", count: 1024) + "\n"
            writer.write(line) { "dropped \($0)\n" }
        }
        #expect(!writer.flush(within: .zero))
        let text = Reading(reading)
        #expect(writer.flush(within: .seconds(50)))
        close(writing)
        let lines = String(decoding: try #require(text.content()), as: UTF8.self).split(separator: "\n")
        let words = lines.map { $0.split(separator: " ") }
        let numbers = words.filter { $0[0] != "dropped" }.compactMap { Int($0[0]) }
        let dropped = words.filter { $0[0] == "dropped" }.compactMap { Int($0[1]) }
        expect(numbers == Array(0..<numbers.count))
        expect(dropped.count == 1)
        expect(words.last?[0] == "dropped")
        expect(numbers.count + (dropped.first ?? 0) == count)
    }

    @Test("A file that does not block gets whole lines as well")
    func nonblocking() throws {
        let (reading, writing) = try Self.pipe()
        expect(fcntl(writing, F_SETFL, O_NONBLOCK) == 0)
        let writer = LogWriter(writing)
        let line = String(repeating: "a", count: LogQueue.limit - 1) + "\n"
        writer.write(line) { _ in "" }
        let text = Reading(reading)
        #expect(writer.flush(within: .seconds(50)))
        close(writing)
        expect(text.content() == Data(line.utf8))
    }

    @Test("A file without a reader loses its lines and stops nobody")
    func broken() throws {
        signal(SIGPIPE, SIG_IGN)
        let (reading, writing) = try Self.pipe()
        close(reading)
        defer { close(writing) }
        let writer = LogWriter(writing)
        writer.write("a\n") { _ in "" }
        #expect(writer.flush(within: .seconds(50)))
    }
}
