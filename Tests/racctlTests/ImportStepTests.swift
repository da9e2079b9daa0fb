import Expectations
import RacConnection
import RacProtocol
import Testing

@testable import racctl

@Suite struct ImportStepTests {
    private static let error = WireError(code: "hot", message: "too hot", data: .integer(90))

    private func snapshot(_ line: String) throws -> ChannelSnapshot {
        try ChannelSnapshot(Envelope(line))
    }

    private func steps(to wanted: String, from standing: String?) throws -> [ImportStep] {
        try ImportStep.steps(to: self.snapshot(wanted), from: standing.map(self.snapshot))
    }

    private static let lines = [
        #"{"channel":"a","mode":"shared","state":"open"}"#,
        #"{"channel":"a","mode":"shared","state":"open","value":[1.50, {}]}"#,
        #"{"channel":"a","mode":"shared","state":"completed","value":null}"#,
        #"{"channel":"a","mode":"shared","state":"failed","error":{"code":"hot","message":"too hot","data":90}}"#,
        #"{"channel":"lab 2/温度/é","mode":"paired","state":"open","value":1,"wish":2}"#,
        #"{"channel":"b","mode":"paired","state":"completed","wish":2}"#,
    ]

    @Test("A line is written as it was read, and makes nothing to do where the channel is so", arguments: Self.lines)
    func line(line: String) throws {
        expect(try self.snapshot(line).line == line)
        expect(try self.steps(to: line, from: line) == [])
    }

    @Test("A channel that is not there is created with all that belongs to it")
    func create() throws {
        let error = Self.error
        let one = JSONText.integer(1)
        let two = JSONText.integer(2)
        expect(try self.steps(to: Self.lines[0], from: nil) == [.create(.shared, nil)])
        expect(try self.steps(to: Self.lines[3], from: nil) == [.create(.shared, nil), .finish(.failed(error))])
        expect(try self.steps(to: Self.lines[4], from: nil) == [.create(.paired, one), .set(two, .following)])
        expect(
            try self.steps(to: Self.lines[5], from: nil)
                == [.create(.paired, nil), .set(two, .following), .finish(.completed)]
        )
    }

    @Test("A channel that is there is reopened if need be, set where it differs, and ended again")
    func change() throws {
        expect(
            try self.steps(to: #"{"channel":"a","value":2}"#, from: #"{"channel":"a","state":"completed","value":2}"#)
                == [.reopen]
        )
        expect(
            try self.steps(to: #"{"channel":"a","state":"completed","value":2}"#, from: #"{"channel":"a","value":1}"#)
                == [.set(.integer(2), .following), .finish(.completed)]
        )
        expect(
            try self.steps(
                to: #"{"channel":"a","mode":"paired","state":"completed","value":2,"wish":3}"#,
                from: Self.lines[5].replacing("\"b\"", with: "\"a\"")
            ) == [.reopen, .set(.integer(2), .leading), .set(.integer(3), .following), .finish(.completed)]
        )
        expect(try self.steps(to: #"{"channel":"a"}"#, from: #"{"channel":"a","value":1}"#) == [])
    }

    @Test("No step makes a shared channel a paired one")
    func otherMode() {
        #expect(throws: ImportStep.OtherMode(mode: .paired)) {
            try self.steps(to: #"{"channel":"a"}"#, from: #"{"channel":"a","mode":"paired"}"#)
        }
    }

    @Test(
        "A line that no export has is refused",
        arguments: [
            (#"{"value":1}"#, "channel"), (#"{"channel":7}"#, "channel"), (#"{"channel":"a//b"}"#, "empty"),
            (#"{"channel":"a","mode":"odd"}"#, "mode"), (#"{"channel":"a","state":"deleted"}"#, "state"),
            (#"{"channel":"a","state":"odd"}"#, "state"), (#"{"channel":"a","wish":1}"#, "paired"),
            (#"{"channel":"$sys/uptime","value":1}"#, "$sys/uptime"),
            (#"{"channel":"a","value":1,"value":2}"#, "twice"),
        ]
    )
    func refused(line: String, reason: String) {
        let error = #expect(throws: MessageError.self) { try self.snapshot(line) }
        expect(error?.error.message.contains(reason) == true, "\(String(describing: error))")
    }
}
