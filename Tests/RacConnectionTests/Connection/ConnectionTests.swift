import Expectations
import NIOCore
import NIOEmbedded
import RacProtocol
import RacTesting
import Testing

@testable import RacConnection

@Suite struct ConnectionTests {
    @Test("A connection says hello with the program's name and is ready after the welcome")
    func hello() async throws {
        var configuration = ConnectionConfiguration()
        configuration.agent = "test/1"
        let daemon = try await ScriptedDaemon(configuration)
        expect(await daemon.hello == Hello(agent: "test/1"))
        async let welcomed: Void = daemon.connection.welcomed()
        try await daemon.say(.welcome(.sample))
        try await welcomed
    }

    @Test("The hello has the program's token, and a refusal says whether there was one", arguments: [true, false])
    func token(isThere: Bool) async throws {
        var configuration = ConnectionConfiguration()
        if isThere { configuration.token = try AccessToken("rac_1") }
        let daemon = try await ScriptedDaemon(configuration)
        expect(await daemon.hello?.token == (isThere ? "rac_1" : nil))
        let welcomed = Task { try await daemon.connection.welcomed() }
        try await daemon.say(.refused(nil, .sample(.unauthenticated)))
        let error = await #expect(throws: ClientError.self) { try await welcomed.value }
        expect(error?.code == .unauthenticated)
        let asked = "racd at 127.0.0.1:7220 does not know this client: it asks for a token"
        expect(error?.message == (isThere ? "for a test" : asked))
    }

    @Test("A refused hello is reported with the daemon's code")
    func refusedHello() async throws {
        let daemon = try await ScriptedDaemon()
        let welcomed = Task { try await daemon.connection.welcomed() }
        try await daemon.say(.refused(nil, .sample(.unsupportedVersion)))
        expect(await welcomed.failureCode == .unsupportedVersion)
        try await daemon.channel.closeFuture.get()
    }

    @Test("Bytes that are no frame, and frames that are no message, end the connection", arguments: [true, false])
    func nonsense(early: Bool) async throws {
        let daemon = early ? try await ScriptedDaemon() : try await .welcoming()
        let answered = Task { try await early ? daemon.connection.welcomed() : daemon.connection.ping() }
        if !early { _ = try await daemon.heard() }
        try await daemon.sayBytes(ByteBuffer(string: early ? "HTTP/1.1 400 Bad Request" : "\0\0\0\u{2}{]"))
        expect(await answered.failureCode == (early ? .unreachable : .badMessage))
        try await daemon.channel.closeFuture.get()
    }

    @Test("Answers find their requests in any order")
    func answers() async throws {
        let daemon = try await ScriptedDaemon.welcoming()
        let name = try ChannelName("a")
        async let ping: Void = daemon.connection.ping()
        let first = try await daemon.heardRequest()
        expect(first.request == .ping)
        async let revision = daemon.connection.change(.reopen(ChannelOrder(channel: name)))
        let second = try await daemon.heardRequest()
        expect(second.request == .reopen(ChannelOrder(channel: name)))
        try await daemon.say(.reply(second.id, .revision(Revision(7))), .reply(first.id, .done))
        expect(try await revision == Revision(7))
        try await ping
    }

    @Test("A refused request is reported with the daemon's code, and the connection stays")
    func refusedRequest() async throws {
        let daemon = try await ScriptedDaemon.welcoming()
        let got = Task { try await daemon.connection.get(ChannelName("a")) }
        let (id, _) = try await daemon.heardRequest()
        try await daemon.say(.refused(id, .sample(.noSuchChannel)))
        expect(await got.failureCode == .noSuchChannel)
        #expect(daemon.channel.isActive)
    }

    @Test("A request without an answer times out, and one that is cancelled waits no longer")
    func timeoutAndCancellation() async throws {
        let daemon = try await ScriptedDaemon.welcoming()
        let late = Task { try await daemon.connection.ping() }
        _ = try await daemon.heard()
        await daemon.pass(.seconds(10))
        expect(await late.failureCode == .timedOut)
        let task = Task { try await daemon.connection.ping() }
        _ = try await daemon.heard()
        task.cancel()
        expect(await task.failureCode == .cancelled)
    }

    @Test("A bind that was given up is undone when its answer comes")
    func abandonedBind() async throws {
        let daemon = try await ScriptedDaemon.welcoming()
        let task = Task { try await daemon.connection.bind(Bind(channel: ChannelName("a"))) }
        let (id, _) = try await daemon.heardRequest()
        task.cancel()
        _ = await task.result
        try await daemon.say(.reply(id, .bound(.sample(7))))
        expect(try await daemon.heardRequest().request == .unbind(TerminalID(7)))
    }

