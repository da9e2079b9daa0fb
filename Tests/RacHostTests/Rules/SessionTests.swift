import Expectations
import RacAccess
import RacProtocol
import Testing

@testable import RacHost

/// Sends of a client across its connections.
@Suite struct SessionTests {
    @Test("A client that comes back learns what was applied, and what it sends again is applied once")
    func resend() throws {
        let rig = Rig()
        let (first, b) = (rig.connect(session: "s"), rig.connect())
        let t = try first.bound("x")
        first.next(t, "1")
        first.next(t, "2")
        first.lose()
        try b.set("x", "3")
        let again = rig.connect(session: "s")
        try again.bind("x") { $0.since = Revision(1) }
        again.next(t, "2", n: 2)
        again.next(t, "4", n: 3)
        expect(again.take() == ["1 bound t3@3 open shared n2 3", "t3 ack 2@3", "t3 ack 3@4"])
    }

    @Test("A send that was refused before the connection was lost is refused again, although a later one was applied")
    func refusedAgain() throws {
        let rig = Rig()
        let first = rig.connect(session: "s")
        let t = try first.bound("x")
        first.next(t, "1")
        first.next(t, "2", if: 0)
        first.next(t, "3")
        first.lose()
        let again = rig.connect(session: "s")
        try again.bind("x")
        _ = again.take()
        for number in 1...3 { again.next(t, "\(number)", n: UInt64(number)) }
        expect(again.take() == ["t3 ack 1@2", "t3 nak 2 conflict@2=3", "t3 ack 3@2"])
    }

    @Test("A send that is judged anew and applied is not refused any more")
    func judgedAnew() throws {
        let rig = Rig()
        let first = rig.connect(session: "s")
        let t = try first.bound("x")
        first.next(t, "1")
        first.next(t, "2", if: 0)
        first.next(t, "3", if: 0)
        first.lose()
        for _ in 1...2 {
            let again = rig.connect(session: "s")
            try again.bind("x")
            _ = again.take()
            again.next(t, "2", n: 2, if: 1)
            expect(again.take() == ["t3 ack 2@2"])
            again.lose()
        }
    }

    @Test("Refusals beyond their number are forgotten from the oldest on, and their sends are answered with that")
    func forgotten() throws {
        var limits = Limits()
        limits.refusalsPerTerminal = 1
        let rig = Rig(limits: limits)
        let first = rig.connect(session: "s")
        let t = try first.bound("x")
        first.next(t, "1")
        first.next(t, "2", if: 0)
        first.next(t, "3")
        first.next(t, "4", if: 0)
        first.next(t, "5", if: 0)
        first.next(t, "6")
        first.lose()
        let again = rig.connect(session: "s")
        try again.bind("x")
        _ = again.take()
        for number in [1, 3, 4, 5] { again.next(t, "\(number)", n: UInt64(number)) }
        let expected = ["t3 nak 1 forgotten", "t3 ack 3@3", "t3 nak 4 conflict@3=6", "t3 nak 5 conflict@3=6"]
        expect(again.take() == expected)
        try again.get("$sys/memory/refusals")
    }

    @Test("No send is forgotten as long as no more are without an answer than refusals are remembered")
    func withinTheWindow() throws {
        var limits = Limits()
        limits.refusalsPerTerminal = 4
        let rig = Rig(limits: limits)
        let first = rig.connect(session: "s")
        let t = try first.bound("x")
        for number in 1...20 { first.next(t, "\(number)", if: number.isMultiple(of: 2) ? 0 : nil) }
        first.lose()
        let again = rig.connect(session: "s")
        try again.bind("x")
        _ = again.take()
        for number in 17...20 { again.next(t, "\(number)", n: UInt64(number)) }
        #expect(!again.take().contains { $0.contains("forgotten") })
    }

    @Test("Refusals without a place in the account of all are forgotten")
    func noPlace() throws {
        var limits = Limits()
        limits.refusalBytes = 0
        let rig = Rig(limits: limits)
        let first = rig.connect(session: "s")
        let t = try first.bound("x")
        first.next(t, "1", if: 7)
        first.next(t, "2")
        first.lose()
        let again = rig.connect(session: "s")
        try again.bind("x")
        _ = again.take()
        again.next(t, "1", n: 1)
        expect(again.take() == ["t3 nak 1 forgotten"])
    }

