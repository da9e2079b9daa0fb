import Expectations
import RacConnection
import RacProtocol
import Testing

@testable import racctl

@Suite struct ExitStatusTests {
    @Test(
        "Every failure has its documented exit code",
        arguments: [
            (.invalidURL, 2), (.badName, 2), (.invalidCertificate, 2), (.badToken, 2),
            (.noSuchChannel, 3), (.noSuchCommand, 3),
            (.conflict, 4), (.exists, 4), (.terminated, 4), (.alreadyBound, 4), (.notEnabled, 4), (.alreadyHosted, 4),
            (.unauthenticated, 5), (.forbidden, 5),
            (.unreachable, 6), (.connectionLost, 6), (.shuttingDown, 6),
            (.timedOut, 7),
            (.limit, 9), (.tooLarge, 9), (.slowConsumer, 9),
            (.cancelled, 130),
            (.storage, 1), (.badMessage, 1), (.badFrame, 1), (.unsupportedVersion, 1), (.notBound, 1),
            (.init(rawValue: "what-nobody-knows"), 1),
        ] as [(ClientError.Code, Int32)]
    )
    func codes(code: ClientError.Code, status: Int32) {
        expect(ExitStatus(code).rawValue == status)
    }

    @Test("The help's table has every exit code, and no line of it is wrapped")
    func table() {
        let lines = ExitStatus.table.split(separator: "\n")
        expect(lines.count == ExitStatus.allCases.count)
        #expect(lines.allSatisfy { $0.count < 80 })
    }

    @Test("A refusal for want of a right has a line of help, but for the daemon's own channels and a channel's error")
    func help() throws {
        let error = ClientError(.forbidden, "kiosk may not write a")
        #expect(CommandFailure(error).help != nil)
        #expect(CommandFailure(ClientError(.unauthenticated, "m")).help != nil)
        #expect(CommandFailure(error, of: try ChannelName("a")).help != nil)
        expect(CommandFailure(error, of: try ChannelName("$sys/version")).help == nil)
        expect(CommandFailure(ClientError(.conflict, "m")).help == nil)
        let wire = WireError(.forbidden, "m")
        #expect(CommandFailure(wire, of: try ChannelName("a"), isChannels: false).help != nil)
        expect(CommandFailure(wire, of: try ChannelName("a"), isChannels: true).help == nil)
    }

    @Test("A channel's error ends with 8 whatever its code is, a binding's own error with what its code says")
    func channelErrors() throws {
        let error = WireError(code: "limit", message: "too hot")
        let name = try ChannelName("a")
        let ofChannel = CommandFailure(error, of: name, isChannels: true)
        expect(ofChannel.status == .failed)
        expect(ofChannel.message == "a ended with the error limit: too hot")
        expect(CommandFailure(error, of: name, isChannels: false).status == .limit)
    }
}
