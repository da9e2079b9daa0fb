import Expectations
import RacHost
import RacProtocol
import Testing

/// Answers that wait for the disk, and failures of the disk.
@Suite struct StorageTests {
    @Test("The answer to a sync write waits for its commit, and the change does not")
    func sync() throws {
        let rig = Rig(isStored: true)
        let (a, b) = (rig.connect(), rig.connect())
        let t = try a.bound("x")
        try b.bound("x")
        a.next(t, "1", sync: true)
        try a.set("y", "1") { $0.sync = true }
        try a.set("z", "1")
        try a.put([("p", "1", nil), ("q", "1", nil)], sync: true)
        expect(a.take() == ["3 rev 3"])
        expect(b.take() == ["t3 next 1@1"])
        expect(rig.stored == ["x", "y", "z", "p", "q"])
        rig.commit()
        expect(a.take() == ["2 rev 2", "4 revs 4 5", "t3 ack 1@1"])
    }

    @Test("A send that begins to wait for a commit while others are answered has its answer with them")
    func joining() throws {
        var limits = Limits()
        limits.unitsPerTurn = 100
        let rig = Rig(isStored: true, limits: limits)
        let (a, b) = (rig.connect(), rig.connect())
        let terminals = try ["x", "y", "z"].map { try a.bound($0) }
        let t = try b.bound("w")
        b.next(t, "1", n: 1)
        for terminal in terminals { for n in 1...60 { a.next(terminal, "\(n)", n: UInt64(n), sync: true) } }
        _ = b.take()
        let ticket = try #require(rig.batches.last?.ticket)
        let again = Send(
            terminal: t,
            number: SendNumber(1),
            event: .next(.text("1"), condition: nil, cause: nil),
            sync: true
        )
        rig.firstOfTicks {
            rig.host.committed(through: ticket)
            b.say(atOnce: [.send(again)])
        }
        for _ in 0..<50 { rig.tick() }
        expect(a.take().filter { $0.contains("ack 60") }.count == 3)
        expect(b.take() == ["t\(t) ack 1@1"])
    }

    @Test("Every request that can wait for the disk does", arguments: ["finish", "reopen", "delete", "create"])
    func requests(_ operation: String) throws {
        let rig = Rig(isStored: true)
        let a = rig.connect()
        try a.set("x", "1")
        if operation == "reopen" { try a.finish("x") }
        rig.commit()
        _ = a.take()
        switch operation {
        case "finish": try a.finish("x", sync: true)
        case "reopen": try a.reopen("x", sync: true)
        case "delete": try a.delete("x", sync: true)
        default: try a.create("y", value: "1", sync: true)
        }
        expect(a.take() == [])
        rig.commit()
        expect(a.take().count == 1)
    }

    @Test("A sync write whose state is on disk already is answered at once")
    func nothingOutstanding() throws {
        let rig = Rig(isStored: true)
        let a = rig.connect()
        try a.set("x", "1")
        rig.commit()
        try a.reopen("x", sync: true)
        try a.set("x", "0") {
            $0.cause = Revision(1)
            $0.sync = true
        }
        expect(a.take() == ["1 rev 1", "2 rev 1", "3 rev 1"])
    }

    @Test("A sync reopening of an open channel is refused at once while the disk fails, as other writes are")
    func openAndFailing() throws {
        let rig = Rig(isStored: true)
        let a = rig.connect()
        try a.set("x", "1")
        _ = a.take()
        rig.tick { rig.host.failing("full", through: 1) }
        try a.set("y", "1")
        try a.reopen("x", sync: true)
        expect(a.take() == ["2 rev 2", "3 refused storage"])
    }

    @Test("A failure of the disk, and its end, is a figure at once")
    func figure() throws {
        let rig = Rig(isStored: true)
        let a = rig.connect()
        rig.tick { rig.host.refreshFigures([]) }
        func figure() throws -> JSONText? { rig.host.knownRecord(try ChannelName("$sys/storage"))?.value?.value }
        rig.tick { rig.host.failing("full", through: 0) }
        expect(try figure() == .string("failing: full"))
        rig.tick { rig.host.storageRecovered() }
        expect(try figure() == .string("ok"))
        _ = a.take()
    }

