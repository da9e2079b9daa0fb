import Expectations
import NIOCore
import NIOEmbedded
import RacTesting
import Testing

@testable import RacServer

/// The way in of an address with TLS, for clients that do not get through.
@Suite(.oneThreadAndThree, .timeLimit(.minutes(10))) struct TLSEntranceTests {
    private static func serving(
        _ address: ListenAddress = .tls(host: "127.0.0.1", port: 0),
        _ change: (inout ServerConfiguration) -> Void = { _ in },
        _ test: (RunningDaemon) async throws -> Void
    ) async throws {
        let authority = try TestAuthority()
        let files = try authority.sign("racd")
        let configure: (inout ServerConfiguration) -> Void = {
            $0.addresses = [address]
            $0.tls[address] = TLSListener(certificateFile: files.certificate, keyFile: files.key)
            change(&$0)
        }
        try await RunningDaemon.serving(configure, test)
    }

    /// A hello of TLS 1.1, which offers nothing newer.
    private static let oldHello: [UInt8] =
        [0x16, 3, 1, 0, 45, 1, 0, 0, 41, 3, 2] + [UInt8](repeating: 7, count: 32) + [0, 0, 2, 0xC0, 0x13, 1, 0]

    @Test("A client that speaks no TLS gets an alert and the end, and no other byte")
    func plain() async throws {
        try await Self.serving { daemon in
            let client = try daemon.client()
            try await client.say(Wire.hello)
            expect(try await client.hearBytes() == ByteBuffer(bytes: [0x15, 3, 1, 0, 2, 2, 70]))
            expect(try await client.hearBytes() == nil)
        }
    }

    /// Stands for the handler of TLS, which nobody needs.
    private final class Silent: ChannelHandler {}

    /// The connection of a way in.
    private final class Owner: TLSEntranceOwner {
        /// The times that the entrance has asked for a turn, which it does not get.
        private(set) var asked = 0

        func handshakeMayGoOn() -> Bool {
            self.asked += 1
            return false
        }
        func handshakeTook(_ nanoseconds: Int64) {}
        func plainBytesCame(_ bytes: ByteBuffer) {}
        func isPlain() {}
    }

    @Test("The TLS entrance keeps no connection that is through, or over", arguments: [true, false])
    func letsGo(isThrough: Bool) throws {
        let entrance = TLSEntrance(allowsPlain: true) { (Silent(), nil) }
        let channel = EmbeddedChannel(handler: entrance)
        weak var owner: Owner?
        do {
            let connection = Owner()
            (owner, entrance.owner) = (connection, connection)
        }
        #expect(owner != nil)
        if isThrough { try channel.writeInbound(ByteBuffer(bytes: [0])) }
        expect((owner == nil) == isThrough)
        _ = try channel.finish()
        #expect(owner == nil)
    }

    @Test("A client whose handshake waits for its turn is read until many bytes wait, and has one place in the line")
    func reads() throws {
        let (reads, entrance, owner) = (ReadCount(), TLSEntrance(allowsPlain: false) { (Silent(), nil) }, Owner())
        let channel = EmbeddedChannel(handlers: [reads, entrance])
        entrance.owner = owner
        var counts: [Int] = []
        for bytes in [20, 1 << 10, 8 << 10, 0] {
            try channel.writeInbound(ByteBuffer(repeating: 0x16, count: bytes))
            let before = reads.count
            channel.read()
            counts.append(reads.count - before)
        }
        expect(counts == [1, 1, 0, 0])
        expect(owner.asked == 1)
        _ = try channel.finish()
    }

    @Test("TLS 1.1 is refused")
    func oldVersion() async throws {
        try await Self.serving { daemon in
            let client = try daemon.client()
            try await client.sayBytes(ByteBuffer(bytes: Self.oldHello))
            let answer = try #require(try await client.hearBytes())
            // A fatal alert: protocol_version.
            expect(answer.readableBytesView.first == 0x15)
            #expect(answer.readableBytesView.suffix(2).elementsEqual([2, 70]))
            expect(try await client.hearBytes() == nil)
        }
    }

    @Test("A client that sends nothing, or only begins a handshake, is ended without a message", arguments: [0, 1, 20])
    func silent(bytes: Int) async throws {
        try await Self.serving(.tls(host: "127.0.0.1", port: 0), { $0.helloTimeout = 100 }) { daemon in
            let client = try daemon.client()
            try await client.sayBytes(ByteBuffer(bytes: Self.oldHello.prefix(bytes)))
            expect(try await client.hearBytes() == nil)
        }
    }

    @Test("An unfinished handshake counts as a connection, and the oldest gives way to one too many without a message")
    func admission() async throws {
        // On one loop, connections are counted in the order in which they were made.
        let change: (inout ServerConfiguration) -> Void = {
            $0.maximumConnections = 2
            $0.threads = 1
        }
        try await Self.serving(.tls(host: "127.0.0.1", port: 0), change) { daemon in
            let waiting = [try daemon.client(), try daemon.client()]
            try await waiting[1].sayBytes(ByteBuffer(bytes: Self.oldHello.prefix(20)))
            let oneTooMany = try daemon.client()
            expect(try await waiting[0].hearBytes() == nil)
            waiting[1].hangUp()
            oneTooMany.hangUp()
        }
    }

    @Test("Random bytes harm only the client that sends them")
    func randomBytes() async throws {
        try await Self.serving { daemon in
            var random = SeededRandom.ofThisRun
            for _ in 0..<100 {
                let client = try daemon.client()
                let bytes = Self.oldHello.prefix(Int.random(in: 0...20, using: &random))
                _ = client.sayWhatFits(
                    ByteBuffer(bytes: bytes + random.bytes(count: .random(in: 1...3_000, using: &random)))
                )
                if random.once(in: 2) { client.reset() } else { client.endInput() }
            }
        }
    }

    @Test("An address for both takes plain frames, and ends a silent client without a message")
    func either() async throws {
        try await Self.serving(.either(host: "127.0.0.1", port: 0), { $0.helloTimeout = 1_000 }) { daemon in
            let silent = try daemon.client()
            let client = try await daemon.welcomed()
            let value = String(repeating: "v", count: 1 << 20)
            _ = try await client.ask(#"{"op":"set","id":1,"channel":"a","value":"\#(value)"}"#)
            #expect(try await client.ask(#"{"op":"get","id":2,"channel":"a"}"#).text.contains(value))
            expect(try await silent.hearBytes() == nil)
        }
    }

    @Test("A client that begins TLS on a plain address gets the reason in plain bytes")
    func tlsOnPlain() async throws {
        try await RunningDaemon.serving { daemon in
            let client = try daemon.client()
            try await client.sayBytes(ByteBuffer(bytes: Self.oldHello))
            let heard = try await client.hear()
            expect(heard.code == "bad-frame")
            #expect(heard.text.contains("rac://"))
            expect(try await client.hearOrEnd() == nil)
        }
    }

    @Test("Files that do not fit keep the daemon from starting, with the file and its fault")
    func files() async throws {
        let authority = try TestAuthority()
        let (one, other) = (try authority.sign("one"), try authority.sign("other"))
        let nowhere = authority.path("nowhere")
        let cases: [(TLSListener, String)] = [
            (TLSListener(certificateFile: nowhere, keyFile: one.key), "cannot read \(nowhere): No such file"),
            (TLSListener(certificateFile: one.key, keyFile: one.key), "\(one.key) is no PEM file with a certificate"),
            (
                TLSListener(certificateFile: one.certificate, keyFile: other.certificate),
                "no PEM file with a private key"
            ),
            (
                TLSListener(certificateFile: one.certificate, keyFile: other.key),
                "the key in \(other.key) does not belong to the first certificate in \(one.certificate)"
            ),
            (
                TLSListener(
                    certificateFile: one.certificate,
                    keyFile: one.key,
                    clients: .required(authorityFile: nowhere)
                ), "cannot read \(nowhere)"
            ),
        ]
        let address = ListenAddress.tls(host: "127.0.0.1", port: 0)
        for (listener, text) in cases {
            let error = await #expect(throws: ServerError.self) {
                try await RunningDaemon {
                    $0.addresses = [address]
                    $0.tls[address] = listener
                }
            }
            expect(error?.description.contains(text) == true, "\(error?.description ?? "")")
        }
    }

    @Test("TLS is not optional for clients of other machines, and an address with TLS needs a certificate")
    func addresses() async throws {
        for address in [ListenAddress.either(host: "0.0.0.0", port: 0), .tls(host: "127.0.0.1", port: 0)] {
            let error = await #expect(throws: ServerError.self) { try await RunningDaemon { $0.addresses = [address] } }
            expect(error?.description.hasPrefix("\(address) ") == true)
        }
    }
}
