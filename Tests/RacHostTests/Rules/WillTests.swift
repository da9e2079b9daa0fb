import Expectations
import RacProtocol
import Testing

@testable import RacHost

/// Changes of channels when a connection is lost.
@Suite struct WillTests {
    private static let gone = ChannelEnd.failed(WireError(code: "gone", message: ""))

    @Test("A lost connection's wills are applied in the order of their terminals' numbers, and not sent to it")
    func lost() throws {
        let rig = Rig()
        let (a, b) = (rig.connect(), rig.connect())
        try b.bound("x")
        try b.bound("y")
        try b.bound("z")
        try a.bound("z", will: .end(Self.gone))
        try a.bound("y", will: .end(.completed))
        try a.bound("x", will: .value(.text("9")))
        a.lose()
        expect(b.take().sorted() == ["t3 next 9@1", "t5 completed@2", "t7 error gone@3"])
        expect(a.take() == [])
    }

    @Test(
        "A will is dropped if the newest value came through another binding that is there and has a will",
        arguments: [ChannelMode.shared, .paired]
    )
    func succeeded(mode: ChannelMode) throws {
        let rig = Rig()
        let (old, new, other) = (rig.connect(), rig.connect(), rig.connect())
        try old.create("p", mode)
        let will = Will.value(.text("\"lost\""))
        let terminal = try old.bound("p", .leading, will: will)
        try other.bound("p")
        old.next(terminal, "\"old\"")
        try new.bound("p", .leading, will: will)
        new.next(terminal, "\"new\"")
        _ = other.take()
        old.lose()
        expect(other.take() == [])
        new.lose()
        expect(other.take().map { $0.contains("lost") } == [true])
    }

    @Test(
        "A will is applied after a value of a binding without a will, or of one that has gone, and of its own",
        arguments: ["without", "gone", "own", "other channel side"]
    )
    func notSucceeded(by who: String) throws {
        let rig = Rig()
        let (old, new, other) = (rig.connect(), rig.connect(), rig.connect())
        try old.create("p", who == "other channel side" ? .paired : .shared)
        let will = Will.value(.text("\"lost\""))
        let terminal = try old.bound("p", .leading, will: will)
        try other.bound("p")
        let role: Role = who == "other channel side" ? .following : .leading
        let next = try new.bound("p", role, will: who == "without" ? nil : will)
        new.next(next, "\"new\"")
        if who == "own" { old.next(terminal, "\"old\"") }
        if who == "gone" { new.leave() }
        _ = other.take()
        old.lose()
        expect(other.take().map { $0.contains("lost") } == [true])
    }

    @Test("A will comes from the terminal that was bound: in a paired channel it reaches the other side")
    func paired() throws {
        let rig = Rig()
        let (a, l, f) = (rig.connect(), rig.connect(), rig.connect())
        try a.create("p", .paired)
        try l.bound("p", .leading)
        try f.bound("p")
        try a.bound("p", .leading, will: .value(.text("0")))
        a.lose()
        expect(l.take() == [])
        expect(f.take() == ["t3 next 0@2"])
    }

    /// A device with a will hangs, and its binding has ended as too slow; a person is bound to the same channel, p.
    private func hanging(awaitsDisk: Bool = false) throws -> (device: Client, person: Client) {
        var limits = Limits()
        limits.queuedBytesPerBinding = 100
        let rig = Rig(isStored: awaitsDisk, limits: limits)
        let (device, person) = (rig.connect(), rig.connect())
        try device.create("p", .paired)
        let own = try device.bound("p", .leading, will: .value(.text("0")))
        if awaitsDisk { device.next(own, "1", sync: true) }
        let terminal = try person.bound("p")
        device.reads(false)
        for number in 1...9 { person.next(terminal, "\"something \(number)\"") }
        return (device, person)
    }

    @Test(
        "A client that hangs and ended as too slow leaves its will, until it is given that end",
        arguments: [false, true]
    )
    func tooSlow(_ readsAgain: Bool) throws {
        let (device, person) = try self.hanging()
        if readsAgain { device.reads(true) }
        _ = person.take()
        device.lose()
        expect(person.take().count == (readsAgain ? 0 : 1))
    }

