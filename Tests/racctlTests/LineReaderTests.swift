import Expectations
import Testing

@testable import racctl

@Suite struct LineReaderTests {
    private func lines(_ chunks: [[UInt8]], maximumBytes: Int = 10) -> [LineReader.Line] {
        var chunks = chunks
        var reader = LineReader(maximumBytes: maximumBytes)
        var lines: [LineReader.Line] = []
        while let line = reader.next(reading: { chunks.isEmpty ? [] : chunks.removeFirst() }) { lines.append(line) }
        return lines
    }

    private func lines(_ chunks: String...) -> [LineReader.Line] {
        self.lines(chunks.map { Array($0.utf8) })
    }

    @Test("Lines are found however their bytes come")
    func cut() {
        expect(self.lines("a\nb\n") == [.text("a"), .text("b")])
        expect(self.lines("a", "\n", "b\n") == [.text("a"), .text("b")])
        expect(self.lines("ab", "c\nd", "e") == [.text("abc"), .text("de")])
        expect(self.lines("\n\n") == [.text(""), .text("")])
        expect(self.lines() == [])
    }

    @Test("A line that is too long is reported once and passed over")
    func tooLong() {
        expect(self.lines("0123456789\na") == [.text("0123456789"), .text("a")])
        expect(self.lines("01234", "567890", "1\na") == [.tooLong, .text("a")])
        expect(self.lines("01234567890123") == [.tooLong])
    }

    @Test("A line that is not UTF-8 is reported, and those around it are read")
    func notUTF8() {
        let bytes = Array("a\n".utf8) + [0xFF, 0x0A] + Array("é\n".utf8)
        expect(self.lines([bytes]) == [.text("a"), .notUTF8, .text("é")])
        expect(self.lines(bytes.map { [$0] }) == [.text("a"), .notUTF8, .text("é")])
    }

    @Test("A carriage return before a line break, as serial devices send it, belongs to the line break")
    func carriageReturn() {
        expect(self.lines("a\r\nb\r", "\nc\rd\r\n\r\n") == [.text("a"), .text("b"), .text("c\rd"), .text("")])
    }

    @Test("A failure to read is reported, and is no end")
    func failure() {
        var reader = LineReader(maximumBytes: 10)
        let failure = SystemFailure(number: 21)
        expect(reader.next { () throws(SystemFailure) in throw failure } == .unreadable(failure))
        expect(failure.reason == "Is a directory")
    }
}
