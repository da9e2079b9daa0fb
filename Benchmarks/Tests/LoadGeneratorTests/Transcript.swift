import LoadGenerator

/// The bytes of a server, and the reading of a dialect however they are cut.
struct Transcript {
    let bytes: [UInt8]

    init(_ bytes: [UInt8]) {
        self.bytes = bytes
    }

    init(_ text: String) {
        self.bytes = Array(text.utf8)
    }

    /// Payloads in rac's frames.
    init(frames payloads: String...) {
        self.bytes = payloads.flatMap { payload in
            [0, 0, UInt8(payload.utf8.count >> 8), UInt8(payload.utf8.count & 0xFF)] + Array(payload.utf8)
        }
    }

    /// The reading of a dialect for pieces that end at `cuts`.
    func read(by dialect: some Dialect, cutAt cuts: [Int]) throws -> Arrivals {
        var dialect = dialect
        var arrivals = Arrivals()
        var pending: [UInt8] = []
        var start = 0
        for end in cuts + [self.bytes.count] {
            pending += self.bytes[start..<end]
            start = end
            pending.removeFirst(try dialect.read(pending.span, into: &arrivals))
        }
        if !pending.isEmpty { throw Unread(count: pending.count) }
        return arrivals
    }

    /// The reading in one piece, byte by byte, and cut in two at each place: one result if all agree.
    func readings(by dialect: some Dialect) throws -> [Arrivals] {
        var readings = [try self.read(by: dialect, cutAt: [])]
        let cuts = [Array(1..<self.bytes.count)] + (1..<self.bytes.count).map { [$0] }
        for cut in cuts {
            let reading = try self.read(by: dialect, cutAt: cut)
            if !readings.contains(reading) { readings.append(reading) }
        }
        return readings
    }

    /// Bytes that were left over.
    struct Unread: Error {
        var count: Int
    }
}

extension Arrivals {
    /// Arrivals without anything to be answered, or with that.
    init(_ list: [Arrival], answer: String = "") {
        self.init()
        self.list = list
        self.answer = Array(answer.utf8)
    }
}

extension Arrival {
    static func value(_ channel: Int, _ number: Int) -> Arrival {
        .value(NumberedValue(channel: channel, number: number))
    }
}

/// The bytes that a dialect writes, as text.
func written<D: Dialect>(by dialect: D, _ body: (inout D, inout [UInt8]) throws -> Void) rethrows -> String {
    var dialect = dialect
    var bytes: [UInt8] = []
    try body(&dialect, &bytes)
    return String(decoding: bytes, as: UTF8.self)
}
