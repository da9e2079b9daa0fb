import Foundation
import RacClient
import RacTestKit
import Testing

/// The examples of the first pages of RacClient and of the guide "A first program".
@Suite(.timeLimit(.minutes(5))) struct FirstProgramGuideTests {
    @Test("The landing page: a property, a command and its caller")
    func landing() async throws {
        let client = Client.inMemory()
        let volume = Property(0)
        try volume <~> client.property("room/volume", as: Int.self)
        volume.value = 7
        while try await client.get("room/volume", as: Int.self) != 7 { await Task.yield() }

        try client.host("room/count", Command<Int, Int, Never> { Signal(values: 0..<$0) })

        let count = try client.command("room/count", as: Int.self, returning: Int.self)
        try await count.whenEnabled()
        let last = try await count.run(3)
        #expect(last == 2)
        await client.close()
    }

    /// The client of a daemon with TLS, which is built only.
    private static func onANetwork() throws -> Client {
        var tls = ClientTLS(trust: .file("/etc/rac/ca.crt"))
        tls.identity = ClientTLS.Identity(certificateFile: "/etc/rac/kiosk.crt", keyFile: "/etc/rac/kiosk.key")
        let client = try Client("racs://lab.example.org", configuration: ClientConfiguration(tls: tls))
        return client
    }

    private struct Login {
        func freshToken() async throws -> String { "rac_fresh" }
    }

    /// Clients with tokens, which are built only.
    private static func withTokens(_ login: Login) -> [Client] {
        let kiosk = Client(configuration: ClientConfiguration(token: .file("/run/secrets/kiosk")))
        let phone = Client(
            configuration: ClientConfiguration(token: .closure { try AccessToken(await login.freshToken()) })
        )
        return [kiosk, phone]
    }

    @Test("A property without a model")
    func property() async throws {
        let client = Client.inMemory()
        let title = try client.property("room/title", as: String.self)
        title.value = "Quiet hour"
        print(title.value ?? "no title yet")
        #expect(title.value == "Quiet hour")

        let isLive = title.current?.isLive ?? false
        let isSaved = title.current?.revision != nil
        #expect([isLive, isSaved].count == 2)

        do {
            try await title.write("Loud hour", sync: true, timeout: .seconds(5))
        } catch {
            switch error.code {
            case .timedOut: print("racd does not answer; the title goes out later")
            default: print("\(error)")
            }
        }
        #expect(title.value == "Loud hour")
        await client.close()
    }

    @Test("Single calls, and all channels of a pattern")
    func calls() async throws {
        let client = Client.inMemory()
        try await client.set("room/level", 7)
        let level = try await client.get("room/level", as: Int.self) ?? 0
        try await client.put([ChannelValue("room/level", level + 1), ChannelValue("room/limit", 10)])

        present: for try await event in try client.watch("room/*", as: Int.self) {
            switch event {
            case .changed(let channel): print(channel.name, channel.value ?? 0)
            case .synced: break present
            }
        }
        #expect(try await client.get("room/level", as: Int.self) == 8)

        for channel in try await client.list("room/**") where channel.isOpen {
            print("\(channel.name) has revision \(channel.revision)")
            if channel.name.text == "room/limit" { print("\(channel.bound) programs have it") }
        }

        try await client.finish("room/limit")
        try await client.finish("room/level", with: .failed(ClientError("closed-room", "the room is closed")))
        try await client.reopen("room/level")
        #expect(try await client.list("room/**").map(\.isOpen) == [true, false])
        await client.close()
    }

    @Test("One watch for several listeners, and a second one")
    func watches() async throws {
        let client = Client.inMemory()
        try await client.set("room/level", 7)

        let rooms = Signal(values: try client.watch("room/*", as: Int.self)).share()
        let levels = rooms.onValue { event in
            if case .changed(let channel) = event { print(channel.name, channel.value ?? 0) }
        }
        let whole = rooms.onValue { event in
            if case .synced = event { print("all rooms are here") }
        }
        let heard = Recorder(rooms)
        try await client.set("room/level", 8)
        try await heard.wait { !$0.values.isEmpty }

        let error = await #expect(throws: ClientError.self) {
            for try await event in try client.watch("room/*", as: Int.self) { print(event) }
        }
        #expect(error?.code == .alreadyBound)
        try await client.set("room/level", 9)
        try await heard.wait { record in
            if case .changed(let change) = record.values.last { change.value == 9 } else { false }
        }
        levels.dispose()
        whole.dispose()
        await client.close()
    }

    @Test("A channel that has ended")
    func ended() async throws {
        let client = Client.inMemory()
        let level = try client.property("room/level", as: Int.self)
        level.observe(
            value: { print("level \($0)") },
            end: { ending in
                switch ending {
                case .completed: print("the room is no longer there")
                case .failed(let error) where error.code == .closed: break  // This program has closed its client.
                case .failed(let error): print("no level any more: \(error.message)")
                }
            }
        )
        try await level.write(2)
        let heard = Recorder(level)
        try await client.finish("room/level", with: .failed(ClientError("closed-room", "the room is closed")))
        try await heard.wait { $0.ending != nil }
        level.value = 4
        #expect(level.value == 2 && level.problem.value?.code == .terminated)

        try await client.reopen("room/level")
        let next = try client.property("room/level", as: Int.self)
        next.value = 3
        try await next.settled(timeout: .seconds(100))
        #expect(try await client.get("room/level", as: Int.self) == 3)
        await client.close()
    }

    @Test("A value that may be missing")
    func optionals() async throws {
        let client = Client.inMemory()
        let title = try client.property("room/title", as: String.self)
        let headline: ReadOnlyProperty<String?> = title.map { "\($0)!" }
        let shown: ReadOnlyProperty<String> = title.readOnly.map { $0 ?? "no title yet" }
        let banner = combineLatest(title, client.connection) { "\($0 ?? "no title yet") (\($1))" }
        #expect(headline.value == nil && shown.value == "no title yet" && banner.value.hasPrefix("no title yet ("))
        title.value = "Quiet hour"
        #expect(headline.value == "Quiet hour!" && shown.value == "Quiet hour")
        await client.close()
    }

    @Test("Two sides of a paired channel")
    func sides() async throws {
        let client = Client.inMemory()
        let heater = try client.terminal("heater", .leading, sends: Double.self, receives: Int.self, replaysWish: true)
        let panel = try client.terminal("heater", .following, sends: Int.self, receives: Double.self)
        heater.onValue { wish in heater.send(Double(wish)) }
        panel.onValue { degrees in print("\(degrees) °C") }
        try await panel.write(21)
        let shown = Recorder(panel)
        try await shown.wait { $0.values.last == 21 }
        await client.close()
    }

    @Test("The connection")
    func connection() async throws {
        let client = Client.inMemory()
        client.connection.onValue { state in
            switch state {
            case .connecting: print("looking for racd")
            case .live: print("connected")
            case .lost(let reason, _): print("no connection: \(reason.message)")
            case .refused(let reason): print("racd refuses this program: \(reason.message)")
            case .closed: break
            }
        }
        try await client.waitUntilLive(timeout: .seconds(100))
        #expect(client.connection.value.isLive)

        let notice = client.connection.map { state in
            switch state {
            case .live, .closed: ""
            case .connecting: "connecting…"
            case .lost(let reason, let nextAttempt):
                "no connection (\(reason.message)), next attempt in \(ContinuousClock.now.duration(to: nextAttempt))"
            case .refused(let reason): "refused: \(reason.message)"
            }
        }
        #expect(notice.value.isEmpty)
        await client.close()
    }
}