    @Test("A later send's acknowledgement and nak wait behind a sync send")
    func order() throws {
        let rig = Rig(isStored: true)
        let a = rig.connect()
        let t = try a.bound("x")
        a.next(t, "1")
        a.next(t, "2", sync: true)
        a.next(t, "3")
        a.next(t, "4", if: 1)
        a.next(t, "5")
        expect(a.take() == ["t3 ack 1@1"])
        rig.commit()
        expect(a.take() == ["t3 ack 3@3", "t3 nak 4 conflict@3=3", "t3 ack 5@4"])
    }

    /// A client that lost its connection before its write was on disk, and whose channel has ended when it is back.
    private func comesBackAfterTheEnd(_ rig: Rig, alsoSending other: String? = nil) throws -> (Client, TerminalID) {
        let first = rig.connect(session: "s")
        let t = try first.bound("x")
        first.next(t, "1", sync: true)
        if let other { first.next(t, other) }
        first.lose()
        try rig.connect().finish("x")
        let again = rig.connect(session: "s")
        try again.bind("x")
        let (count, value) = (other == nil ? 1 : 2, other ?? "1")
        expect(
            again.take() == ["1 bound t3@\(count) completed shared n\(count) \(value)", "t3 completed@\(count + 1)"]
        )
        return (again, t)
    }

    @Test("A send repeated after the channel has ended waits for the disk, and later ones wait behind it")
    func endedMeanwhile() throws {
        let rig = Rig(isStored: true)
        let (again, t) = try self.comesBackAfterTheEnd(rig)
        again.next(t, "1", n: 1, sync: true)
        again.next(t, "2", n: 2)
        expect(again.take() == [])
        rig.commit()
        expect(again.take() == ["t3 ack 1@1", "t3 nak 2 terminated@1=1"])
    }

    @Test("A send repeated after the channel has ended is refused when the disk fails")
    func endedMeanwhileAndFailing() throws {
        let rig = Rig(isStored: true)
        let (again, t) = try self.comesBackAfterTheEnd(rig)
        again.next(t, "1", n: 1, sync: true)
        rig.tick { rig.host.failing("full", through: .max) }
        expect(again.take() == ["t3 nak 1 storage"])
    }

    @Test("A send that only waited for its turn, and not for the disk, is acknowledged when the disk fails")
    func endedMeanwhileBehind() throws {
        let rig = Rig(isStored: true)
        let (again, t) = try self.comesBackAfterTheEnd(rig, alsoSending: "2")
        again.next(t, "1", n: 1, sync: true)
        again.next(t, "2", n: 2)
        expect(again.take() == [])
        rig.tick { rig.host.failing("full", through: .max) }
        expect(again.take() == ["t3 nak 1 storage", "t3 ack 2@2"])
    }

    @Test("Each commit answers those that waited for it, not those of later batches")
    func batches() throws {
        let rig = Rig(isStored: true)
        let a = rig.connect()
        try a.set("x", "1") { $0.sync = true }
        try a.set("x", "2") { $0.sync = true }
        let tickets = rig.batches.map(\.ticket)
        expect(tickets.count == 2)
        rig.tick { rig.host.committed(through: tickets[0]) }
        expect(a.take() == ["1 rev 1"])
        rig.tick { rig.host.committed(through: tickets[1]) }
        expect(a.take() == ["2 rev 2"])
    }

    @Test("One tick's changes are one batch with each channel once, as it is at its end")
    func oneBatch() throws {
        let rig = Rig(isStored: true)
        let a = rig.connect()
        try a.set("old", "1")
        rig.commit()
        try rig.tick {
            try a.set("x", "1")
            try a.set("x", "2")
            try a.set("gone", "1")
            try a.delete("gone")
            try a.delete("old")
            try a.set("again", "1")
            try a.delete("again")
            try a.set("again", "2")
        }
        expect(rig.batches.count == 1)
        expect(rig.stored == ["x", "again"])
        expect(rig.removed == [1])
        expect(rig.storedRecords.compactMap(\.value?.value.text) == ["2", "2"])
    }