    /// Two principals that may do everything, of which each session keeps what the limits allow.
    private static func shared(_ change: (inout Limits) -> Void) throws -> Rig {
        var rules = Rules()
        try rules.addRoot()
        try rules.add("crowd", [.write: ["**"], .read: ["**"]])
        var limits = Limits()
        change(&limits)
        return Rig(limits: limits, access: try rules.policy())
    }

    @Test("A send that comes again is applied once, whatever number of sessions another principal begins meanwhile")
    func sessionsOfAnother() throws {
        let rig = try Self.shared { $0.restingSessions = 10 }
        let first = rig.connect(session: "s", token: "root")
        let t = try first.bound("x")
        first.next(t, "1")
        first.lose()
        for number in 1...20 { rig.connect(session: "\(number)", token: "crowd").lose() }
        let again = rig.connect(session: "s", token: "root")
        try again.bind("x")
        _ = again.take()
        again.next(t, "1", n: 1)
        expect(again.take() == ["t3 ack 1@1"])
    }

    @Test("The refusals of one principal leave place for those of another")
    func refusalsOfAnother() throws {
        let rig = try Self.shared { ($0.refusalBytes, $0.refusalsPerTerminal) = (400, 64) }
        let (crowd, first) = (rig.connect(session: "c", token: "crowd"), rig.connect(session: "s", token: "root"))
        let (ofCrowd, t) = (try crowd.bound("y"), try first.bound("x"))
        // Each refusal for another reason than the one before counts by itself.
        for number in 1...100 {
            crowd.next(ofCrowd, "1", if: 7)
            crowd.next(ofCrowd, "\(number)")
        }
        first.next(t, "1", if: 7)
        first.next(t, "2")
        first.lose()
        let again = rig.connect(session: "s", token: "root")
        try again.bind("x")
        _ = again.take()
        again.next(t, "1", n: 1)
        expect(again.take().map { $0.contains("conflict") } == [true])
    }

    @Test("A repeated send is acknowledged alone, without the one behind it that waits for the disk")
    func resendBeforeSync() throws {
        let rig = Rig(isStored: true)
        let first = rig.connect(session: "s")
        let t = try first.bound("x")
        first.next(t, "1")
        first.next(t, "2", sync: true)
        first.lose()
        let again = rig.connect(session: "s")
        try again.bind("x") { $0.since = Revision(2) }
        _ = again.take()
        again.next(t, "1", n: 1)
        expect(again.take() == ["t3 ack 1@2"])
        again.next(t, "2", n: 2, sync: true)
        expect(again.take() == [])
        rig.commit()
        expect(again.take() == ["t3 ack 2@2"])
    }

    @Test("A refusal that still waits for the disk when its send comes again is not sent")
    func heldRefusal() throws {
        let rig = Rig(isStored: true)
        let a = rig.connect(session: "s")
        let t = try a.bound("x")
        a.next(t, "1", sync: true)
        a.ask(.unbind(t))
        a.next(t, "2", n: 2)
        a.next(t, "3", n: 3)
        try a.bind("x")
        a.next(t, "2", n: 2)
        rig.commit()
        expect(
            a.take() == ["2 done", "3 bound t3@1 open shared n1 1", "t3 ack 1@1", "t3 nak 3 not-bound", "t3 ack 2@2"]
        )
    }

    @Test("The second refusal of a send is sent although the first is not")
    func heldRefusals() throws {
        let rig = Rig(isStored: true)
        let a = rig.connect(session: "s")
        let t = try a.bound("x")
        a.next(t, "1", sync: true)
        a.ask(.unbind(t))
        a.next(t, "2", n: 2)
        try a.bind("x")
        a.next(t, "2", n: 2, if: 0)
        _ = a.take()
        rig.commit()
        expect(a.take() == ["t3 ack 1@1", "t3 nak 2 conflict@1=1"])
    }

    @Test(
        "A send that this connection has refused is refused again, unless it was not bound, and judged on a later one"
    )
    func refusedOnThisConnection() throws {
        var limits = Limits()
        limits.requestsInFlight = 2
        let rig = Rig(isStored: true, limits: limits)
        let a = rig.connect(session: "s")
        let t = try a.bound("x")
        a.next(t, "1", sync: true)
        a.next(t, "2", sync: true)
        a.next(t, "3")
        a.ask(.unbind(t))
        try a.bind("x")
        rig.commit()
        expect(a.take().suffix(2) == ["t3 ack 2@2", "t3 nak 3 limit"])
        // The client has sent again before it got the refusal.
        a.next(t, "3", n: 3)
        expect(a.take() == ["t3 nak 3 limit"])
        a.lose()
        let again = rig.connect(session: "s")
        try again.bound("x")
        again.next(t, "3", n: 3)
        expect(again.take() == ["t3 ack 3@3"])
    }

