import Expectations
import NIOCore
import RacProtocol
import RacTesting
import Testing

@testable import RacConnection

@Suite struct PendingRequestsTests {
    private var pending = PendingRequests(maximumCount: 3)

    private mutating func ask(_ request: Request, due seconds: Int64? = 10) -> RequestID {
        let id = self.pending.nextID()
        let due = seconds.map { self.time($0) }
        expect(self.pending.asked(request, as: id, due: due) == true)
        return id
    }

    private func time(_ seconds: Int64) -> NIODeadline {
        .uptimeNanoseconds(0) + .seconds(seconds)
    }

    @Test("An answer is handed over once")
    mutating func handOver() {
        let id = self.ask(.ping)
        expect(self.pending.request(id) == .ping)
        expect(self.pending.answered(id, .done) == .handOver)
        expect(self.pending.answered(id, .done) == .nothing)
        expect(self.pending.request(id) == nil)
    }

    @Test("A refusal is handed over once")
    mutating func refusal() {
        let id = self.ask(.ping)
        expect(self.pending.refused(id) == true)
        expect(self.pending.refused(id) == false)
    }

    @Test("One request too many has no room until another is answered")
    mutating func bound() {
        let first = self.ask(.ping)
        _ = self.ask(.ping)
        _ = self.ask(.ping)
        let id = self.pending.nextID()
        expect(self.pending.asked(.ping, as: id, due: self.time(10)) == false)
        _ = self.pending.answered(first, .done)
        expect(self.pending.asked(.ping, as: id, due: self.time(10)) == true)
    }

    @Test("A request without a deadline always has room: the binds of a reconnection may be many")
    mutating func patient() {
        for _ in 0..<3 { _ = self.ask(.ping) }
        for due in [nil, NIODeadline.distantFuture] {
            let id = self.pending.nextID()
            expect(self.pending.asked(.ping, as: id, due: due) == true)
        }
    }

    @Test("A bind and a watch that nobody waits for any more are taken back when they are answered")
    mutating func takeBack() throws {
        let bind = self.ask(.bind(Bind(channel: try ChannelName("a"))))
        let watch = self.ask(.watch(.all))
        self.pending.abandoned(bind)
        self.pending.abandoned(watch)
        expect(self.pending.answered(bind, .bound(.sample(7))) == .takeBack(.unbind(TerminalID(7))))
        expect(self.pending.answered(watch, .watching(WatchID(8))) == .takeBack(.unwatch(WatchID(8))))
    }

    @Test("A command that nobody waits for any more is hosted and observed no longer, and its execution is cancelled")
    mutating func takeBackCommands() throws {
        let save = try CommandName("save")
        let state = CommandState(isEnabled: true, isExecuting: false)
        let replies: [(request: Request, reply: Reply, then: PendingRequests.OnAnswer)] = [
            (.host(HostCommand(command: save)), .hosting(CommandID(1)), .takeBack(.unhost(CommandID(1)))),
            (.observe(save), .observing(CommandID(1), state), .takeBack(.unobserve(CommandID(1)))),
            (.exec(Exec(command: save)), .executing(ExecutionID(2)), .cancel(ExecutionID(2))),
        ]
        for (request, reply, then) in replies {
            let id = self.ask(request)
            self.pending.abandoned(id)
            expect(self.pending.answered(id, reply) == then)
        }
    }

    @Test("A late refusal of an abandoned bind is reported to nobody")
    mutating func abandonedRefusal() throws {
        let bind = self.ask(.bind(Bind(channel: try ChannelName("a"))))
        self.pending.abandoned(bind)
        expect(self.pending.refused(bind) == false)
    }

    @Test("Requests whose time is over are reported in their order, and their answers come too late")
    mutating func expiry() {
        let late = self.ask(.ping, due: 30)
        let first = self.ask(.ping, due: 20)
        let second = self.ask(.ping, due: 10)
        expect(self.pending.nextDue == self.time(10))
        expect(self.pending.expired(at: self.time(9)) == [])
        expect(self.pending.expired(at: self.time(20)) == [first, second])
        expect(self.pending.answered(first, .done) == .nothing)
        expect(self.pending.nextDue == self.time(30))
        expect(self.pending.answered(late, .done) == .handOver)
        expect(self.pending.nextDue == nil)
    }
}
