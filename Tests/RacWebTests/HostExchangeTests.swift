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

    @Test("An exchange keeps no value of its request")
    func request() throws {
        for (request, form) in try Self.requests() {
            var kept = ""
            dump(HostExchange(request, form), to: &kept)
            #expect(!kept.contains("mark"))
        }
    }
}