    @Test(
        "Another session has its own numbers, and a session without a name ends with its connection",
        arguments: ["other", nil]
    )
    func others(_ session: String?) throws {
        let rig = Rig()
        let first = rig.connect(session: session == nil ? nil : "s")
        let t = try first.bound("x")
        first.next(t, "1")
        first.lose()
        let other = rig.connect(session: session)
        try other.bind("x")
        expect(other.take() == ["1 bound t3@1 open shared n0 1"])
    }

    @Test("A second connection takes the session over; the older one is notified, ended and heard no more")
    func takeover() throws {
        let rig = Rig()
        let (older, b) = (rig.connect(session: "s"), rig.connect())
        let t = try older.bound("x")
        try b.bound("x")
        older.next(t, "1")
        _ = (older.take(), b.take())
        let newer = rig.connect(session: "s")
        expect(older.take() == ["refused already-bound"])
        #expect(older.isEvicted)
        older.next(t, "2")
        try older.set("x", "3")
        expect(b.take() + older.take() == [])
        older.lose()
        try newer.bind("x")
        newer.next(t, "4", n: 2)
        expect(newer.take() == ["1 bound t3@1 open shared n1 1", "t3 ack 2@2"])
        expect(b.take() == ["t3 next 4@2"])
        newer.lose()
        try rig.connect(session: "s").bound("x")
        try b.get("x")
        expect(b.take() == ["2 got@2 open shared 4"])
    }

    @Test("The commands of the older connection have no host when the newer one asks for its first")
    func takeoverOfHost() throws {
        let rig = Rig()
        let older = rig.connect(session: "s")
        try older.host("work")
        expect(older.take() == ["1 hosting c1"])
        let newer = rig.connect(session: "s")
        try newer.host("work")
        expect(newer.take() == ["1 hosting c1"])
    }

    /// A connection of session s with five bindings, each of which takes a turn to be released.
    private static func slowlyReleased() throws -> (Rig, Client) {
        var limits = Limits()
        limits.unitsPerConnection = 1
        let rig = Rig(limits: limits)
        let client = rig.connect(session: "s")
        for number in 1...5 { client.next(try client.bound("x\(number)"), "1") }
        return (rig, client)
    }

    @Test("A session rests behind the end of the last of its connections, with the terminals of all of them")
    func restsOnce() throws {
        let (rig, older) = try Self.slowlyReleased()
        let newer = rig.connect(session: "s")
        newer.lose()
        expect(rig.host.sessions.restingCount == 0)
        older.lose()
        #expect(rig.host.sessions.restingCount == 1 && rig.host.sessions.restingTerminals == 5)
        rig.tick(after: Limits().sessionLifetime)
        #expect(rig.host.sessions.restingCount == 0 && rig.host.sessions.restingTerminals == 0)
        expect(rig.host.sessions.count == 0)
    }

    @Test("A session that is connected again before an earlier connection is through does not rest behind that one")
    func connectedAgain() throws {
        let (rig, first) = try Self.slowlyReleased()
        let second = rig.connect(session: "s")
        second.lose()
        let third = rig.connect(session: "s")
        first.lose()
        #expect(rig.host.sessions.restingCount == 0 && rig.host.sessions.restingTerminals == 0)
        third.lose()
        #expect(rig.host.sessions.restingCount == 1 && rig.host.sessions.restingTerminals == 5)
    }

    @Test("A session outlives its connection for its lifetime, and not longer")
    func lifetime() throws {
        let rig = Rig()
        for (pause, number) in [(299_999, 1), (300_000, 0)] {
            let session = "s\(pause)"
            let first = rig.connect(session: session)
            let t = try first.bound("x")
            first.next(t, "1")
            first.lose()
            rig.tick(after: UInt64(pause))
            let again = rig.connect(session: session)
            try again.bind("x")
            expect(again.take().first?.contains(" n\(number) ") == true)
        }
    }

    @Test("A new channel of a deleted one's name counts its sends anew")
    func deleted() throws {
        let rig = Rig()
        let a = rig.connect(session: "s")
        let t = try a.bound("x")
        a.next(t, "1")
        try a.delete("x")
        _ = a.take()
        try a.bind("x")
        expect(a.take() == ["3 bound t5@0 open shared n0"])
    }

