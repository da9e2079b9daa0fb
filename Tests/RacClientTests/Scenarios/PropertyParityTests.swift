import Expectations
import Rac
import RacClient
import RacTesting
import Testing

@Suite(.timeLimit(.minutes(10))) struct PropertyParityTests {
    @Test("A remote property is set, bound, mapped and observed as a local one")
    func parity() async throws {
        try await World.with(.unix) { world in
            let p = await world.program()
            let remote = try await world.open(p, "N", as: Int.self)
            let (seen, doubled, copy) = (Log<Int>(), remote.map { $0 * 2 }, Property(0))
            remote.onValue { seen.append($0) }
            copy <~ remote
            remote.value = 1
            remote.value? += 1
            expect(doubled.value == 4)
            let source = Property(3)
            let binding = remote <~ source
            source.value = 4
            binding.dispose()
            source.value = 5
            #expect(seen.entries == [1, 2, 3, 4] && remote.value == 4 && copy.value == 4)
            try await world.settle()
            expect(try await p.get("N", as: Int.self) == 4)
            let subject = Subject<Int, ClientError>()
            remote.subscribe(to: subject)
            subject.send(6)
            subject.complete()
            try await eventually { try await p.get("N").state != .open }
            expect(try await p.get("N", as: Int.self) == 6)
        }
    }

    @Test("A remote property combines with a local one as it is, and enables a command")
    func combined() async throws {
        try await World.with(.unix) { world in
            let (p, q) = await (world.program(), world.program())
            let limit = Property(10)
            let isLow = combineLatest(try p.property("N", as: Int.self), limit) { ($0 ?? .max) < $1 }
            let both = combineLatest(try p.property("N", as: Int.self), try p.property("M", as: String.self))
            let heard = Recorder(isLow)
            let fill = Command<Void, Void, Never>(on: .immediate, enabledIf: isLow.signal) { .just(()) }
            #expect(!isLow.value && both.value == (nil, nil) && !fill.isEnabled.value)
            try await q.set("N", 3)
            try await eventually { fill.isEnabled.value }
            #expect(isLow.value)
            limit.value = 2
            #expect(!fill.isEnabled.value && !isLow.value)
            try await q.set("M", "m")
            try await eventually { both.value == (3, "m") }
            try await q.finish("N")
            limit.value = 4
            #expect(isLow.value)
            expect(heard.values == [false, true, false, true])
            let word = try p.property("M", as: String.self)
            let few = ValidatingProperty(9, with: word) { $0 > ($1?.count ?? 0) ? "many" : nil }
            few.value = 1
            try await eventually { few.value == 1 }
        }
    }

    @Test("A view of a remote property has its value at each moment, keeps the channel bound, and completes with it")
    func view() async throws {
        try await World.with(.unix) { world in
            let (p, q) = await (world.program(), world.program())
            let view = try p.property("N", as: Int.self).readOnly
            let heard = Recorder(view)
            expect(view.value == nil)
            try await q.set("N", 1)
            try await eventually { view.value == 1 }
            let property = try p.property("N", as: Int.self)
            property.value = 2
            expect(view.value == 2)
            try await property.settled()
            try await q.finish("N", with: .failed(ClientError("over", "for a test")))
            try await eventually { heard.events.last == .completed }
            expect(heard.events == events(nil, 1, 2, then: .completed))
            expect(view.value == 2)
        }
    }

    @Test("Signals whose failure type nothing decides are bound, and both directions of a paired channel")
    func undecidedFailures() async throws {
        try await World.with(.unix) { world in
            let (p, q) = await (world.program(), world.program())
            let (local, failing) = (Property(0), Subject<Int, ClientError>())
            local <~ Signal.just(1)
            let remote = try await world.open(p, "N", as: Int.self)
            remote <~ Signal.just(2)
            remote <~ Signal.interval(every: .seconds(1_000), on: .background).map { _ in 0 }
            remote <~ failing
            #expect(local.value == 1 && remote.value == 2)
            let heard = Log<Int>()
            Signal.just(1).onValue { heard.append($0) }
            Signal.just(2).onMain { heard.append($0) }
            try await eventually { heard.entries.contains(1) && heard.entries.contains(2) }
            let model = try p.terminal("M", .leading, sends: Int.self, receives: String.self)
            let view = try await world.attach(q, "M", .following)
            model <~ Signal.just(3)
            model <~ failing
            failing.send(4)
            let seen = Log<Int>()
            view.onValue { seen.append($0) }
            try await eventually { seen.entries.last == 4 }
            expect(remote.value == 4)
        }
    }

    @Test("A binding keeps what it sets, which nobody else may hold, until its source ends")
    func keptByBindings() async throws {
        try await World.with(.unix) { world in
            let (p, q) = await (world.program(), world.program())
            let (source, wishes, states) = (Property(1), Subject<Int, Never>(), Subject<Int, Never>())
            try p.property("N", as: Int.self) <~ source
            try p.terminal("M", .following, as: Int.self) <~ wishes
            try p.terminal("P", .leading, sends: Int.self, receives: String.self) <~ states
            let (wished, told) = try (
                q.terminal("M", .leading, as: Int.self), q.terminal("P", .following, as: Int.self)
            )
            let seen = Log<Int>()
            wished.onValue { seen.append($0) }
            told.onValue { seen.append($0) }
            try await eventually { try await q.get("N", as: Int.self) == 1 }
            source.value = 2
            try await eventually { try await q.get("N", as: Int.self) == 2 }
            wishes.send(3)
            try await eventually { seen.entries == [3] }
            states.send(4)
            try await eventually { seen.entries == [3, 4] }
            wishes.complete()
            states.complete()
            try await eventually { try await p.list("*").map(\.bound) == [1, 1, 1] }
        }
    }

    @Test("An observer that gets another program's value finds its revision")
    func revisionOfWhatIsTold() async throws {
        try await World.with(.unix) { world in
            let (p, q) = await (world.program(), world.program())
            let property = try await world.open(p, "N", as: Int.self)
            let seen = Log<Revision?>()
            property.onValue { _ in seen.append(property.current?.revision) }
            for value in 1...20 {
                let written = try await q.set("N", value)
                try await eventually { property.value == value && seen.entries.count == value }
                expect(seen.entries.last == written)
            }
        }
    }

    @Test("Programs that modify a property at the same time lose no change")
    func modify() async throws {
        try await World.with(.unix) { world in
            let programs = await [world.program(), world.program(), world.program()]
            let counters = try programs.map { try $0.property("N", as: Int.self, default: 0) }
            try await withThrowingTaskGroup { group in
                for counter in counters {
                    group.addTask { for _ in 0..<20 { try await counter.modify { $0 += 1 } } }
                }
                try await group.waitForAll()
            }
            expect(try await programs[0].get("N", as: Int.self) == 60)
            try await eventually { counters.allSatisfy { $0.value == 60 } }
        }
    }

    @Test("Calls of one program that modify a property stand in line, and no transform runs twice")
    func line() async throws {
        try await World.with(.unix) { world in
            let program = await world.program()
            let counters = try [program.property("N", as: Int.self, default: 0), program.property("N", as: Int.self)]
            let runs = Counter()
            try await withThrowingTaskGroup { group in
                for number in 0..<100 {
                    group.addTask {
                        try await counters[number % 2].modify { value in
                            runs.increment()
                            value += 1
                        }
                    }
                }
                try await group.waitForAll()
            }
            #expect(counters[0].value == 100 && runs.count == 100)
        }
    }

    @Test("A call that stands in line ends when its task is cancelled, and all end when there is no connection")
    func lineWithoutConnection() async throws {
        try await LocalDaemon.with(.unix) { daemon in
            var configuration = ClientConfiguration.quick
            configuration.replyTimeout = .milliseconds(500)
            let client = Client(daemon.address, configuration: configuration)
            let counter = try client.property("N", as: Int.self, default: 0)
            try await counter.write(1)
            try await daemon.stop()
            try await client.until { !$0.isLive }
            let calls = (0..<50).map { _ in Task { try await counter.modify { $0 += 1 } } }
            calls[49].cancel()
            var codes: Set<ClientError.Code> = []
            for call in calls.dropLast() {
                if let error = await #expect(throws: ClientError.self, performing: { try await call.value }) {
                    codes.insert(error.code)
                }
            }
            expect(codes == [.timedOut])
            expect(await #expect(throws: ClientError.self) { try await calls[49].value }?.code == .cancelled)
            await client.close()
        }
    }

    @Test("Each wait has its own timeout")
    func timeouts() async throws {
        try await LocalDaemon.with(.unix) { daemon in
            let client = Client(daemon.address, configuration: .quick)
            try await client.waitUntilLive(timeout: .seconds(60))
            let command = try client.command("nobody", as: Int.self, returning: Int.self)
            let notEnabled = await #expect(throws: ClientError.self) {
                try await command.whenEnabled(timeout: .milliseconds(1))
            }
            expect(notEnabled?.code == .timedOut)
            let property = try client.property("N", as: Int.self)
            try await daemon.stop()
            try await eventually { client.connection.value != .live }
            let late = await #expect(throws: ClientError.self) {
                try await property.write(1, timeout: .milliseconds(1))
            }
            #expect(late?.code == .timedOut && property.value == 1)
            let unsettled = await #expect(throws: ClientError.self) {
                try await property.settled(timeout: .milliseconds(1))
            }
            #expect(unsettled?.code == .timedOut && property.value == 1)
            let lost = await #expect(throws: ClientError.self) {
                try await client.waitUntilLive(timeout: .milliseconds(1))
            }
            expect(lost?.code == .timedOut)
            await client.close()
            expect(await #expect(throws: ClientError.self) { try await client.waitUntilLive() }?.code == .closed)
        }
    }

    @Test("A wait ends in time even if its time is over before it has begun")
    func shortWaits() async throws {
        try await LocalDaemon.with(.unix) { daemon in
            let client = Client(daemon.address, configuration: .quick)
            let property = try client.property("N", as: Int.self)
            try await client.waitUntilLive(timeout: .seconds(60))
            try await daemon.stop()
            try await eventually { client.connection.value != .live }
            property.send(1)
            let codes = Log<ClientError.Code?>()
            for _ in 0..<2_000 {
                Task {
                    do throws(ClientError) {
                        try await property.settled(timeout: .zero)
                        codes.append(nil)
                    } catch {
                        codes.append(error.code)
                    }
                }
            }
            try await eventually { codes.entries.count == 2_000 }
            #expect(codes.entries.allSatisfy { $0 == .timedOut })
            await client.close()
        }
    }

    @Test("A published property ends its channel only if that is asked for", arguments: [false, true])
    func publish(endsWithOwner: Bool) async throws {
        try await World.with(.unix) { world in
            let (p, q) = await (world.program(), world.program())
            let there = try await world.open(q, "N", as: Int.self)
            var local: Property<Int>? = Property(5)
            if let local { try p.publish(local, as: "N", endsWithOwner: endsWithOwner) }
            try await eventually { there.value == 5 }
            there.send(6)
            try await eventually { local?.value == 6 }
            local = nil
            while try await q.list("N").map(\.bound) != [endsWithOwner ? 0 : 1] { try await p.ping() }
            expect(try await q.get("N").state == (endsWithOwner ? .completed : .open))
        }
    }
}
