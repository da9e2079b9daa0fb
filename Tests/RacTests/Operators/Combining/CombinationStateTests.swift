import Expectations
import Testing

@testable import Rac

@Suite struct CombinationStateTests {
    @Test("A latest combination is sent from the last first value on, and is over with its last member")
    func latest() {
        var state = LatestState(members: 2)
        expect(state.arrived(at: 0) == false)
        expect(state.arrived(at: 0) == false)
        expect(state.arrived(at: 1) == true)
        expect(state.tookRow() == false)
        expect(state.completed(at: 0) == false)
        expect(state.arrived(at: 1) == true)
        expect(state.completed(at: 1) == true)
    }

    @Test("A row is complete with its last value")
    func row() {
        var state = ZipState(members: 3)
        expect(state.arrived(at: 0) == false)
        expect(state.arrived(at: 2) == false)
        expect(state.arrived(at: 2) == false)
        expect(state.arrived(at: 1) == true)
        expect(state.tookRow() == false)
        expect(state.arrived(at: 1) == false)
        expect(state.arrived(at: 0) == true)
    }

    @Test("A zip is over when a member has completed and nothing of it waits")
    func zipEnd() {
        var state = ZipState(members: 2)
        expect(state.arrived(at: 0) == false)
        expect(state.completed(at: 0) == false)
        expect(state.arrived(at: 1) == true)
        expect(state.tookRow() == true)
        expect(state.completed(at: 1) == true)
    }

    @Test("Members that have not completed do not end a zip by running dry")
    func zipGoesOn() {
        var state = ZipState(members: 2)
        for _ in 1...3 {
            expect(state.arrived(at: 0) == false)
            expect(state.arrived(at: 1) == true)
            expect(state.tookRow() == false)
        }
        expect(state.completed(at: 1) == true)
    }
}
