import Expectations
import NIOCore
import RacAccess
import RacProtocol
import Testing

@testable import RacServer

/// Clients with a bounded rate.
@Suite(.oneThreadAndThree) struct PaceTests {
    private static func policy(_ bounds: [RoleBound: Int]) throws -> AccessPolicy {
        var own = RoleBounds()
        for (bound, number) in bounds { own[bound] = number }
        let all = try RulePattern("**")
        let grants = Dictionary(uniqueKeysWithValues: [Verb.read, .write, .lead].map { ($0, [all]) })
        let roles = [AccessRole(name: "slow", grants: grants, bounds: own), AccessRole(name: "fast", grants: grants)]
        let principals = try ["slow", "fast"].map { name in
            Principal(name: try PrincipalName(name), roles: [name], tokens: [.init(hash: TokenHash(of: name))])
        }
        return try AccessPolicy(roles: roles, principals: principals)
    }

    private static func daemon(
        _ bounds: [RoleBound: Int],
        heartbeat: UInt64 = 600_000
    ) throws -> EmbeddedDaemon {
        let policy = try Self.policy(bounds)
        return EmbeddedDaemon {
            $0.access = policy
            $0.heartbeat = heartbeat
        }
    }

    private static func client(_ daemon: EmbeddedDaemon, _ token: String) throws -> EmbeddedClient {
        let client = try daemon.client()
        guard try client.ask(#"{"op":"hello","version":1,"token":"\#(token)"}"#).isWelcome else {
            throw Surprise(what: "no welcome")
        }
        return client
    }

