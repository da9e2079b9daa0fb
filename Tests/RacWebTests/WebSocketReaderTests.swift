import Expectations
import NIOCore
import RacWeb
import Testing

/// The edge of a WebSocket: frames of a client become messages, or the fault that ends it.
@Suite struct WebSocketReaderTests {
    /// A frame of a client.
    static func frame(
        _ opcode: UInt8,
        _ payload: [UInt8],
        isFinal: Bool = true,
        mask: [UInt8]? = [1, 2, 3, 0xF0],
        length: [UInt8]? = nil
    ) -> [UInt8] {
        var bytes = [(isFinal ? 0x80 : 0) | opcode]
        let bit: UInt8 = mask == nil ? 0 : 0x80
        switch payload.count {
        case _ where length != nil: bytes += (length ?? []).enumerated().map { $0 == 0 ? bit | $1 : $1 }
        case ...125: bytes.append(bit | UInt8(payload.count))
        case ...0xFFFF: bytes += [bit | 126, UInt8(payload.count >> 8), UInt8(payload.count & 0xFF)]
        default: bytes += [bit | 127] + (0..<8).map { UInt8(payload.count >> (56 - 8 * $0) & 0xFF) }
        }
        guard let mask else { return bytes + payload }
        return bytes + mask + payload.enumerated().map { $1 ^ mask[$0 % 4] }
    }

    static func text(_ text: String, opcode: UInt8 = 1, isFinal: Bool = true) -> [UInt8] {
        self.frame(opcode, Array(text.utf8), isFinal: isFinal)
    }

    /// A message or control frame of a client.
    enum Seen: Equatable {
        case message(String)
        case control(WebSocketReader.Event)
    }

    /// The messages and control frames of these bytes, in pieces of this many.
    static func seen(
        _ bytes: [UInt8],
        by step: Int = .max,
        atMost count: Int = .max,
        maximumBytes: Int = 1 << 20
    ) throws -> [Seen] {
        var reader = WebSocketReader(maximumBytes: maximumBytes)
        var seen: [Seen] = []
        var rest = bytes[...]
        while !rest.isEmpty {
            reader.received(ByteBuffer(bytes: rest.prefix(step)))
            rest = rest.dropFirst(step)
            while let event = try reader.next(atMost: count) {
                guard case .messages(let messages) = event else {
                    seen.append(.control(event))
                    continue
                }
                #expect(messages <= count)
                let texts = try Self.texts(reader.takeFrames())
                expect(texts.count == messages)
                seen += texts.map(Seen.message)
            }
        }
        expect(reader.takeFrames() == ByteBuffer())
        return seen
    }

