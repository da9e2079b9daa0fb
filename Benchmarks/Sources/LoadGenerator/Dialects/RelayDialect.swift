/// The dialect of the relay in C: frames that look like rac's, to everybody else, without hello and bind.
package struct RelayDialect: Dialect {
    private var sends = 0

    package init() {}

    package func opening() -> [UInt8] {
        []
    }

    package func bind(_ channel: Int, as role: Role, into bytes: inout [UInt8]) -> Bool {
        false
    }

    package mutating func send(_ value: NumberedValue, byteCount: Int, into bytes: inout [UInt8]) {
        self.sends += 1
        FrameWriter.append(value, byteCount: byteCount, to: &bytes) { bytes in
            bytes.append(#"{"op":"next","t":1,"n":"#)
            bytes.append(decimal: self.sends)
            bytes.append(#","value":"#)
        }
    }

    package func prepareStore(into bytes: inout [UInt8]) -> Bool {
        preconditionFailure("the relay stores nothing")
    }

    package func store(_ value: NumberedValue, byteCount: Int, durably: Bool, into bytes: inout [UInt8]) {
        preconditionFailure("the relay stores nothing")
    }

    package func watch(channels: Int, into bytes: inout [UInt8]) {
        preconditionFailure("the relay stores nothing")
    }

    package func read(_ bytes: Span<UInt8>, into arrivals: inout Arrivals) throws -> Int {
        var start = 0
        while let payload = try FrameReader.payload(bytes, at: start) {
            if let value = NumberedValue.read(bytes, endingAt: payload.upperBound - 1) {
                arrivals.list.append(.value(value))
            } else if bytes.extracting(payload).field("op", is: "welcome") {
                arrivals.list.append(.opened)
            }
            start = payload.upperBound
        }
        return start
    }
}
