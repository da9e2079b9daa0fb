import Expectations
import NIOCore
import NIOEmbedded
import RacProtocol
import RacTesting
import Testing

@testable import RacConnection

@Suite struct TokenExposureTests {
    @Test(
        "A token is exposed on a plain connection to another machine, and on no other one",
        arguments: [
            ("rac://h", "192.0.2.1", true), ("rac://h", "2001:db8::1", true), ("rac://h", "127.0.0.1", false),
            ("rac://h", "127.8.9.1", false), ("rac://h", "::1", false), ("rac://h", "::ffff:127.0.0.1", false),
            ("rac://h", "::ffff:192.0.2.1", true), ("racs://h", "192.0.2.1", false), ("rac://192.0.2.1", nil, true),
            ("rac://127.0.0.1", nil, false), ("rac://localhost", nil, false), ("rac://127.example.org", nil, true),
            ("unix:/s", nil, false),
        ] as [(String, String?, Bool)]
    )
    func exposed(url: String, peer: String?, isExposed: Bool) throws {
        let peer = try peer.map { try SocketAddress(ipAddress: $0, port: 7220) }
        expect(TokenExposure.isExposed(try DaemonAddress(url), peer) == isExposed)
    }

    /// Opens a connection to another machine, and returns its bytes and its end.
    private func open(_ change: (inout ConnectionConfiguration) -> Void) throws -> (bytes: String, end: ClientError?) {
        var configuration = ConnectionConfiguration()
        change(&configuration)
        let loop = EmbeddedEventLoop()
        let handler = DaemonConnectionHandler(
            address: .tcp(host: "lab", port: 7220),
            configuration: configuration,
            eventLoop: loop
        )
        var end: ClientError?
        handler.onEnd = { end = $0 }
        let channel = EmbeddedChannel(handler: handler, loop: loop)
        try channel.connect(to: SocketAddress(ipAddress: "192.0.2.1", port: 7220)).wait()
        loop.run()
        var bytes = ""
        while let buffer = try channel.readOutbound(as: ByteBuffer.self) { bytes += String(buffer: buffer) }
        return (bytes, end)
    }

    @Test("A token is not sent in clear text to another machine: the connection ends before the hello, and says why")
    func refused() throws {
        let (bytes, end) = try self.open { $0.token = try? AccessToken("SeCrEt") }
        #expect(bytes.isEmpty)
        expect(end?.code == .insecure)
        expect(end?.message.hasPrefix("lab:7220 is another machine and has no TLS") == true)
    }

    @Test("Without a token, or where the program allows it, the hello is sent")
    func sent() throws {
        let (bytes, end) = try self.open { _ in }
        #expect(bytes.contains(#""op":"hello""#) && end == nil)
        let allowed = try self.open {
            $0.token = try? AccessToken("SeCrEt")
            $0.allowsClearTextToken = true
        }
        #expect(allowed.bytes.contains("SeCrEt") && allowed.end == nil)
    }
}
