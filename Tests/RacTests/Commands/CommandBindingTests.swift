import Expectations
import Rac
import RacTesting
import Testing

@Suite struct CommandBindingTests {
    private let inputs = Subject<Int, Never>()

    @Test("C440 A bound signal executes the command for each value")
    func bound() {
        let command = Command<Int, Int, TestFailure>(on: .immediate) { .just($0 * 2) }
        let a = Recorder(command.values)
        command <~ self.inputs
        self.inputs.send(1)
        self.inputs.send(2)
        expect(a.values == [2, 4])
    }

    @Test("C441 A value that comes while the command is busy is refused")
    func refused() {
        let (work, executed) = (Subject<Int, Never>(), Log<Int>())
        let command = Command<Int, Int, Never>(on: .immediate) { input in
            executed.append(input)
            return work.signal
        }
        let refusals = Recorder(command.refusals)
        command <~ self.inputs.signal
        self.inputs.send(1)
        self.inputs.send(2)
        work.complete()
        self.inputs.send(3)
        expect(executed.entries == [1, 3])
        expect(refusals.values == [2])
    }

    @Test("Several signals may execute one command, and the end of one leaves it as it is")
    func several() {
        let others = Subject<Int, Never>()
        let command = Command<Int, Int, Never>(on: .immediate) { .just($0) }
        let a = Recorder(command.values)
        let handle = command <~ self.inputs
        command.bind(to: others)
        self.inputs.complete()
        #expect(handle.isDisposed)
        others.send(1)
        expect(a.events == events(1))
    }

    @Test("Disposing the handle executes nothing more, and running work goes on")
    func disposed() {
        let work = Subject<Int, Never>()
        let command = Command<Int, Int, Never>(on: .immediate, allowsConcurrentExecution: true) { _ in work.signal }
        let a = Recorder(command.values)
        let handle = command <~ self.inputs
        self.inputs.send(1)
        handle.dispose()
        self.inputs.send(2)
        work.send(7)
        expect(a.values == [7])
    }

    @Test("C442 A binding does not keep the command, and ends with it")
    func released() {
        let source = CountedSource(self.inputs)
        var command: Command<Int, Int, Never>? = Command(on: .immediate) { .just($0) }
        let handle = command.map { $0 <~ source }
        expect(source.subscribers == 1)
        command = nil
        expect(source.subscribers == 0)
        expect(handle?.isDisposed == true)
    }

    @Test("A button's clicks execute a command without an input")
    func clicks() {
        let clicks = Subject<Void, Never>()
        let runs = Counter()
        let command = Command<Void, Int, Never>(on: .immediate) { .just(runs.increment()) }
        command <~ clicks
        clicks.send(())
        expect(runs.count == 1)
    }
}
