import Dispatch
import Expectations
import Rac
import RacTesting
import Testing

@Suite struct MappedTerminalTests {
    private static func texts(of number: Property<Int>) -> ChannelTerminal<String, Never> {
        number.terminal().map(forward: { String($0) }, backward: { Int($0) })
    }

    @Test("map-1 A mapped terminal sends and receives in its own form, and gets nothing back")
    func bothWays() {
        let p = Property(1)
        let t = p.terminal().map(forward: { $0 * 10 }, backward: { $0 / 10 })
        let a = Recorder(t)
        p.value = 2
        t.send(30)
        expect(p.value == 3)
        expect(a.events == events(10, 20))
    }

    @Test("map-2 A number and the text of its field: an edit that is no number stays in the field")
    func numberAndText() {
        let (number, field) = (Property(1), Property(""))
        field.terminal() <~> Self.texts(of: number)
        expect(field.value == "1")
        field.value = "12"
        field.value = "12x"
        expect(number.value == 12)
        expect(field.value == "12x")
        number.value = 13
        expect(field.value == "13")
    }

    @Test("map-3 A value that loses something on the way does not come back in another form")
    func otherForm() {
        let (number, field) = (Property(1), Property(""))
        let binding = field.terminal() <~> Self.texts(of: number)
        let a = Recorder(field)
        field.value = "007"
        expect(number.value == 7)
        // Another binding makes the number win anew; it is the change that the field has.
        Property(0) <~> number
        binding.dispose()
        Self.texts(of: number) <~> field.terminal()
        expect(field.value == "007")
        expect(a.events == events("1", "007"))
    }

    @Test("A mapped terminal ends with its terminal, and holds its channel")
    func ends() {
        let t = TwoWayChannel<Int, TestFailure>().leading.map(forward: { "\($0)" }, backward: { Int($0) ?? 0 })
        let a = Recorder(t)
        t.fail(.e)
        expect(a.events == events(then: .failed(.e)))
        expect(Recorder(t).events == events(then: .failed(.e)))
    }

    @Test("binding-11 A mapped terminal of a property that goes ends no channel")
    func ownerGone() {
        let channel = TwoWayChannel<String, Never>()
        let a = Recorder(channel.following)
        do {
            let number = Property(1)
            channel.leading <~> Self.texts(of: number)
        }
        channel.leading.send("2")
        expect(a.events == events("1", "2"))
    }

    @Test("binding-5 A number and a text that are set from two threads at once agree when the writers have stopped")
    func crossingWrites() {
        for round in 0..<100 {
            let (number, field) = (Property(0), Property(""))
            field.terminal() <~> Self.texts(of: number)
            DispatchQueue.concurrentPerform(iterations: 2) { thread in
                for step in 1...50 {
                    if thread == 0 { number.value = step } else { field.value = "\(1_000 + step)" }
                }
            }
            expect(field.value == "\(number.value)", "round \(round)")
        }
    }
}
