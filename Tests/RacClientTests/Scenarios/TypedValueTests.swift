import Expectations
import Foundation
import Rac
import RacClient
import RacTesting
import Testing

@Suite(.timeLimit(.minutes(10))) struct TypedValueTests {
    private struct Note: Codable, Equatable, Sendable {
        var text: String
        var at: Date
    }

    @Test("Single calls take and give values")
    func calls() async throws {
        try await World.with(.unix) { world in
            let client = await world.program()
            try await client.set("a", 7)
            expect(try await client.get("a", as: Int.self) == 7)
            expect(try await client.get("none", as: Int.self) == nil)
            await #expect(throws: ClientError.self) { try await client.get("a", as: String.self) }
            try await client.put([ChannelValue("b", "x/y"), ChannelValue("c", [1, 2])])
            expect(try await client.get("b").value?.text == "\"x/y\"")
            try await client.set("d", ["on": true, "levels": [1, 2.5, .null], "name": .string("a")] as JSONText)
            expect(try await client.get("d").value?.text == #"{"on":true,"levels":[1,2.5,null],"name":"a"}"#)
            expect(
                await #expect(throws: ClientError.self) {
                    try await client.set("a", 8, ifUnchangedSince: 0)
                }?.code == .conflict
            )
        }
    }

    @Test("Dates are ISO 8601, keys are in order, slashes stay")
    func coders() async throws {
        try await World.with(.unix) { world in
            let client = await world.program()
            let note = Note(text: "a/b", at: Date(timeIntervalSince1970: 1.5))
            try await client.set("n", note)
            expect(try await client.get("n").value?.text == #"{"at":"1970-01-01T00:00:01.500Z","text":"a/b"}"#)
            expect(try await client.get("n", as: Note.self) == note)
            try await client.set("n", ["at": .string("1970-01-01T00:00:01Z"), "text": .string("")] as JSONText)
            expect(try await client.get("n", as: Note.self)?.at == Date(timeIntervalSince1970: 1))
        }
    }

    @Test("A client's own coders write each value, also those of a put")
    func ownCoders() async throws {
        try await World.with(.unix) { world in
            let configuration = ClientConfiguration.quick
            configuration.encoder.dateEncodingStrategy = .secondsSince1970
            configuration.decoder.dateDecodingStrategy = .secondsSince1970
            let client = Client(world.daemon.address, configuration: configuration)
            let date = Date(timeIntervalSince1970: 1.5)
            var values = [try ChannelValue("a", date), try ChannelValue("b", date)]
            values[1].value = .integer(7)
            try await client.put(values)
            expect(try await client.get("a").value?.text == "1.5")
            expect(try await client.get("b").value?.text == "7")
            expect(try await client.property("a", as: Date.self).firstValue() == date)
            await client.close()
        }
    }

    @Test(
        "A value that cannot be read names its place and the reason",
        arguments: [
            (#"{"counts":[1,-1]}"#, "a value is no Numbers: a number is out of the range of its type"),
            (#"{"counts":[1e400]}"#, "a value is no Numbers: a number is out of the range of its type"),
            (#"{"counts":[],"cost":"x"}"#, "a value is no Numbers: at cost: the value is no Decimal"),
        ]
    )
    func reasons(text: String, message: String) throws {
        let text = try JSONText(text)
        let error = #expect(throws: ClientError.self) { try text.decoded(as: Numbers.self) }
        expect(error?.message == message)
    }

    private struct Numbers: Codable {
        var counts: [UInt64]
        var cost: Decimal?
    }

    @Test("A watch of typed values delivers values, and values of another type as problems")
    func watch() async throws {
        try await World.with(.unix) { world in
            let client = await world.program()
            try await client.set("w/a", 1)
            try await client.set("w/b", "x")
            var values: [String: Int?] = [:]
            for try await event in try client.watch("w/*", as: Int.self) {
                guard case .changed(let change) = event else { break }
                values[change.name.text] = change.value
                expect((change.problem?.code == .badValue) == (change.value == nil))
            }
            expect(values == ["w/a": 1, "w/b": nil])
        }
    }

    @Test("A failure of a host crosses with the code of its choice, and others reveal nothing of the host")
    func failures() async throws {
        try await World.with(.unix) { world in
            let (host, caller) = await (world.program(), world.program())
            let heat = Command<Int, Int, TestFailure>(on: .immediate) { _ in .fail(TestFailure.e) }
            try host.host("heat", heat) { _ in ClientError("overheated", "too hot") }
            try host.host("secret", heat)
            for (name, text) in [
                ("heat", "overheated: too hot"), ("secret", "failed: the command failed where it is hosted"),
            ] {
                let command = try caller.command(name, as: Int.self, returning: Int.self)
                try await command.whenEnabled()
                let end = Recorder(command.execute(1))
                try await eventually { !end.events.isEmpty }
                guard case .failed(.failed(let error)) = end.events.last else {
                    Issue.record("\(end.events)")
                    continue
                }
                #expect("\(error)" == text && error.localizedDescription == error.message)
            }
        }
    }

    @Test("A checked name is as good as its text, in each call that takes a name")
    func names() async throws {
        try await World.with(.unix) { world in
            let client = await world.program()
            try await client.set("n/a", 1)
            let name = try #require(try await client.list("n/*").first).name
            expect(try await client.get(name, as: Int.self) == 1)
            expect(try await client.get(name).value?.text == "1")
            try await client.set(name, 2)
            try await client.put([ChannelValue(name, 3), ChannelValue("n/b"[...], "x")])
            let property = try client.property(name, as: Int.self)
            expect(try await property.firstValue() == 3)
            expect(try await client.list(property.name).map(\.name) == [name])
            for try await event in try client.watch(ChannelPattern("n/a"), as: Int.self) {
                guard case .changed(let change) = event else { break }
                #expect(change.name == name && change.value == 3)
            }
            try client.link(name, "n/c")
            try await eventually { try await client.get("n/c", as: Int.self) == 3 }
            try await client.delete(name)
            expect(try await client.get(name, as: Int.self) == nil)
            let command = try CommandName("n/command")
            try client.host(command, Command<Int, Int, Never> { .just($0 + 1) })
            let remote = try client.command(command, as: Int.self, returning: Int.self)
            try await remote.whenEnabled(timeout: .seconds(100))
            expect(try await remote.run(1) == 2)
        }
    }

    @Test("A signal of a remote property has handlers, and a local property that may have no value follows it")
    func mapped() async throws {
        try await World.with(.unix) { world in
            let client = await world.program()
            let (volume, heard) = (try client.property("m", as: Int.self), Property<[String]>([]))
            let text = Property<String?>(nil)
            volume.signal.map { "volume \($0)" }.onValue { word in heard.modify { $0.append(word) } }
            text <~ volume.signal.map { "\($0)" }
            try await volume.write(3)
            #expect(heard.value == ["volume 3"] && text.value == "3")
        }
    }

    @Test("A paired channel has a type for each direction, and a device hears the last wish if it wants")
    func paired() async throws {
        try await World.with(.unix) { world in
            let (device, person) = await (world.program(), world.program())
            let wishes = try person.terminal("heater", .following, sends: Int.self, receives: String.self)
            try await wishes.write(21)
            let heater = try device.terminal(
                "heater",
                .leading,
                sends: String.self,
                receives: Int.self,
                replaysWish: true,
                will: .value("lost")
            )
            let heard = Recorder(heater)
            try await eventually { heard.values == [21] }
            try await heater.write("warm")
            let late = Recorder(wishes)
            try await eventually { late.values == ["warm"] }
            wishes.send(22)
            try await eventually { Recorder(heater).values == [22] }
            #expect(heater.problem.value == nil && wishes.problem.value == nil)
            heater.end(.completed)
            try await eventually { late.isDisposed && heard.isDisposed }
        }
    }
}
