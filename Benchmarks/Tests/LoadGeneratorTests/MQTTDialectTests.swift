import LoadGenerator
import Testing

@Suite struct MQTTDialectTests {
    @Test("A broker's packets are read alike however they are cut, long ones too")
    func reading() throws {
        var long: [UInt8] = []
        NumberedValue(channel: 3, number: 8).append(to: &long, byteCount: 256)
        // 263 bytes are written as 0x87 0x02: seven bits at a time, the lowest first.
        let packets: [[UInt8]] = [
            [0x20, 2, 0, 0], [0x90, 3, 0, 1, 0],
            [0x30, 26, 0, 6] + Array("bench/\"0000000200000007\"".utf8),
            [0x31, 0x87, 0x02, 0, 5] + Array("bench".utf8) + long,
            [0x40, 2, 0, 9], [0xD0, 0],
        ]
        let expected = Arrivals([.opened, .bound, .value(2, 7), .value(3, 8), .answered])
        #expect(try Transcript(packets.flatMap(\.self)).readings(by: MQTTDialect()) == [expected])
    }

    @Test(
        "A connection or subscription that is refused, and a length of five bytes, are thrown",
        arguments: [[0x20, 2, 0, 5], [0x90, 3, 0, 1, 0x80], [0x30, 0xFF, 0xFF, 0xFF, 0xFF, 1]] as [[UInt8]]
    )
    func faults(bytes: [UInt8]) {
        #expect(throws: ProtocolError.self) { try Transcript(bytes).read(by: MQTTDialect(), cutAt: []) }
    }

    @Test("A connection is opened with a clean session and no name")
    func opening() {
        #expect(MQTTDialect().opening() == [0x10, 12, 0, 4] + Array("MQTT".utf8) + [4, 2, 0, 0, 0, 0])
    }

    @Test("A client with credentials says user and password")
    func login() {
        let opening = MQTTDialect(Credentials(user: "ab", secret: "cde")).opening()
        let head: [UInt8] = [0x10, 21, 0, 4] + Array("MQTT".utf8) + [4, 0xC2, 0, 0, 0, 0]
        #expect(opening == head + [0, 2] + Array("ab".utf8) + [0, 3] + Array("cde".utf8))
    }

    @Test("A value is sent with QoS 0 and stored with QoS 1, retained, under a number of its own")
    func writing() {
        let value = NumberedValue(channel: 2, number: 7)
        let text = #""0000000200000007""#
        let sent = written(by: MQTTDialect()) { $0.send(value, byteCount: 18, into: &$1) }
        #expect(sent == "\u{30}\u{1B}\0\u{7}bench/2" + text)
        let stored = written(by: MQTTDialect()) { dialect, bytes in
            dialect.store(value, byteCount: 18, durably: true, into: &bytes)
            dialect.store(value, byteCount: 18, durably: true, into: &bytes)
        }
        #expect(stored == "\u{33}\u{1D}\0\u{7}bench/2\0\u{1}" + text + "\u{33}\u{1D}\0\u{7}bench/2\0\u{2}" + text)
    }

    @Test("Readers subscribe and await an answer, writers need not")
    func binding() {
        var dialect = MQTTDialect()
        var bytes: [UInt8] = []
        #expect(!dialect.bind(5, as: .writer, into: &bytes))
        #expect(bytes.isEmpty)
        #expect(dialect.bind(5, as: .reader, into: &bytes))
        #expect(bytes == [0x82, 12, 0, 1, 0, 7] + Array("bench/5".utf8) + [0])
    }
}
