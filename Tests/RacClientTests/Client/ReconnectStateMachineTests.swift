import NIOCore
import RacClient
import RacTesting
import Testing

@Suite struct ReconnectStateMachineTests {
    private let start = NIODeadline.uptimeNanoseconds(1_000_000_000_000)

    /// The pauses of a client that finds nobody, so many times.
    private func pauses(_ count: Int, longest: TimeAmount = .seconds(30)) -> [TimeAmount] {
        var machine = ReconnectStateMachine(longest: longest)
        var random = SeededRandom.ofThisRun
        var now = self.start
        var pauses: [TimeAmount] = []
        for _ in 0..<count {
            guard case .tryAgain(let due) = machine.lost(because: .unreachable, at: now, random: &random) else { break }
            pauses.append(due - now)
            now = due
            _ = machine.pauseIsOver()
        }
        return pauses
    }

    @Test("Pauses stay below a bound that doubles, and below what the daemon has been away")
    func bounds() {
        let pauses = self.pauses(30)
        #expect(pauses.count == 30)
        var bound = TimeAmount.milliseconds(100)
        var away = TimeAmount.zero
        for pause in pauses {
            #expect(pause >= .zero && pause <= bound && pause <= max(away, .milliseconds(100)))
            bound = min(bound + bound, .seconds(30))
            away = away + pause
        }
        #expect(self.pauses(60).reduce(.zero, +) > .seconds(10))
        #expect(self.pauses(200, longest: .milliseconds(20)).allSatisfy { $0 <= .milliseconds(20) })
    }

    @Test("After a connection that stayed the pauses start anew, and not after one that did not")
    func stay() {
        for stays in [true, false] {
            var machine = ReconnectStateMachine(longest: .seconds(30))
            var random = SeededRandom.ofThisRun
            var longest = TimeAmount.zero
            for round in 0..<64 {
                var now = self.start + .seconds(100 * Int64(round))
                machine.welcomed(at: now)
                now = now + (stays ? ReconnectStateMachine.stay : .zero)
                guard case .tryAgain(let due) = machine.lost(because: .connectionLost, at: now, random: &random) else {
                    Issue.record("it gave up")
                    return
                }
                longest = max(longest, due - now)
                _ = machine.pauseIsOver()
            }
            #expect((longest <= .milliseconds(100)) == stays)
        }
    }

    @Test(
        "What another attempt would not change ends it",
        arguments: [
            ClientError.Code.unsupportedVersion, .unauthenticated, .alreadyBound, .invalidURL,
        ]
    )
    func final(code: ClientError.Code) {
        var machine = ReconnectStateMachine(longest: .seconds(1))
        var random = SeededRandom.ofThisRun
        #expect(machine.lost(because: code, at: self.start, random: &random) == .giveUp)
        #expect(machine.lost(because: .connectionLost, at: self.start, random: &random) == .nothing)
        #expect(machine.pauseIsOver() == false)
    }

    @Test("A client that has been closed does not try again")
    func closed() {
        var machine = ReconnectStateMachine(longest: .seconds(1))
        var random = SeededRandom.ofThisRun
        _ = machine.lost(because: .unreachable, at: self.start, random: &random)
        machine.close()
        #expect(machine.pauseIsOver() == false)
        #expect(machine.lost(because: .unreachable, at: self.start, random: &random) == .nothing)
    }
}