    @Test("The numbers of a deleted channel go on in the next one of its name, for a client that names its terminal")
    func goesOn() throws {
        let rig = Rig()
        let (first, b) = (rig.connect(session: "s"), rig.connect())
        let t = try first.bound("x")
        first.next(t, "1")
        first.next(t, "2", if: 0)
        first.next(t, "3")
        first.lose()
        try b.delete("x")
        try b.set("x", "4")
        // The answer to the first bind is lost.
        for _ in 1...2 {
            let again = rig.connect(session: "s")
            try again.bind("x") { $0.was = t }
            expect(again.take() == ["1 bound t5 was t3@4 open shared n3 4"])
            again.lose()
        }
        let last = rig.connect(session: "s")
        try last.bind("x") { $0.was = t }
        _ = last.take()
        for number in 1...4 { last.next(TerminalID(5), "\(number)", n: UInt64(number)) }
        expect(last.take() == ["t5 ack 1@4", "t5 nak 2 conflict@4=4", "t5 ack 3@4", "t5 ack 4@5"])
    }

    @Test("The numbers of a forgotten channel go on, too, and a send that was not applied is applied in the next one")
    func goesOnInForgotten() throws {
        let rig = Rig()
        let first = rig.connect(session: "s")
        let t = try first.bound("x")
        first.lose()
        let again = rig.connect(session: "s")
        try again.bind("x") { $0.was = t }
        again.next(TerminalID(5), "1", n: 1)
        expect(again.take() == ["1 bound t5 was t3@0 open shared n0", "t5 ack 1@1"])
    }

    @Test("The numbers of a terminal do not go on in one of the other side, nor while its channel is there")
    func doesNotGoOn() throws {
        let rig = Rig()
        let first = rig.connect(session: "s")
        let (t, other) = (try first.bound("x"), try first.bound("y"))
        for terminal in [t, other] { first.next(terminal, "1") }
        try first.delete("x")
        _ = first.take()
        try first.bind("x") {
            $0.role = .leading
            $0.was = t
        }
        try first.bind("z") { $0.was = other }
        try first.bind("w") { $0.was = TerminalID(999) }
        #expect(first.take().allSatisfy { $0.contains("n0") && !$0.contains("was") })
    }

    @Test("A session forgets terminals that it left long ago, never those that are bound")
    func bounded() throws {
        var limits = Limits()
        limits.terminalsPerSession = 10
        let rig = Rig(limits: limits)
        let a = rig.connect(session: "s")
        let kept = try (0..<15).map { try a.bound("kept/\($0)") }
        for terminal in kept { a.next(terminal, "1") }
        for index in 0..<100 {
            let t = try a.bound("x\(index)")
            a.next(t, "1")
            a.ask(.unbind(t))
            #expect(a.connection.session.count <= 10)
        }
        a.lose()
        let again = rig.connect(session: "s")
        for index in 0..<15 { try again.bind("kept/\(index)") }
        expect(again.take().count { $0.contains(" n1 ") } == 15)
    }

    @Test(
        "A client that says bye behind writes that wait for the disk goes when they are answered",
        arguments: [true, false]
    )
    func byeWhileWaiting(_ isStored: Bool) throws {
        let rig = Rig(isStored: true)
        let a = rig.connect()
        try a.set("x", "1") { $0.sync = true }
        a.say(.bye)
        #expect(!a.isEvicted)
        if isStored { rig.commit() } else { rig.fail("full") }
        #expect(a.isEvicted)
        expect(a.take() == [isStored ? "1 rev 1" : "1 refused storage"])
    }

    @Test(
        "A client that says bye behind a send whose answer waits for socket room goes when it is answered",
        arguments: [true, false]
    )
    func byeWithFullSocket(_ conflates: Bool) throws {
        let rig = Rig()
        let (a, b) = (rig.connect(), rig.connect())
        let t = try b.bound("x", conflate: conflates)
        b.reads(false)
        try a.set("x", "1")
        b.next(t, "2")
        b.say(.bye)
        #expect(!b.isEvicted)
        b.reads(true)
        #expect(b.isEvicted)
        expect(b.take().last == "t\(t) ack 1@2")
    }

    @Test("After bye no request of a connection is carried out")
    func bye() throws {
        let rig = Rig()
        let (a, b) = (rig.connect(), rig.connect())
        try b.bound("x")
        try a.set("x", "1")
        a.say(.bye)
        #expect(a.isEvicted)
        try a.set("x", "2")
        a.say(.ping)
        expect(a.take() == ["1 rev 1"])
        expect(b.take() == ["t3 next 1@1"])
    }
}