    private static func pings(_ count: Int) -> ByteBuffer {
        Wire.frames((1...count).map { #"{"op":"ping","id":\#($0)}"# })
    }

    @Test("Messages over the rate are taken later, all of them, in their order")
    func messages() throws {
        let daemon = try Self.daemon([.messagesPerSecond: 10])
        let client = try Self.client(daemon, "slow")
        try client.sayBytes(Self.pings(50))
        var heard = try client.heard()
        #expect((10...12).contains(heard.count))
        expect(client.handler.frames.input.reading == .resting)
        daemon.pass(milliseconds: 1_000)
        heard += try client.heard()
        #expect((20...22).contains(heard.count))
        daemon.pass(milliseconds: 4_000)
        heard += try client.heard()
        expect(heard.map(\.text) == (1...50).map { #"{"op":"reply","id":\#($0)}"# })
        #expect(!client.handler.frames.input.isHeld)
    }

    @Test("Bytes over the rate are taken later, and those of an unfinished message count")
    func bytes() throws {
        let daemon = try Self.daemon([.bytesPerSecond: 1_000])
        let client = try Self.client(daemon, "slow")
        let value = JSONText.filler(bytes: 5_000)
        var frame = Wire.frame(#"{"op":"set","id":1,"channel":"a","value":\#(value)}"#)
        let beginning = frame.readSlice(length: 4_000) ?? ByteBuffer()
        try client.sayBytes(beginning)
        expect(client.handler.frames.input.reading == .resting)
        daemon.pass(milliseconds: 2_000)
        expect(client.handler.frames.input.reading == .resting)
        daemon.pass(milliseconds: 1_500)
        expect(client.handler.frames.input.reading == .on)
        try client.sayBytes(frame)
        expect(try client.heard().map(\.text).map { $0.hasPrefix(#"{"op":"reply","id":1,"rev":"#) } == [true])
        expect(client.handler.frames.input.reading == .resting)
    }

    @Test("A client that is not read is pinged and never taken for lost; one that is read and silent is")
    func heartbeat() throws {
        let daemon = try Self.daemon([.messagesPerSecond: 1], heartbeat: 1_000)
        let client = try Self.client(daemon, "slow")
        try client.sayBytes(Self.pings(30))
        for _ in 0..<20 {
            daemon.pass(milliseconds: 1_300)
            #expect(client.isConnected)
            #expect(try client.heard().contains { $0.text.hasPrefix(#"{"op":"reply""#) })
        }
        let long = try Self.client(daemon, "slow")
        let values = (1...2).map { #"{"op":"ping","id":\#($0)}"# }
        try long.say(values[0], values[1])
        daemon.pass(milliseconds: 20_000)
        #expect(!long.isConnected)
    }

    @Test("A client that rests for many heartbeats hears the daemon all the while, and stays")
    func longRest() throws {
        let daemon = try Self.daemon([.bytesPerSecond: 100], heartbeat: 1_000)
        let client = try Self.client(daemon, "slow")
        try client.say(#"{"op":"set","id":1,"channel":"a","value":\#(JSONText.filler(bytes: 2_000))}"#)
        _ = try client.heard()
        for _ in 0..<10 {
            daemon.pass(milliseconds: 1_600)
            expect(client.handler.frames.input.reading == .resting)
            #expect(try client.heard().map(\.text).contains(#"{"op":"ping"}"#))
            #expect(client.isConnected)
        }
    }

    @Test("A rate that is lifted or raised ends the rest at once; a new one begins at once")
    func changes() throws {
        let daemon = try Self.daemon([.messagesPerSecond: 1])
        let client = try Self.client(daemon, "slow")
        try client.sayBytes(Self.pings(20))
        #expect(try client.heard().count < 4)
        daemon.shell.take(try Self.policy([:]))
        daemon.run()
        expect(try client.heard().last?.text == #"{"op":"reply","id":20}"#)
        #expect(client.handler.paced == nil)
        daemon.shell.take(try Self.policy([.messagesPerSecond: 2]))
        daemon.run()
        try client.sayBytes(Self.pings(20))
        #expect(try client.heard().count < 5)
    }

    @Test("A client that closes its side over its rate gets every answer before the end")
    func endsInput() throws {
        let daemon = try Self.daemon([.messagesPerSecond: 10])
        let client = try Self.client(daemon, "slow")
        try client.sayBytes(Self.pings(40))
        client.endInput()
        #expect(client.isConnected)
        daemon.pass(milliseconds: 5_000)
        expect(try client.heard().count == 40)
        #expect(!client.isConnected)
    }

    @Test("A client that goes while it rests leaves nothing behind")
    func vanishes() throws {
        let daemon = try Self.daemon([.messagesPerSecond: 1])
        weak var handler: ConnectionHandler?
        do {
            let client = try Self.client(daemon, "slow")
            handler = client.handler
            try client.sayBytes(Self.pings(9))
            client.vanish()
        }
        daemon.pass(milliseconds: 100)
        #expect(handler == nil)
    }

    @Test("A client over its rate delays nobody and loses nothing, over real sockets", .timeLimit(.minutes(5)))
    func sockets() async throws {
        let policy = try Self.policy([.messagesPerSecond: 400, .bytesPerSecond: 400_000])
        try await RunningDaemon.serving({ $0.access = policy }) { daemon in
            func hello(_ token: String) -> String { #"{"op":"hello","version":1,"token":"\#(token)"}"# }
            let slow = try await daemon.welcomed(hello("slow"))
            let fast = try await daemon.welcomed(hello("fast"))
            let reader = try await daemon.welcomed(hello("fast"))
            _ = try await reader.bind("slow", #","conflate":false"#)
            let terminal = try await slow.bind("slow", #","role":"leading""#)
            let count = 2_000
            let sends = (1...count).map { #"{"op":"next","t":\#(terminal),"n":\#($0),"value":\#($0)}"# }
            try await slow.sayBytes(Wire.frames(sends))
            // The other client has all its answers while the slow one waits for most of its own.
            for id in 1...2_000 {
                expect(try await fast.ask(#"{"op":"ping","id":\#(id)}"#).text == #"{"op":"reply","id":\#(id)}"#)
            }
            for value in 1...count { expect(try await reader.hear().value == "\(value)") }
            var acknowledged: UInt64 = 0
            while acknowledged < count { acknowledged = try #require(try await slow.hear().acknowledged) }
            #expect(acknowledged == count)
        }
    }

    @Test("The bytes of a WebSocket have the rate of its roles, those of control frames too", arguments: [false, true])
    func webSocket(isControl: Bool) throws {
        let daemon = try Self.daemon([.bytesPerSecond: 1_000])
        let client = try WebClient.webSocket(daemon)
        _ = try client.ask(message: #"{"op":"hello","version":1,"token":"slow"}"#)
        var bytes = ByteBuffer()
        for id in 1...50 {
            let ping = #"{"op":"ping","id":\#(id),"x":"\#(String(repeating: "x", count: 60))"}"#
            bytes.writeImmutableBuffer(isControl ? WebClient.frame(ping, first: 0x89) : WebClient.frame(ping))
        }
        try client.sayFrames(bytes)
        expect(client.client.handler.frames.input.reading == .resting)
        var heard = try client.heardMessages().count
        #expect(isControl || heard < 15)
        daemon.pass(milliseconds: 2_000)
        expect(client.client.handler.frames.input.reading == .resting)
        daemon.pass(milliseconds: 4_000)
        heard += try client.heardMessages().count
        #expect(isControl || heard == 50)
        expect(client.client.handler.frames.input.reading == .on)
    }

    @Test("Requests of HTTP have the rate of their principal's roles, each answered in its order")
    func requests() throws {
        let daemon = try Self.daemon([.messagesPerSecond: 10])
        let web = try WebClient(daemon)
        let bearer = ["Authorization: Bearer slow"]
        expect(try web.ask("PUT /v1/channels/a", bearer, body: "0").status == 200)
        let puts = (1...30).map { WebClient.request("PUT /v1/channels/a", bearer, body: "\($0)") }
        var heard = try web.say(puts.joined()).text
        #expect((9...12).contains(heard.ranges(of: "HTTP/1.1 200").count))
        daemon.pass(milliseconds: 1_000)
        heard += try web.heard()
        #expect((19...22).contains(heard.ranges(of: "HTTP/1.1 200").count))
        daemon.pass(milliseconds: 2_000)
        heard += try web.heard()
        expect(heard.ranges(of: "HTTP/1.1 200").count == 30)
        #expect(web.client.isConnected && web.client.handler.conversation?.isHeld == false)
        expect(try web.ask("GET /v1/channels/a", bearer).body == "30")
    }

    @Test("The bytes behind a hello have the rate, too, though they come with it")
    func firstRead() throws {
        let daemon = try Self.daemon([.messagesPerSecond: 10])
        let client = try daemon.client()
        var bytes = Wire.frame(#"{"op":"hello","version":1,"token":"slow"}"#)
        bytes.writeImmutableBuffer(Self.pings(50))
        try client.sayInOnePiece(bytes)
        expect(client.handler.frames.input.reading == .resting)
        daemon.run()
        #expect((10...12).contains(try client.heard().count))
    }

    @Test("The next connection of a principal goes on with the account of the last one")
    func nextConnection() throws {
        let daemon = try Self.daemon([.messagesPerSecond: 10])
        var heard = 0
        for _ in 0..<10 {
            let client = try Self.client(daemon, "slow")
            try client.sayBytes(Self.pings(20))
            heard += try client.heard().count
            client.vanish()
        }
        // Little more than the allowance of the first one, though ten have come.
        #expect((10...13).contains(heard))
        daemon.pass(milliseconds: 3_000)
        let client = try Self.client(daemon, "slow")
        try client.sayBytes(Self.pings(20))
        #expect((10...12).contains(try client.heard().count))
    }

    @Test("Several proofs of one principal on one connection of HTTP have one account")
    func turns() throws {
        let daemon = try Self.daemon([.messagesPerSecond: 10])
        let web = try WebClient(daemon)
        let begun = try web.ask("POST /v1/session", body: #"{"token":"slow"}"#)
        let cookie = "Cookie: \(try #require(begun.header("Set-Cookie")).prefix { $0 != ";" })"
        let proofs = [["Authorization: Bearer slow"], [cookie]]
        let requests = (0..<60).map { WebClient.request("GET /v1/channels", proofs[$0 % 2]) }
        var heard = try web.say(requests.joined()).text
        #expect((9...13).contains(heard.ranges(of: "HTTP/1.1 200").count))
        daemon.pass(milliseconds: 1_000)
        heard += try web.heard()
        #expect((18...23).contains(heard.ranges(of: "HTTP/1.1 200").count))
        daemon.pass(milliseconds: 5_000)
        heard += try web.heard()
        expect(heard.ranges(of: "HTTP/1.1 200").count == 60)
    }

    @Test("The rate of one principal does not hold for the next one of a connection")
    func nextPrincipal() throws {
        let daemon = try Self.daemon([.messagesPerSecond: 10])
        let web = try WebClient(daemon)
        expect(try web.ask("PUT /v1/channels/a", ["Authorization: Bearer slow"], body: "0").status == 200)
        #expect(web.client.handler.paced != nil)
        expect(try web.ask("PUT /v1/channels/a", ["Authorization: Bearer fast"], body: "0").status == 200)
        #expect(web.client.handler.paced == nil)
    }
}