    @Test("Without a store sync is answered at once and nothing is stored")
    func memory() throws {
        let rig = Rig()
        let a = rig.connect()
        let t = try a.bound("x")
        a.next(t, "1", sync: true)
        try a.set("y", "1") { $0.sync = true }
        expect(a.take() == ["t3 ack 1@1", "2 rev 2"])
        #expect(rig.batches.isEmpty)
    }

    @Test("A failed commit is reported to the writes that waited; what it held is applied all the same")
    func failing() throws {
        let rig = Rig(isStored: true)
        let a = rig.connect()
        let t = try a.bound("x")
        a.next(t, "1")
        a.next(t, "2", sync: true)
        a.next(t, "3")
        try a.set("y", "1") { $0.sync = true }
        _ = a.take()
        rig.fail("no space")
        expect(a.take() == ["2 refused storage", "t3 nak 2 storage@3=3", "t3 ack 3@3"])
        try a.get("x")
        expect(a.take() == ["3 got@3 open shared 3"])
    }

    @Test("An acknowledgement that is due comes before the nak of a failed commit")
    func dueBeforeNak() throws {
        let rig = Rig(isStored: true)
        let a = rig.connect()
        let t = try a.bound("x")
        rig.tick {
            a.next(t, "1")
            a.next(t, "2", sync: true)
            a.reads(false)
        }
        rig.fail("no space")
        a.reads(true)
        expect(a.take() == ["t3 ack 1@1", "t3 nak 2 storage@2=2"])
    }

    @Test("While the disk fails sync writes are refused before they are applied, others are taken")
    func refused() throws {
        let rig = Rig(isStored: true)
        let (a, b) = (rig.connect(), rig.connect())
        let t = try a.bound("x")
        try b.watch("**")
        try a.set("x", "0")
        rig.fail("no space")
        _ = (a.take(), b.take())
        a.next(t, "1", sync: true)
        a.next(t, "2", if: 7, sync: true)
        try a.set("y", "1") { $0.sync = true }
        try a.finish("x", sync: true)
        try a.create("y", sync: true)
        try a.delete("x", sync: true)
        try a.put([("y", "1", nil)], sync: true)
        expect(
            a.take() == [
                "t3 nak 1 storage", "t3 nak 2 storage", "3 refused storage", "4 refused storage", "5 refused storage",
                "6 refused storage", "7 refused storage",
            ]
        )
        expect(b.take() == [])
        a.next(t, "3")
        try a.get("$sys/storage")
        expect(a.take() == ["t3 ack 3@2", "8 refused no-such-channel"])
        rig.tick { rig.host.storageRecovered() }
        a.next(t, "4", sync: true)
        rig.commit()
        expect(a.take() == ["t3 ack 4@3"])
    }

    @Test("A sync send that comes again while the disk fails is refused as applied", arguments: [true, false])
    func againWhileFailing(_ isBound: Bool) throws {
        let rig = Rig(isStored: true)
        let first = rig.connect(session: "s")
        let t = try first.bound("x")
        first.next(t, "1", sync: true)
        rig.fail("no space")
        expect(first.take() == ["t3 nak 1 storage@1=1"])
        first.lose()
        let again = rig.connect(session: "s")
        if isBound { try again.bound("x") }
        for _ in 1...2 {
            again.next(t, "1", n: 1, sync: true)
            let messages = again.takeMessages()
            guard messages.count == 1, case .nak(_, SendNumber(1), let refusal) = messages[0] else {
                Issue.record("the client heard \(messages.map(\.brief))")
                continue
            }
            #expect(refusal.error.code == "storage" && refusal.isApplied)
        }
        // A newer change waits for the next attempt of the store, which reports it.
        try again.set("y", "1")
        again.next(t, "1", n: 1, sync: true)
        rig.tick { rig.host.storageRecovered() }
        rig.commit()
        expect(again.take().last == "t3 ack 1@1")
    }

