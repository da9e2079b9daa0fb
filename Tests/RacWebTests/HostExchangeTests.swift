import Expectations
import NIOCore
import RacProtocol
import RacWeb
import Testing

/// An exchange with the host lives as long as its answer, which may be for ever.
@Suite struct HostExchangeTests {
    private static let value = #"{"mark":1}"#

    private static func requests() throws -> [(Request, AnswerForm)] {
        let channel = try ChannelName("a")
        let value = try JSONText(validating: ByteBuffer(string: Self.value))
        var create = Create(channel: channel)
        create.value = value
        let error = WireError(code: "broken", message: "x", data: value)
        return [
            (.exec(Exec(command: try CommandName("c"), input: value)), .lastValue),
            (.set(SetValue(channel: channel, value: value)), .reply), (.create(create), .created),
            (.put(Put(entries: [Put.Entry(channel: channel, value: value)])), .reply),
            (.finish(Finish(channel: channel, end: .failed(error))), .reply),
        ]
    }

    /// The whole answer to a request that the host refuses with a code.
    private static func refusal(_ request: Request, _ form: AnswerForm, _ code: ErrorCode) -> WebResponse? {
        var exchange = HostExchange(request, form)
        let parts = exchange.failed(Refusal(WireError(code, "no")))
        guard parts.count == 1, case .whole(let response) = parts[0] else { return nil }
        return response
    }

    @Test(
        "A refusal names the time after which the request may succeed, if time alone can mend it",
        arguments: [
            (ErrorCode.storage, "1"), (.shuttingDown, "1"), (.hostLost, "1"), (.limit, nil), (.forbidden, nil),
        ] as [(ErrorCode, String?)]
    )
    func retry(code: ErrorCode, seconds: String?) throws {
        let request = Request.exec(Exec(command: try CommandName("c"), input: nil))
        let refused = try #require(Self.refusal(request, .lastValue, code))
        expect(refused.headers.first { $0.name == "Retry-After" }?.value == seconds)
    }

    @Test("An exchange keeps no value of its request")
    func request() throws {
        for (request, form) in try Self.requests() {
            var kept = ""
            dump(HostExchange(request, form), to: &kept)
            #expect(!kept.contains("mark"))
        }
    }
}
