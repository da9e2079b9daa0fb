/// An event that a client reads from bytes.
package enum Arrival: Equatable, Sendable {
    /// The server has taken the connection.
    case opened
    /// One binding that was asked for is there.
    case bound
    /// A value that was sent or stored.
    case value(NumberedValue)
    /// One request to store a value is done.
    case answered
    /// A watch has sent all present values.
    case synced
}

/// The result of reading.
package struct Arrivals: Equatable {
    package var list: [Arrival] = []
    /// The bytes that the protocol wants sent at once, such as the answer to a ping.
    package var answer: [UInt8] = []

    package init() {}
}
