import RacConnection
import RacProtocol
import Testing

@testable import racctl

@Suite struct OutputTests {
    @Test("Members of a JSON line stand in their order, and what is not there is left out")
    func members() {
        var line = JSONLine()
        line.add("event", .string("a\"b"))
        line.add("rev", Revision(7))
        line.add("cause", nil as Revision?)
        line.add("value", .null)
        line.add("error", WireError(code: "c", message: "m"))
        #expect(line.text == #"{"event":"a\"b","rev":7,"value":null,"error":{"code":"c","message":"m"}}"#)
    }

    @Test("An empty JSON line is an empty object")
    func empty() {
        #expect(JSONLine().text == "{}")
    }

    @Test(
        "A channel's state is told with its error",
        arguments: [
            (.open, #"{"state":"open"}"#), (.completed, #"{"state":"completed"}"#),
            (
                .failed(WireError(code: "c", message: "", data: .null)),
                #"{"state":"failed","error":{"code":"c","message":"","data":null}}"#
            ),
        ] as [(ChannelState, String)]
    )
    func states(state: ChannelState, text: String) {
        var line = JSONLine()
        line.add(state)
        #expect(line.text == text)
    }
}
