import NIOCore
import RacHost
import RacProtocol

/// The exchange between one client and the daemon, in the client's dialect.
///
/// The connection has the socket, and calls this. It gives the client's bytes in and takes bytes out: see ``ConnectionHandler``.
///
/// Isolation: the connection's event loop.
protocol Conversation: AnyObject {
    /// The way of the client's messages.
    var transport: Transport { get }

    // MARK: Bytes in

    /// Bytes of the client have come.
    func received(_ bytes: ByteBuffer)

    /// The client, who waited in the line, gets this many units of the turn.
    func turnCame(_ room: Int)

    /// The client has rested for its rate.
    func restEnded()

    /// The host has taken this many bytes of the client's messages.
    func took(_ bytes: Int)

    /// The client's long message may be read on another thread now, if it still waits for that.
    func readApart()

    /// Judging the client has cost this many units.
    func spent(_ units: Int)

    /// The client has closed its sending side.
    func inputClosed()

    /// Later bytes of the client do not count, and those that are kept are forgotten.
    func dismiss()

    /// The bytes that are kept for the client.
    var keptBytes: Int { get }

    /// Whether the client has to wait before more is read.
    var isHeld: Bool { get }

    /// Whether the client waits for its turn with few bytes: mostly no more come, and to stop reading takes two system calls.
    var waitsWithFew: Bool { get }

    /// Whether messages wait here that came whole, and have to reach the host before the connection ends.
    var hasMessages: Bool { get }

    // MARK: Bytes out

    /// Writes the host's output.
    func write(_ output: Outgoing)

    /// Writes the reason for which the connection ends.
    func refuse(_ error: WireError)

    /// Earlier bytes have left.
    func outputLeft()

    /// Whether output of the host waits for its turn, so that more is not welcome.
    var isLate: Bool { get }

    // MARK: Time and the end

    /// Judges how long the client has been silent; called about once a second.
    func ticked(at now: UInt64)

    /// The connection ends because of an error with this code.
    func ends(because code: String)

    /// Says the last words: all messages have been written.
    func sayGoodbye()
}

/// Finds the dialect of a client by its first bytes.
protocol ConversationFactory {
    /// Whether a client that has not spoken may be a browser, to which a frame is no answer.
    var mayMeetBrowsers: Bool { get }

    /// Begins the conversation of a client.
    ///
    /// - Throws: The reason to end the connection instead.
    func begin(with bytes: ByteBuffer, on connection: ConnectionHandler) throws(WireError) -> any Conversation
}