    private static func texts(_ frames: ByteBuffer) throws -> [String] {
        var frames = frames
        var texts: [String] = []
        while let length = frames.readInteger(as: UInt32.self) {
            let text = frames.readString(length: Int(length))
            texts.append(try #require(text))
        }
        return texts
    }

    @Test("A text message becomes a frame of the protocol, however its bytes are cut", arguments: [1, 2, 3, 7, 1000])
    func messages(step: Int) throws {
        let long = String(repeating: "abcdefg", count: 20_000)
        let bytes =
            Self.text("{}") + Self.text("") + Self.text("ü\u{2028}") + Self.text(String(repeating: "x", count: 300))
            + Self.text(long) + Self.text("1")
        let expected = ["{}", "", "ü\u{2028}", String(repeating: "x", count: 300), long, "1"].map(Seen.message)
        expect(try Self.seen(bytes, by: step) == expected)
        expect(try Self.seen(bytes, by: step, atMost: 2) == expected)
    }

    @Test("Fragments are one message, and control frames may stand between them", arguments: [1, 5, 1000])
    func fragments(step: Int) throws {
        let bytes =
            Self.text("{\"a\":", isFinal: false) + Self.frame(9, [7]) + Self.text("", opcode: 0, isFinal: false)
            + Self.text("\"é", opcode: 0, isFinal: false) + Self.frame(10, []) + Self.text("\"}", opcode: 0)
        let expected: [Seen] = [
            .control(.ping(ByteBuffer(bytes: [7]))), .control(.pong), .message("{\"a\":\"é\"}"),
        ]
        expect(try Self.seen(bytes, by: step) == expected)
    }

    @Test("Messages and control frames keep their order", arguments: [1, 6, 1000])
    func order(step: Int) throws {
        let bytes =
            Self.text("1") + Self.text("2") + Self.frame(9, [7]) + Self.text("3") + Self.text("4", isFinal: false)
            + Self.frame(10, []) + Self.text("5", opcode: 0) + Self.frame(8, [])
        let expected: [Seen] = [
            .message("1"), .message("2"), .control(.ping(ByteBuffer(bytes: [7]))), .message("3"), .control(.pong),
            .message("45"), .control(.close(nil)),
        ]
        expect(try Self.seen(bytes, by: step) == expected)
    }

    @Test("The messages in front of a fault are given, and nothing of the one with the fault")
    func messagesInFrontOfAFault() throws {
        var reader = WebSocketReader(maximumBytes: 1024)
        reader.received(ByteBuffer(bytes: Self.text("{}") + Self.text("[]") + Self.frame(1, [0x61, 0xFF])))
        #expect(throws: WebSocketFault.self) { try reader.next(atMost: .max) }
        expect(try Self.texts(reader.takeFrames()) == ["{}", "[]"])
    }

    @Test("A close frame delivers its code, if it has one")
    func close() throws {
        expect(try Self.seen(Self.frame(8, [])) == [.control(.close(nil))])
        expect(try Self.seen(Self.frame(8, [0x03, 0xE9])) == [.control(.close(1001))])
        expect(try Self.seen(Self.frame(8, [0x0F, 0xA0] + Array("bye".utf8))) == [.control(.close(4000))])
    }

    struct Breach: CustomTestStringConvertible {
        let testDescription: String
        let code: WebSocketCode
        let bytes: [UInt8]

        init(_ description: String, _ code: WebSocketCode, _ bytes: [UInt8]) {
            self.testDescription = description
            self.code = code
            self.bytes = bytes
        }
    }

    static let breaches = [
        Breach("unmasked", .protocolError, Self.frame(1, [65], mask: nil)),
        Breach("reserved bits", .protocolError, [0xC1, 0x80, 0, 0, 0, 0]),
        Breach("an unknown opcode", .protocolError, Self.frame(3, [])),
        Breach("a binary message", .unsupportedData, Self.frame(2, [1, 2])),
        Breach("a fragment of nothing", .protocolError, Self.frame(0, [65])),
        Breach("a message inside a message", .protocolError, Self.text("a", isFinal: false) + Self.text("b")),
        Breach("a fragmented ping", .protocolError, Self.frame(9, [], isFinal: false)),
        Breach("a long ping", .protocolError, Self.frame(9, [UInt8](repeating: 1, count: 126))),
        Breach("a length of two bytes that needs one", .protocolError, Self.frame(1, [], length: [126, 0, 125])),
        Breach(
            "a length of eight bytes that needs two",
            .protocolError,
            Self.frame(1, [], length: [127, 0, 0, 0, 0, 0, 0, 255, 255])
        ),
        Breach("a length of 64 bits", .protocolError, Self.frame(1, [], length: [127, 255, 0, 0, 0, 0, 0, 0, 0])),
        Breach("a message beyond the limit", .tooLarge, Self.frame(1, [], length: [126, 4, 1])),
        Breach(
            "fragments beyond the limit",
            .tooLarge,
            Self.text(String(repeating: "a", count: 1000), isFinal: false)
                + Self.text(String(repeating: "a", count: 25), opcode: 0)
        ),
        Breach("no UTF-8", .invalidText, Self.frame(1, [0xC3, 0x28])),
        Breach(
            "no UTF-8 within a long text",
            .invalidText,
            Self.frame(1, [0x61, 0x62, 0xFF] + Array(repeating: 0x63, count: 30))
        ),
        Breach("half a character", .invalidText, Self.frame(1, [0xC3])),
        Breach("a close code that no peer may send", .protocolError, Self.frame(8, [0x03, 0xED])),
        Breach("half a close code", .protocolError, Self.frame(8, [3])),
        Breach("a close reason that is no UTF-8", .invalidText, Self.frame(8, [0x03, 0xE8, 0xFF])),
        Breach(
            "fragments without end",
            .policy,
            Self.text("", isFinal: false)
                + (0..<WebSocketReader.maximumFragments).flatMap { _ in Self.text("", opcode: 0, isFinal: false) }
        ),
    ]

    @Test("A breach ends the WebSocket with the code of RFC 6455", arguments: Self.breaches)
    func breach(breach: Breach) throws {
        for step in [1, 1000] {
            do {
                _ = try Self.seen(breach.bytes, by: step, maximumBytes: 1024)
                Issue.record("no fault")
            } catch let fault as WebSocketFault {
                expect(fault.code == breach.code)
            }
        }
    }

    @Test("Memory grows with the bytes that have come, and goes with the message")
    func memory() throws {
        var reader = WebSocketReader(maximumBytes: 1 << 30)
        reader.received(ByteBuffer(bytes: Self.frame(1, [], length: [127, 0, 0, 0, 0, 0x3F, 0, 0, 0]) + [65]))
        expect(try reader.next(atMost: 1) == nil)
        expect(reader.keptBytes == 5)
        reader.dismiss()
        expect(reader.keptBytes == 0)
    }

    @Test("The memory of read bytes goes, wherever each read ends", arguments: [1, 300])
    func memoryOfReadBytes(cut: Int) throws {
        let frame = Self.text(String(repeating: "x", count: 1000)) + Self.frame(9, [UInt8](repeating: 7, count: 125))
        // The cut lies in a header, or in a control frame.
        let end = cut == 1 ? 1 : frame.count - 10
        let piece = ByteBuffer(bytes: frame[end...] + frame[..<end])
        var reader = WebSocketReader(maximumBytes: 1 << 20)
        reader.received(ByteBuffer(bytes: frame[..<end]))
        for _ in 0..<1000 {
            while try reader.next(atMost: .max) != nil { _ = reader.takeFrames() }
            reader.received(piece)
        }
        #expect(reader.unread.storageCapacity <= 8 << 10)
    }

    @Test("The memory of read bytes goes while messages wait for their turn")
    func memoryOfWaiting() throws {
        let frame = Self.text(String(repeating: "x", count: 1000))
        var reader = WebSocketReader(maximumBytes: 1 << 20)
        reader.received(ByteBuffer(bytes: frame + frame))
        for _ in 0..<1000 {
            expect(try reader.next(atMost: 1) == .messages(1))
            _ = reader.takeFrames()
            reader.received(ByteBuffer(bytes: frame))
        }
        #expect(reader.unread.storageCapacity <= 8 << 10)
    }
}
