import Expectations
import NIOCore
import RacClient
import RacProtocol
import RacTesting
import Testing

@Suite struct ReconnectStateMachineTests {
    private let start = NIODeadline.uptimeNanoseconds(1_000_000_000_000)

    /// The pauses of a client that finds nobody, so many times.
    private func pauses(_ count: Int, longest: TimeAmount = .seconds(30)) -> [TimeAmount] {
        var machine = ReconnectStateMachine(longest: longest)
        _ = machine.start()
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

    @Test("Pauses stay below a bound that doubles, and below the time that the daemon has been away")
    func bounds() {
        let pauses = self.pauses(30)
        expect(pauses.count == 30)
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
            _ = machine.start()
            var random = SeededRandom.ofThisRun
            var longest = TimeAmount.zero
            for round in 0..<64 {
                var now = self.start + .seconds(100 * Int64(round))
                machine.welcomed(at: now)
                now = now + (stays ? TimeAmount(ReconnectPauses.stay) : .zero)
                guard case .tryAgain(let due) = machine.lost(because: .connectionLost, at: now, random: &random) else {
                    Issue.record("it gave up")
                    return
                }
                longest = max(longest, due - now)
                _ = machine.pauseIsOver()
            }
            expect((longest <= .milliseconds(100)) == stays)
        }
    }

    @Test(
        "A refusal that another attempt would not change is final",
        arguments: [
            ClientError.Code.unsupportedVersion, .unauthenticated, .alreadyBound, .invalidURL,
        ]
    )
    func final(code: ClientError.Code) {
        var machine = ReconnectStateMachine(longest: .seconds(1))
        _ = machine.start()
        var random = SeededRandom.ofThisRun
        expect(machine.lost(because: code, at: self.start, random: &random) == .giveUp)
        expect(machine.lost(because: .connectionLost, at: self.start, random: &random) == .nothing)
        expect(machine.pauseIsOver() == .nothing)
    }

    @Test("A client that has been closed does not try again")
    func closed() {
        var machine = ReconnectStateMachine(longest: .seconds(1))
        _ = machine.start()
        var random = SeededRandom.ofThisRun
        _ = machine.lost(because: .unreachable, at: self.start, random: &random)
        machine.close()
        expect(machine.pauseIsOver() == .nothing)
        expect(machine.lost(because: .unreachable, at: self.start, random: &random) == .nothing)
    }

    // MARK: Tokens

    private let first = Result { try AccessToken("first") }
    private let second = Result { try AccessToken("second") }

    /// A client whose source returned the first token, and which is connecting.
    private func asking() throws -> ReconnectStateMachine {
        var machine = ReconnectStateMachine(longest: .seconds(1), tokenChanges: true)
        var random = SeededRandom.ofThisRun
        expect(machine.start() == .askForToken)
        expect(machine.told(try self.first.get(), at: self.start, random: &random) == .connect)
        expect(machine.token == (try self.first.get()))
        return machine
    }

    @Test("A client with one token connects with it at once, and a refusal of it is final")
    func oneToken() throws {
        var machine = ReconnectStateMachine(longest: .seconds(1), token: try self.first.get())
        var random = SeededRandom.ofThisRun
        expect(machine.start() == .connect)
        expect(machine.token == (try self.first.get()))
        expect(machine.lost(because: .unauthenticated, at: self.start, random: &random) == .giveUp)
    }

    @Test("A refused token leads to another one after a pause, whether the connection stood or not", arguments: [0, 9])
    func anotherToken(seconds: Int64) throws {
        var machine = try self.asking()
        var random = SeededRandom.ofThisRun
        if seconds > 0 { machine.welcomed(at: self.start) }
        let now = self.start + .seconds(seconds)
        expect(machine.lost(because: .unauthenticated, at: now, random: &random) == .askForToken)
        expect(machine.lost(because: .unauthenticated, at: now, random: &random) == .nothing)
        guard case .tryAgain = machine.told(try self.second.get(), at: now, random: &random) else {
            Issue.record("it did not try again")
            return
        }
        expect(machine.pauseIsOver() == .connect)
        expect(machine.token == (try self.second.get()))
    }

    @Test("The refused token again, or no token, ends the attempts")
    func noOtherToken() throws {
        for answer in [try self.first.get(), nil] {
            var machine = try self.asking()
            var random = SeededRandom.ofThisRun
            expect(machine.lost(because: .unauthenticated, at: self.start, random: &random) == .askForToken)
            expect(machine.told(answer, at: self.start, random: &random) == .giveUp)
            expect(machine.told(try self.second.get(), at: self.start, random: &random) == .nothing)
        }
    }

    @Test("A source without a token at first is asked again when the daemon wants one")
    func noneAtFirst() throws {
        var machine = ReconnectStateMachine(longest: .seconds(1), tokenChanges: true)
        var random = SeededRandom.ofThisRun
        expect(machine.start() == .askForToken)
        expect(machine.told(nil, at: self.start, random: &random) == .connect)
        expect(machine.lost(because: .unauthenticated, at: self.start, random: &random) == .askForToken)
        expect(machine.told(nil, at: self.start, random: &random) == .giveUp)
    }

    @Test("A source that fails is asked again after pauses that grow")
    func failingSource() throws {
        var machine = ReconnectStateMachine(longest: .seconds(30), tokenChanges: true)
        var random = SeededRandom.ofThisRun
        var now = self.start
        var longest = TimeAmount.zero
        expect(machine.start() == .askForToken)
        for _ in 0..<60 {
            guard case .tryAgain(let due) = machine.toldNothing(at: now, random: &random) else {
                Issue.record("it did not try again")
                return
            }
            longest = max(longest, due - now)
            now = due
            expect(machine.pauseIsOver() == .askForToken)
        }
        #expect(longest > .milliseconds(200) && longest <= .seconds(30))
        expect(machine.told(try self.first.get(), at: now, random: &random) == .connect)
    }

    @Test("Other losses keep the token and ask nobody")
    func loss() throws {
        var machine = try self.asking()
        var random = SeededRandom.ofThisRun
        guard case .tryAgain = machine.lost(because: .connectionLost, at: self.start, random: &random) else {
            Issue.record("it did not try again")
            return
        }
        expect(machine.pauseIsOver() == .connect)
        expect(machine.token == (try self.first.get()))
    }

    @Test("A client that is closed while it asks does not connect")
    func closedWhileAsking() throws {
        var machine = ReconnectStateMachine(longest: .seconds(1), tokenChanges: true)
        var random = SeededRandom.ofThisRun
        expect(machine.start() == .askForToken)
        machine.close()
        expect(machine.told(try self.first.get(), at: self.start, random: &random) == .nothing)
        expect(machine.toldNothing(at: self.start, random: &random) == .nothing)
    }
}
