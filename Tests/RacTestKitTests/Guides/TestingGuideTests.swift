import Observation
import RacClient
import RacTestKit
import Testing

final class Thermostat: Sendable {
    let wish = Property(20.0)
    let isHeating: ReadOnlyProperty<Bool>

    init(_ client: Client, room: String) throws {
        let temperature = try client.property("\(room)/temperature", as: Double.self)
        self.isHeating = combineLatest(temperature, self.wish) { ($0 ?? .infinity) < $1 }
        try client.publish(self.wish, as: "\(room)/wish")
    }
}

@MainActor
@Observable
final class Panel {
    var wish = 0.0
}

/// The examples of the guide "Testing".
@Suite(.timeLimit(.minutes(5))) struct TestingGuideTests {
    @Test func heatsBelowTheWish() async throws {
        let client = Client.inMemory()
        let thermostat = try Thermostat(client, room: "hall")
        let heating = Recorder(thermostat.isHeating)
        try await client.set("hall/temperature", 21.5)
        try await heating.wait { $0.values.last == false }
        try await client.set("hall/wish", 23.0)
        try await heating.wait { $0.values.last == true }
        await client.close()
    }

    @Test func keepsItsWishWithoutADaemon() async throws {
        let daemon = TestDaemon()
        let (kiosk, phone) = (daemon.client(), daemon.client())
        let thermostat = try Thermostat(kiosk, room: "hall")
        let seen = Recorder(try phone.property("hall/wish", as: Double.self))
        try await seen.wait { $0.values.last == 20 }
        daemon.isReachable = false
        thermostat.wish.value = 18
        daemon.isReachable = true
        try await seen.wait { $0.values.last == 18 }
        await kiosk.close()
        await phone.close()
        await daemon.stop()
    }

    @Test func saysThatTheConnectionIsLost() async throws {
        let daemon = TestDaemon()
        let client = daemon.client()
        let connection = Recorder(client.connection)
        try await client.waitUntilLive(timeout: .seconds(100))
        daemon.isReachable = false
        try await connection.wait { if case .lost = $0.values.last { true } else { false } }
        await client.close()
        await daemon.stop()
    }

    @Test func seesThatThePhoneIsLost() async throws {
        let daemon = TestDaemon()
        let (kiosk, phone) = (Client(daemon.address), daemon.client())
        let presence = try phone.property("present/phone", as: Bool.self, will: .value(false))
        presence.value = true
        let seen = Recorder(try kiosk.property("present/phone", as: Bool.self))
        try await seen.wait { $0.values.last == true }
        daemon.isReachable = false
        try await seen.wait { $0.values.last == false }
        await phone.close()
        await kiosk.close()
        await daemon.stop()
    }

    @Test func sendsEachWishOnce() async throws {
        let daemon = TestDaemon()
        let (kiosk, phone) = (daemon.client(), daemon.client())
        let thermostat = try Thermostat(kiosk, room: "hall")
        let seen = Recorder(try phone.property("hall/wish", as: Double.self))
        try await seen.wait { $0.values.last == 20 }
        thermostat.wish.value = 18
        try await kiosk.ping()
        try await phone.ping()
        #expect(seen.values == [20, 18])
        await kiosk.close()
        await phone.close()
        await daemon.stop()
    }

    @MainActor @Test func showsTheWish() async throws {
        let client = Client.inMemory()
        let wish = try client.property("hall/wish", as: Double.self)
        let panel = Panel()
        wish.bind(to: panel, \.wish)
        let shown = Recorder(ChannelTerminal(of: panel, \.wish))
        try await client.set("hall/wish", 21.5)
        try await shown.wait { _ in panel.wish == 21.5 }
        await client.close()
    }

    @Test func asksOnceTheTypingRests() {
        let time = TestScheduler()
        let typed = Subject<String, Never>()
        let asked = Recorder(typed.signal.debounce(for: .milliseconds(300), on: time))
        typed.send("r")
        time.advance(by: .milliseconds(200))
        typed.send("ra")
        time.advance(by: .milliseconds(300))
        #expect(asked.values == ["ra"])
    }
}