    @Test("A client that was given its end as too slow leaves no will, though a send of it still waits for the disk")
    func tooSlowAndWaiting() throws {
        let (device, person) = try self.hanging(awaitsDisk: true)
        device.reads(true)
        expect(device.take().last?.contains("slow-consumer") == true)
        _ = person.take()
        device.lose()
        expect(person.take() == [])
    }

    @Test("A will that is refused leaves no channel behind", arguments: ["no place", "no revision"])
    func refused(_ why: String) throws {
        var limits = Limits()
        if why == "no place" { limits.valueBytes = 0 }
        let rig = Rig(reserved: why == "no revision" ? .never : Revision(100), limits: limits)
        rig.reservesByItself = false
        let a = rig.connect()
        try a.bound("x", will: .value(.text("9")))
        try a.bound("y", will: .end(Self.gone))
        a.lose()
        expect(rig.host.directory.count == 0)
    }

    @Test(
        "The will of a hanging client goes with its channel, and not to another one of the name",
        arguments: [false, true]
    )
    func deleted(_ isMadeAgain: Bool) throws {
        let (device, person) = try self.hanging()
        try person.delete("p")
        if isMadeAgain { try person.create("p", .paired) }
        try person.get("p")
        let before = person.take().suffix(1)
        device.lose()
        try person.get("p")
        // The answers are the same but for their numbers, and no other message has come.
        expect(person.take().map { $0.dropFirst() } == before.map { $0.dropFirst() })
    }

    @Test(
        "Bye, unbinding, and a session that is taken over leave no will behind",
        arguments: ["bye", "unbind", "session"]
    )
    func forgotten(_ how: String) throws {
        let rig = Rig()
        let (a, b) = (rig.connect(session: "s"), rig.connect())
        try b.bound("x")
        let t = try a.bound("x", will: .value(.text("9")))
        switch how {
        case "bye": a.leave()
        case "unbind": a.ask(.unbind(t))
        default: expect(rig.connect(session: "s").take() == [])
        }
        a.lose()
        expect(b.take() == [])
    }

    @Test("A client that binds again must name its will again")
    func again() throws {
        let rig = Rig()
        let (a, b) = (rig.connect(), rig.connect())
        try b.bound("x")
        let t = try a.bound("x", will: .value(.text("9")))
        a.ask(.unbind(t))
        try a.bound("x")
        a.lose()
        expect(b.take() == [])
    }

    @Test("A will for a channel that has ended is dropped, reopened or not")
    func ended() throws {
        let rig = Rig()
        let (a, b) = (rig.connect(), rig.connect())
        try a.bound("x", will: .value(.text("9")))
        try b.finish("x")
        try b.reopen("x")
        a.lose()
        try b.get("x")
        expect(b.take() == ["1 rev 1", "2 rev 2", "3 got@0 open shared"])
    }

    @Test("A will makes the channel again that its only binding took along")
    func onlyBinding() throws {
        let rig = Rig(isStored: true)
        let (a, b) = (rig.connect(), rig.connect())
        try a.bound("x", will: .value(.text("9")))
        try a.bound("y", will: .end(.completed))
        a.lose()
        try b.get("x")
        try b.get("y")
        expect(b.take() == ["1 got@1 open shared 9", "2 got@0 completed shared"])
        expect(rig.stored == ["x", "y"])
    }

    @Test("One will of a connection may end the channel of another of its wills")
    func oneAfterTheOther() throws {
        let rig = Rig()
        let (a, b) = (rig.connect(), rig.connect())
        try b.bound("x")
        try a.bound("x", .leading, will: .end(.completed))
        try a.bound("x", .following, will: .value(.text("9")))
        a.lose()
        expect(b.take() == ["t3 completed@1"])
    }

    @Test("A connection that the host ended itself is a lost one")
    func evicted() throws {
        var limits = Limits()
        limits.watchNameBytesPerConnection = 500
        let rig = Rig(limits: limits)
        let (a, b) = (rig.connect(), rig.connect())
        try b.bound("x")
        try a.bound("x", will: .value(.text("9")))
        try a.watch("n/*")
        a.reads(false)
        for index in 0..<5 {
            try b.set("n/\(index)", "1")
            try b.delete("n/\(index)")
        }
        #expect(a.isEvicted)
        _ = b.take()
        a.lose()
        expect(b.take() == ["t3 next 9@11"])
    }
}
