import Expectations
import NIOCore
import RacProtocol
import RacTesting
import Testing

@testable import RacConnection

@Suite struct ConnectionStateMachineTests {
    private var machine = ConnectionStateMachine(welcomeTimeout: .seconds(10), byeTimeout: .seconds(1))

    private static func time(_ seconds: Int64) -> NIODeadline {
        .uptimeNanoseconds(0) + .seconds(seconds)
    }

    private mutating func greet(_ welcome: Welcome = .sample) {
        _ = self.machine.opened(at: Self.time(0))
        expect(self.machine.received(.welcome(welcome), at: Self.time(0)) == .becomeReady(welcome))
    }

    @Test("A welcome that does not come in time ends the connection")
    mutating func noWelcome() {
        expect(self.machine.opened(at: Self.time(5)) == Self.time(15))
        expect(self.machine.ticked(at: Self.time(14)) == .wait(until: Self.time(15)))
        expect(self.machine.ticked(at: Self.time(15)) == .end(.noWelcome(within: .seconds(10))))
        expect(self.machine.closed() == nil)
    }

    @Test("A refusal instead of a welcome is the reason of the end")
    mutating func refusedHello() {
        _ = self.machine.opened(at: Self.time(0))
        let refusal = Refusal.sample(.unsupportedVersion)
        expect(self.machine.received(.refused(nil, refusal), at: Self.time(1)) == .end(.refused(refusal)))
    }

    @Test("A peer that does not begin with `welcome` is no daemon, unless it hangs up first")
    mutating func notADaemon() {
        _ = self.machine.opened(at: Self.time(0))
        var other = self.machine
        var broken = self.machine
        expect(self.machine.received(.ping, at: Self.time(0)) == .end(.notADaemon))
        expect(other.closed() == .hungUp)
        expect(broken.broke(WireError(.badFrame, "")) == .notADaemon)
    }

    @Test("A silent daemon is asked after one and a half heartbeats, and lost after two and a half")
    mutating func silence() {
        self.greet()
        expect(self.machine.ticked(at: Self.time(29)) == .wait(until: Self.time(30)))
        self.machine.heard(at: Self.time(29))
        expect(self.machine.ticked(at: Self.time(30)) == .wait(until: Self.time(59)))
        expect(self.machine.ticked(at: Self.time(59)) == .ping(nextTick: Self.time(79)))
        expect(self.machine.ticked(at: Self.time(70)) == .wait(until: Self.time(79)))
        self.machine.heard(at: Self.time(75))
        expect(self.machine.ticked(at: Self.time(79)) == .wait(until: Self.time(105)))
        expect(self.machine.ticked(at: Self.time(105)) == .ping(nextTick: Self.time(125)))
        expect(self.machine.ticked(at: Self.time(125)) == .end(.silent(for: .seconds(50))))
    }

    @Test("A daemon that was silent while nobody looked at the clock is lost without being asked")
    mutating func lateTick() {
        self.greet()
        expect(self.machine.ticked(at: Self.time(50)) == .end(.silent(for: .seconds(50))))
    }

    @Test(
        "The wait is computed without a trap from any heartbeat of a daemon",
        arguments: [(0, nil), (1, 1_500_000), (.max, 129_600_000_000_000)] as [(UInt64, Int64?)]
    )
    mutating func heartbeats(milliseconds: UInt64, patience: Int64?) {
        var welcome = Welcome.sample
        welcome.heartbeat = milliseconds
        self.greet(welcome)
        let due = patience.map { ConnectionStateMachine.OnTick.wait(until: Self.time(0) + .nanoseconds($0)) }
        expect(self.machine.ticked(at: Self.time(0)) == due ?? .nothing)
    }

    @Test("A ping is answered until the program leaves")
    mutating func ping() {
        self.greet()
        expect(self.machine.received(.ping, at: Self.time(1)) == .answerPing)
        _ = self.machine.leave(at: Self.time(1))
        expect(self.machine.received(.ping, at: Self.time(1)) == .nothing)
    }

    @Test("Answers and events are delivered, also while the program leaves")
    mutating func delivery() throws {
        self.greet()
        let message = try ServerMessage.next(TerminalID(1), .sample(1))
        expect(self.machine.received(message, at: Self.time(1)) == .deliver)
        _ = self.machine.leave(at: Self.time(1))
        expect(self.machine.received(message, at: Self.time(1)) == .deliver)
    }

    @Test("The daemon's last refusal without a request is the reason of the end")
    mutating func reason() {
        self.greet()
        let refusal = Refusal.sample(.shuttingDown)
        expect(self.machine.received(.refused(nil, refusal), at: Self.time(1)) == .nothing)
        expect(self.machine.closed() == .refused(refusal))
        expect(self.machine.closed() == nil)
    }

    @Test("An end without a reason is a loss")
    mutating func loss() {
        self.greet()
        expect(self.machine.closed() == .lost)
    }

    @Test("Leaving says bye once and waits for the daemon to hang up, but not for ever")
    mutating func leaving() {
        self.greet()
        expect(self.machine.leave(at: Self.time(5)) == .sayBye(closeAt: Self.time(6)))
        expect(self.machine.leave(at: Self.time(5)) == .nothing)
        var hungUp = self.machine
        expect(hungUp.closed() == .left)
        expect(self.machine.ticked(at: Self.time(6)) == .end(.left))
    }

    @Test("Leaving before the welcome ends the connection at once")
    mutating func leavingEarly() {
        _ = self.machine.opened(at: Self.time(0))
        expect(self.machine.leave(at: Self.time(1)) == .end(.left))
        expect(self.machine.received(.welcome(.sample), at: Self.time(1)) == .nothing)
        expect(self.machine.ticked(at: Self.time(20)) == .nothing)
    }

    @Test("A second welcome and bytes that cannot be read break the protocol")
    mutating func brokenProtocol() {
        self.greet()
        var unreadable = self.machine
        guard case .end(.brokenProtocol(let error)) = self.machine.received(.welcome(.sample), at: Self.time(1)) else {
            Issue.record("a second welcome was taken")
            return
        }
        expect(error.code == "bad-message")
        let fault = WireError(.badFrame, "for a test")
        expect(unreadable.broke(fault) == .brokenProtocol(fault))
        expect(unreadable.broke(fault) == nil)
    }
}
