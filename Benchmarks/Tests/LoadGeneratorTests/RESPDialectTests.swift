import LoadGenerator
import Testing

@Suite struct RESPDialectTests {
    private static let hello = "%2\r\n$6\r\nserver\r\n$5\r\nredis\r\n$7\r\nmodules\r\n*0\r\n+PONG\r\n"

    @Test("The replies of Redis are read alike however they are cut")
    func reading() throws {
        let transcript = Transcript(
            Self.hello + ">3\r\n$9\r\nsubscribe\r\n$7\r\nbench/2\r\n:1\r\n"
                + ">3\r\n$7\r\nmessage\r\n$7\r\nbench/2\r\n$18\r\n\"0000000200000007\"\r\n" + "+OK\r\n:12\r\n"
        )
        let expected = Arrivals([.opened, .bound, .value(2, 7), .answered, .answered])
        #expect(try transcript.readings(by: RESPDialect()) == [expected])
    }

    @Test("Values that are asked for by name come in batches, and the last one ends the watch")
    func batches() throws {
        var dialect = RESPDialect()
        var bytes: [UInt8] = []
        dialect.watch(channels: 1001, into: &bytes)
        let text = String(decoding: bytes, as: UTF8.self)
        #expect(text.hasPrefix("*1001\r\n$4\r\nMGET\r\n$7\r\nbench/0\r\n"))
        #expect(text.hasSuffix("*2\r\n$4\r\nMGET\r\n$10\r\nbench/1000\r\n"))
        let one = "*1\r\n$18\r\n\"0000000200000007\"\r\n"
        let expected = Arrivals([.value(2, 7), .value(2, 7), .synced])
        #expect(try Transcript(one + one).readings(by: dialect) == [expected])
    }

    @Test(
        "An error, a value that is missing, a length that is too long or none, and nesting without end are thrown",
        arguments: [
            "-LOADING Redis is loading\r\n", "*1\r\n$-1\r\n", "$99999999\r\n", "*x\r\n", "?\r\n",
            String(repeating: "*1\r\n", count: 20),
        ]
    )
    func faults(text: String) {
        #expect(throws: ProtocolError.self) { try Transcript(text).read(by: RESPDialect(), cutAt: []) }
    }

    @Test("A client with credentials says user and password")
    func login() {
        let opening = RESPDialect(Credentials(user: "ab", secret: "cde")).opening()
        let hello = "*5\r\n$5\r\nHELLO\r\n$1\r\n3\r\n$4\r\nAUTH\r\n$2\r\nab\r\n$3\r\ncde\r\n"
        #expect(String(decoding: opening, as: UTF8.self) == hello + "*1\r\n$4\r\nPING\r\n")
    }

    @Test("A value is sent by PUBLISH and stored by SET")
    func writing() {
        let value = NumberedValue(channel: 2, number: 7)
        let sent = written(by: RESPDialect()) { $0.send(value, byteCount: 18, into: &$1) }
        #expect(sent == "*3\r\n$7\r\nPUBLISH\r\n$7\r\nbench/2\r\n$18\r\n\"0000000200000007\"\r\n")
        let stored = written(by: RESPDialect()) { $0.store(value, byteCount: 18, durably: true, into: &$1) }
        #expect(stored == "*3\r\n$3\r\nSET\r\n$7\r\nbench/2\r\n$18\r\n\"0000000200000007\"\r\n")
    }
}
