import Expectations
import Rac
import RacTesting
import Testing

/// Commands whose work is done elsewhere, as their ports see them.
@Suite struct CommandPortTests {
    private typealias IntCommand = Command<Int, Int, TestFailure>

    /// The port of a command.
    private final class Plug: Sendable {
        private let place = Log<CommandPort<Int, Int, TestFailure>>()
        let wasPulled = Counter()

        func connect(_ port: CommandPort<Int, Int, TestFailure>) -> any Disposable {
            self.place.append(port)
            return AnyDisposable { self.wasPulled.increment() }
        }

        func tell(isEnabled: Bool, isExecuting: Bool) {
            for port in self.place.entries { port.tell(isEnabled: isEnabled, isExecuting: isExecuting) }
        }

        func fail() {
            for port in self.place.entries { port.fail(.e) }
        }

        func end() {
            for port in self.place.entries { port.end() }
        }
    }

    private let plug = Plug()

    private func command(_ work: Signal<Int, TestFailure>) -> IntCommand {
        IntCommand(on: .immediate, classify: { _ in .notEnabled }, connect: self.plug.connect) { _ in work }
    }

    @Test("It is not enabled before its plug says so, and shows the plug's state")
    func told() {
        let command = self.command(.just(1))
        let (executing, enabled) = (Recorder(command.isExecuting), Recorder(command.isEnabled))
        command.execute(1)
        self.plug.tell(isEnabled: true, isExecuting: false)
        self.plug.tell(isEnabled: false, isExecuting: true)
        self.plug.tell(isEnabled: true, isExecuting: false)
        expect(executing.values == [false, true, false])
        expect(enabled.values == [false, true, false, true])
    }

    @Test("Where its work is out of reach for good, its signals complete and it refuses each execution")
    func ended() {
        let command = self.command(.just(1))
        self.plug.tell(isEnabled: true, isExecuting: true)
        let (executing, enabled) = (Recorder(command.isExecuting), Recorder(command.isEnabled))
        let (errors, refusals) = (Recorder(command.errors), Recorder(command.refusals))
        self.plug.end()
        expect(executing.events == events(true, false, then: .completed))
        expect(enabled.events == events(true, false, then: .completed))
        #expect(errors.events == events(then: .completed) && refusals.events == events(then: .completed))
        #expect(command.execute(2).signal.isRefused)
        self.plug.tell(isEnabled: true, isExecuting: false)
        #expect(!command.isEnabled.value)
    }

    @Test("It executes while it runs here or there, and its failures are what they are classified as")
    func executing() {
        let work = Subject<Int, TestFailure>()
        let command = self.command(work.signal)
        self.plug.tell(isEnabled: true, isExecuting: false)
        let (executing, errors) = (Recorder(command.isExecuting), Recorder(command.errors))
        let execution = Recorder(command.execute(1))
        self.plug.tell(isEnabled: false, isExecuting: true)
        #expect(command.execute(2).signal.isRefused)
        work.fail(.e)
        #expect(command.isExecuting.value)
        self.plug.tell(isEnabled: true, isExecuting: false)
        expect(executing.values == [false, true, false])
        expect(execution.events == events(then: .failed(.notEnabled)))
        #expect(errors.values.isEmpty)
        self.plug.fail()
        expect(errors.values == [.e])
    }

    @Test("When it goes it is disconnected, and ends although it runs elsewhere")
    func going() {
        var command: IntCommand? = self.command(.never)
        self.plug.tell(isEnabled: true, isExecuting: true)
        let executing = command.map { Recorder($0.isExecuting) }
        command = nil
        expect(self.plug.wasPulled.count == 1)
        expect(executing?.events == events(true, false, then: .completed))
        self.plug.tell(isEnabled: true, isExecuting: true)
    }
}

extension Signal where Value == Int, Failure == CommandError<TestFailure> {
    fileprivate var isRefused: Bool {
        Recorder(self).events == events(then: .failed(.notEnabled))
    }
}
