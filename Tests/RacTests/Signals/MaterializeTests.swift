import Expectations
import Rac
import RacTesting
import Testing

@Suite struct MaterializeTests {
    private typealias IntEvent = Event<Int, TestFailure>

    @Test("C189 A success is materialized as its events, then completes")
    func success() {
        let a = Recorder(Signal<Int, TestFailure>.just(1).materialize())
        expect(a.events == events(.value(1), .completed, then: .completed))
    }

    @Test("C190 A failure is materialized as a value, then completion")
    func failure() {
        let a = Recorder(Signal<Int, TestFailure>.just(1).concat(.fail(.e)).materialize())
        expect(a.events == events(.value(1), .failed(.e), then: .completed))
    }

    @Test("C191 There and back is the identity")
    func thereAndBack() {
        let source = Signal<Int, TestFailure>(values: [1, 2]).concat(.fail(.e))
        let a = Recorder<Int, TestFailure>(source.materialize().dematerialize())
        expect(a.events == events(1, 2, then: .failed(.e)))
    }

    @Test("C192 Dematerializing stops at the first end among the values")
    func firstEnd() {
        let source = Signal<IntEvent, Never>(values: [.value(1), .completed, .value(2)])
        let a = Recorder<Int, TestFailure>(source.dematerialize())
        expect(a.events == events(1, then: .completed))
    }

    @Test("C193 A stream of events without an end among them passes its own end on")
    func noEnd() {
        let source = Signal<IntEvent, Never>(values: [.value(1), .value(2)])
        let a = Recorder<Int, TestFailure>(source.dematerialize())
        expect(a.events == events(1, 2, then: .completed))
    }
}
