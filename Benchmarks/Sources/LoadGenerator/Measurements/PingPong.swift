/// How long one message takes through a server, one at a time.
package struct PingPong: Sendable {
    /// Round trips that are measured, after a tenth as many to warm up.
    package var trips: Int
    package var valueBytes: Int

    package init(trips: Int, valueBytes: Int) {
        self.trips = trips
        self.valueBytes = valueBytes
    }

    /// What one measurement gave.
    package struct Result: Sendable {
        /// One pass through the server: a client sends, and a client has it.
        package var pass: Distribution
        /// From a client's send until it has the answer: two passes between two clients, one with the echo server.
        package var trip: Distribution
    }

    /// Measures two clients of one channel, each of which sends when it got the other's value.
    package func measurePair(_ server: Server) throws -> Result {
        let crowd = try Crowd(of: 2, at: server) { index in
            Crowd.Request(channel: "bench/ping-pong", role: index == 0 ? .leading : .following)
        }
        var rally = Rally(crowd.clients, valueBytes: self.valueBytes)
        for _ in 0..<self.trips / 10 { _ = try rally.trip() }
        var result = Result(pass: Distribution(capacity: 2 * self.trips), trip: Distribution(capacity: self.trips))
        for _ in 0..<self.trips {
            let (start, middle, end) = try rally.trip()
            result.pass.add(from: start, to: middle)
            result.pass.add(from: middle, to: end)
            result.trip.add(from: start, to: end)
        }
        return result
    }

    /// Measures one client of an echo server with the same frames.
    package func measureEcho(_ server: Server) throws -> Result {
        let connection = try Connection(to: server.endpoint)
        var buffer: [UInt8] = Array(repeating: 0, count: 1 << 16)
        var trips = Distribution(capacity: self.trips)
        for trip in 1...self.trips + self.trips / 10 {
            let value = NumberedValue(trip, byteCount: self.valueBytes)
            let frame = ClientMessage.next(terminal: 1, number: trip, value: value).frame
            let start = Moment.now
            try connection.send(frame)
            var isBack = false
            while !isBack {
                try connection.receive(into: &buffer) { isBack = $0.number("value") == trip }
            }
            if trip > self.trips / 10 { trips.add(from: start, to: .now) }
        }
        return Result(pass: trips, trip: trips)
    }
}
