import Expectations
import Glibc
import Testing

@testable import racctl

@Suite struct LineInputTests {
    @Test("A cancelled task does not wait for a line of an input that stays open")
    func cancelled() async throws {
        let pipe = try Pipe()
        let input = LineInput(of: Descriptor(number: pipe.reading), called: "the input", closing: false)
        let reading = Task { await input.next() }
        reading.cancel()
        expect(await reading.value == nil)
        // The thread reads before the pipe closes.
        await input.whenIdle()
        _ = "late\n".withCString { write(pipe.writing, $0, 5) }
    }

    @Test("Lines that were read together come together, and a line without an end waits for it")
    func together() async throws {
        let pipe = try Pipe()
        let input = LineInput(of: Descriptor(number: pipe.reading), called: "the input", closing: false)
        _ = "1\n2\n3".withCString { write(pipe.writing, $0, 5) }
        expect(await input.nextLines() == [.text("1"), .text("2")])
        #expect(input.hasMore)
        _ = "\n".withCString { write(pipe.writing, $0, 1) }
        expect(await input.nextLines() == [.text("3")])
    }

    @Test("A result is given once, and a cancelled task gets none")
    func result() async {
        let early = AwaitedResult<Int>()
        early.resolve(1)
        early.resolve(2)
        expect(await early.value() == 1)
        let never = AwaitedResult<Int>()
        let waiting = Task { await never.value() }
        waiting.cancel()
        expect(await waiting.value == nil)
        expect(JSONTree.keys(of: #"{"a":{"b":1}, "c\u0064":[]}"#) == ["a", "cd"])
    }
}
