/// The limits of the data that a connection keeps on this side.
package struct ConnectionLimits: Sendable {
    /// Requests without an answer yet; one more fails with `limit`.
    package var requestsUnderWay = 10_000
    /// Sends of one terminal that are not acknowledged, and refusals that the program has not taken; senders wait.
    package var sendsUnderWay = 256
    /// Bytes that the socket has not taken; senders wait.
    package var outgoingBytes = 1 << 20
    /// Values of one binding that the program has not taken yet, in number.
    package var waitingValues = 64
    /// The limit in bytes; the last value may exceed it.
    package var waitingBytes = 1 << 20
    /// Channels of one watch whose news the program has not taken yet; one more ends the watch with `slow-consumer`.
    package var waitingChannels = 1 << 20
    /// Executions of one hosted command that the program has not taken yet; one more fails with `limit`.
    package var waitingExecutions = 1024
    /// Errors of one observed command that the program has not taken yet; the oldest gives way.
    package var waitingErrors = 64
    /// The longest payload that is read before the welcome, and written before it.
    package var greetingBytes = 64 << 10

    package init() {}

    /// The longest payload that is read from a daemon which takes frames of that size.
    ///
    /// The longest answer is that to a `get`: a value, a wish and an error, each of which came in a frame of its own. A page of
    /// names has at most 4 MiB.
    ///
    /// Semantics: protocol.md, "Frames".
    package func incomingFrameBytes(daemonTakes maximumFrameBytes: Int) -> Int {
        let most = Int(UInt32.max >> 1)
        guard maximumFrameBytes < most / 4 else { return most }
        return 3 * maximumFrameBytes + (4 << 20)
    }
}
