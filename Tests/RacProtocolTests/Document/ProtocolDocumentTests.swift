import Expectations
import NIOCore
import RacProtocol
import Testing

/// protocol.md and the codec agree.
@Suite struct ProtocolDocumentTests {
    private let document: ProtocolDocument

    init() throws {
        self.document = try ProtocolDocument()
    }

    @Test("Every example is a message, and those of the daemon are written just so")
    func examples() throws {
        #expect(try self.document.examples.count > 20)
        for example in try self.document.examples {
            var requests: [RequestID: Request] = [:]
            for message in example {
                let payload = ByteBuffer(string: message.payload)
                switch message.speaker {
                case .client:
                    guard case .request(let id, let request) = try ClientMessage(payload: payload) else { continue }
                    requests[id] = request
                case .daemon:
                    let read = try #require(try ServerMessage.read(payload: payload) { requests[$0] }, "\(message)")
                    expect(String(buffer: try Frames.sole { read.write(to: &$0) }) == message.payload)
                }
            }
        }
    }

    @Test("The frames in bytes are the examples that follow them")
    func bytes() throws {
        let places = self.document.blocks.indices.filter { self.document.blocks[$0].language == "hex" }
        expect(places.count == 2)
        for place in places {
            let frames = try ProtocolDocument.messages(ofBytes: self.document.blocks[place])
            expect(try frames == ProtocolDocument.messages(ofText: self.document.blocks[place + 1]))
        }
    }

    @Test("There is an example of every operation")
    func operations() throws {
        let messages = try self.document.examples.joined()
        func shown(by speaker: ProtocolDocument.Speaker) throws -> Set<String> {
            try Set(messages.filter { $0.speaker == speaker }.map { try Self.operation($0.payload) })
        }
        expect(try shown(by: .client) == Set(ClientSamples.all().map { try Self.operation($0.payload) }))
        expect(try shown(by: .daemon) == Set(ServerSamples.all().map { try Self.operation($0.payload) }))
    }

    @Test("The table of codes has every code of the daemon, and an example shows each")
    func codes() throws {
        let rows = self.document.table(under: "## 18 Errors")
        expect(Self.words(rows.map { $0[0] }) == ErrorCode.allCases.map(\.rawValue).sorted())
        let shown = try Set(self.document.examples.joined().compactMap { try Self.code($0.payload) })
        for code in ErrorCode.allCases {
            #expect(shown.contains(code.rawValue), "\(code.rawValue) has an example")
        }
    }

    @Test("The table of keys has every key of the codec and no other")
    func keys() {
        let rows = self.document.table(under: "## Keys")
        expect(Self.words(rows.map { $0[0] }) == Key.allCases.map(\.text).sorted())
    }

    @Test(
        "The refusals that the examples show for bad messages are the codec's own",
        arguments: [
            #"{"op":"get","id":4,"channel":"a",}"#, #"{"op":"bind","id":6}"#, #"{"op":"dance","id":5}"#,
            #"{"op":"get","id":2,"channel":"a//b"}"#, #"{"op":"get","id":8,"channel":""}"#,
            #"{"op":"unbind","id":2,"t":"x"}"#, #"{"op":"next","t":13,"n":4}"#,
        ]
    )
    func refusals(payload: String) throws {
        let error = try #require(throws: MessageError.self) { try ClientMessage(payload: ByteBuffer(string: payload)) }
        let answer: ServerMessage =
            switch error.subject {
            case .request(let id): .refused(id, Refusal(error.error))
            case .send(let terminal, let number): .nak(terminal, number, Refusal(error.error))
            case .entry(let id, _): .refused(id, Refusal(error.error))
            case nil: .refused(nil, Refusal(error.error))
            }
        let refused = try Frames.sole { answer.write(to: &$0) }
        #expect(self.document.text.contains("\nD \(String(buffer: refused))\n"))
    }

    private static func operation(_ payload: String) throws -> String {
        try Envelope(ByteBuffer(string: payload)).requiredString(.op)
    }

    private static func code(_ payload: String) throws -> String? {
        try Envelope(ByteBuffer(string: payload)).wireError()?.code
    }

    /// The texts between backquotes, in order.
    private static func words(_ cells: [String]) -> [String] {
        cells.flatMap { $0.matches(of: /`([^`]+)`/).map { String($0.output.1) } }.sorted()
    }
}