    @Test("To reopen an open channel with sync while the disk fails is refused")
    func reopenWhileFailing() throws {
        let rig = Rig(isStored: true)
        let a = rig.connect()
        try a.set("x", "1")
        rig.fail("no space")
        try a.reopen("x", sync: true)
        expect(a.take() == ["1 rev 1", "2 refused storage"])
    }

    @Test("A client that is gone when its commit comes gets nothing, and hurts nobody", arguments: [true, false])
    func gone(_ commits: Bool) throws {
        let rig = Rig(isStored: true)
        let (a, b) = (rig.connect(), rig.connect())
        let t = try a.bound("x")
        a.next(t, "1", sync: true)
        try a.set("y", "1") { $0.sync = true }
        try b.set("y", "2") { $0.sync = true }
        a.lose()
        try b.delete("x")
        if commits { rig.commit() } else { rig.fail("no space") }
        expect(a.take() == [])
        expect(b.take().count == 2)
    }

    @Test("A channel's end does not cancel answers that wait for the disk", arguments: ["end", "delete", "unbind"])
    func endedBeforeCommit(_ how: String) throws {
        let rig = Rig(isStored: true)
        let (a, b) = (rig.connect(), rig.connect())
        let t = try a.bound("x")
        a.next(t, "1", sync: true)
        switch how {
        case "end": a.end(t, sync: true)
        case "delete": try b.delete("x")
        default: a.ask(.unbind(t))
        }
        let ends = ["end": "t3 completed@2", "delete": "t3 deleted@2", "unbind": "2 done"]
        #expect(a.take() == [ends[how]])
        rig.commit()
        expect(a.take() == [how == "end" ? "t3 ack 2@2" : "t3 ack 1@1"])
    }

    @Test("Sends after the end are answered behind those before it", arguments: [true, false])
    func afterTheEnd(_ reads: Bool) throws {
        let rig = Rig(isStored: true)
        let (a, b) = (rig.connect(), rig.connect())
        let t = try a.bound("x")
        a.next(t, "1", sync: true)
        if !reads { a.reads(false) }
        try b.set("x", "2")
        try b.finish("x")
        a.next(t, "3")
        a.next(t, "1", n: 1)
        if !reads { rig.commit() }
        a.next(t, "4", n: 3)
        rig.commit()
        a.reads(true)
        expect(
            a.take() == [
                "t3 next 2@2", "t3 completed@3", "t3 ack 1@1", "t3 nak 2 terminated@2=2", "t3 ack 1@2",
                "t3 nak 3 terminated@2=2",
            ]
        )
    }

    @Test("A failed commit of a channel that is gone meanwhile is reported too")
    func deletedBeforeFailure() throws {
        let rig = Rig(isStored: true)
        let (a, b) = (rig.connect(), rig.connect())
        let t = try a.bound("x")
        a.next(t, "1", sync: true)
        try b.delete("x")
        rig.fail("no space")
        expect(a.take() == ["t3 deleted@2", "t3 nak 1 storage@0"])
    }

    @Test("A client that binds again before the commit hears of its sends in their order")
    func boundAgain() throws {
        let rig = Rig(isStored: true)
        let a = rig.connect()
        let t = try a.bound("x")
        a.next(t, "1", sync: true)
        a.ask(.unbind(t))
        try a.bound("x")
        a.next(t, "2", n: 2)
        expect(a.take() == [])
        rig.commit()
        expect(a.take() == ["t3 ack 2@2"])
    }

    @Test("A send that comes again with sync waits for the disk like the first time")
    func resent() throws {
        let rig = Rig(isStored: true)
        let first = rig.connect(session: "s")
        let t = try first.bound("x")
        first.next(t, "1", sync: true)
        first.lose()
        let again = rig.connect(session: "s")
        try again.bound("x")
        again.next(t, "1", n: 1, sync: true)
        expect(again.take() == [])
        rig.commit()
        expect(again.take() == ["t3 ack 1@1"])
    }
}