    @Test("A frame of three times maxFrame and 4 MiB is read, and one of a byte more ends the connection")
    func longestFrame() async throws {
        for excess in 0...1 {
            var welcome = Welcome.sample
            welcome.maximumFrameBytes = 1_000
            let daemon = try await ScriptedDaemon.welcoming(ConnectionConfiguration(), welcome)
            let binding = try await daemon.bind()
            let head = #"{"op":"next","t":1,"rev":2,"value":""#
            let length = 3 * 1_000 + (4 << 20) + excess - head.utf8.count - 2
            var bytes = ByteBuffer()
            bytes.writeFrame {
                $0.writeString(head)
                $0.writeRepeatingByte(UInt8(ascii: "x"), count: length)
                $0.writeString("\"}")
            }
            try await daemon.sayBytes(bytes)
            var events = binding.makeAsyncIterator()
            if excess == 0 {
                guard case .value(let value)? = try await events.next() else { throw Surprise(expected: "a value") }
                expect(value.value.byteCount == length + 2)
            } else {
                await #expect(throws: ClientError.self) { try await events.next() }
            }
        }
    }

    @Test("A message that is longer than the daemon takes is not sent, and the connection stays")
    func tooLarge() async throws {
        var welcome = Welcome.sample
        welcome.maximumFrameBytes = 100
        let daemon = try await ScriptedDaemon.welcoming(ConnectionConfiguration(), welcome)
        let set = try SetValue(channel: ChannelName("a"), value: .string(String(repeating: "x", count: 100)))
        let error = await #expect(throws: ClientError.self) { try await daemon.connection.change(.set(set)) }
        expect(error?.code == .tooLarge)
        #expect(try await !daemon.hasMore())
        async let ping: Void = daemon.connection.ping()
        let (id, _) = try await daemon.heardRequest()
        try await daemon.say(.reply(id, .done))
        try await ping
    }

    @Test("One request too many is refused on this side")
    func tooManyRequests() async throws {
        var configuration = ConnectionConfiguration()
        configuration.limits.requestsUnderWay = 1
        let daemon = try await ScriptedDaemon.welcoming(configuration)
        async let first: Void = daemon.connection.ping()
        let (id, _) = try await daemon.heardRequest()
        expect(await #expect(throws: ClientError.self) { try await daemon.connection.ping() }?.code == .limit)
        try await daemon.say(.reply(id, .done))
        try await first
    }

    @Test("A ping is answered with pong")
    func pong() async throws {
        let daemon = try await ScriptedDaemon.welcoming()
        try await daemon.say(.ping)
        expect(try await daemon.heard() == .pong)
    }

    @Test("A silent daemon is asked; one that answers stays, and one that does not is lost")
    func silence() async throws {
        let daemon = try await ScriptedDaemon.welcoming()
        await daemon.pass(.seconds(40))
        expect(try await daemon.heard() == .ping)
        try await daemon.say(.pong)
        await daemon.pass(.seconds(40))
        expect(try await daemon.heard() == .ping)
        #expect(daemon.channel.isActive)
        await daemon.pass(.seconds(10))
        try await daemon.channel.closeFuture.get()
        expect(await #expect(throws: ClientError.self) { try await daemon.connection.ping() }?.code == .connectionLost)
    }

    @Test("Closing says bye and waits for the daemon to hang up")
    func bye() async throws {
        let daemon = try await ScriptedDaemon.welcoming()
        async let closed: Void = daemon.connection.close()
        expect(try await daemon.heard() == .bye)
        #expect(daemon.channel.isActive)
        try await daemon.hangUp()
        await closed
        await daemon.connection.close()
    }

    @Test("Closing does not wait for ever")
    func byeWithoutEnd() async throws {
        let daemon = try await ScriptedDaemon.welcoming()
        async let closed: Void = daemon.connection.close()
        expect(try await daemon.heard() == .bye)
        await daemon.pass(.seconds(1))
        await closed
        #expect(!daemon.channel.isActive)
    }

    @Test("When the daemon hangs up everybody who waits hears the reason that it gave")
    func reason() async throws {
        let daemon = try await ScriptedDaemon.welcoming()
        let binding = try await daemon.bind()
        let ping = Task { try await daemon.connection.ping() }
        _ = try await daemon.heard()
        try await daemon.say(.refused(nil, .sample(.shuttingDown)))
        try await daemon.hangUp()
        expect(await ping.failureCode == .shuttingDown)
        let taken = await #expect(throws: ClientError.self) {
            var events = binding.makeAsyncIterator()
            _ = try await events.next()
        }
        expect(taken?.code == .shuttingDown)
    }

    @Test("The messages of one tick go out in one write")
    func oneWrite() async throws {
        let daemon = try await ScriptedDaemon.welcoming()
        try await daemon.say(.ping, .ping, .ping)
        #expect(try await daemon.hasMore())
        expect(try await daemon.channel.readOutbound(as: ByteBuffer.self) == nil)
        for _ in 1...3 { expect(try await daemon.heard() == .pong) }
    }
}
