import Expectations
import RacProtocol
import Testing

@testable import RacServer

@Suite struct HandshakeStateMachineTests {
    @Test("A hello is welcomed once; later messages go to the host, another hello too")
    func welcomes() {
        var machine = HandshakeStateMachine()
        let hello = Hello(agent: "test", session: "s", deflate: true)
        #expect(!machine.isWelcomed)
        expect(machine.received(.hello(hello)) == .welcome(hello))
        #expect(machine.isWelcomed)
        expect(machine.received(.ping) == .submit)
        expect(machine.received(.hello(hello)) == .submit)
        expect(machine.received(Self.fault) == .submit)
    }

    @Test("Any message before hello ends the connection with hello-first")
    func helloFirst() {
        var machine = HandshakeStateMachine()
        expect(machine.received(.ping).code == .helloFirst)
        expect(machine.received(Self.fault).code == .helloFirst)
        #expect(!machine.isWelcomed)
    }

    @Test("Another version is refused, and both are named", arguments: [Int64(0), 2, -1, .max])
    func version(_ version: Int64) {
        var machine = HandshakeStateMachine()
        let answer = machine.received(.hello(Hello(version: version)))
        expect(answer.code == .unsupportedVersion)
        expect(answer.message?.contains("protocol 1, the client \(version)") == true)
        #expect(!machine.isWelcomed)
    }

    @Test("A session's name has 1 to 64 bytes", arguments: [(0, false), (1, true), (64, true), (65, false)])
    func session(bytes: Int, isRight: Bool) {
        var machine = HandshakeStateMachine()
        let answer = machine.received(.hello(Hello(session: String(repeating: "s", count: bytes))))
        expect(machine.isWelcomed == isRight)
        expect(answer.code == (isRight ? nil : .badMessage))
    }

    private static let fault = MessageError(.badMessage, "no JSON")
}

extension HandshakeStateMachine.OnReceived {
    fileprivate var code: ErrorCode? {
        guard case .end(let error) = self else { return nil }
        return ErrorCode(rawValue: error.code)
    }

    fileprivate var message: String? {
        guard case .end(let error) = self else { return nil }
        return error.message
    }
}
