import Rac
import RacExamples
import RacTestKit
import Testing

@Suite struct ButtonTests {
    private struct Failure: Error {}

    private let scheduler = ManualScheduler()
    private let work = Subject<Int, Failure>()

    private func makeCommand() -> Command<Void, Int, Failure> {
        let work = self.work
        return Command(on: self.scheduler) { work.signal.take(1) }
    }

    @Test("A button executes its command and is enabled while that is")
    func enabledness() {
        let (button, command) = (Button(), self.makeCommand())
        let (enabled, values) = (Recorder(button.isEnabled), Recorder(command.values))
        button.perform(command)
        button.press()
        button.press()
        self.scheduler.drain()
        #expect(!button.isEnabled.value)
        button.press()
        self.work.send(1)
        self.scheduler.drain()
        button.press()
        self.scheduler.drain()
        self.work.send(2)
        #expect(values.values == [1, 2])
        #expect(enabled.values == [true, true, false, true, false])
    }

    @Test("Another command takes the place of the first one")
    func replacement() {
        let (button, first, second) = (Button(), self.makeCommand(), self.makeCommand())
        button.perform(first)
        first.execute()
        self.scheduler.drain()
        #expect(!button.isEnabled.value)
        button.perform(second)
        #expect(button.isEnabled.value)
        button.press()
        self.scheduler.drain()
        #expect(second.isExecuting.value)
        self.work.send(1)
        self.scheduler.drain()
        #expect(button.isEnabled.value)
    }

    @Test("A button that nobody holds is gone, and lets go of its command")
    func lifetime() {
        var (button, command): (Button?, Command<Void, Int, Failure>?) = (Button(), self.makeCommand())
        weak let first = button
        weak let second = command
        if let command { button?.perform(command) }
        command = nil
        button?.press()
        self.scheduler.drain()
        #expect(second?.isExecuting.value == true)
        button = nil
        #expect(first == nil)
        #expect(second == nil)
        self.work.send(1)
        self.scheduler.drain()
    }
}
