import NIOCore
import RacHost
import RacProtocol

/// The conversation of a client that has not said anything: its first bytes show its dialect.
///
/// Isolation: the connection's event loop.
final class SilentConversation: Conversation {
    private let connection: ConnectionHandler
    private var hasSpoken = false

    init(_ connection: ConnectionHandler) {
        self.connection = connection
    }

    var transport: Transport { self.connection.transportOfFrames }

    func received(_ bytes: ByteBuffer) {
        self.hasSpoken = true
        do throws(WireError) {
            let conversation = try self.connection.loop.dialects.begin(with: bytes, on: self.connection)
            self.connection.conversation = conversation
            conversation.received(bytes)
        } catch {
            self.connection.end(because: error)
        }
    }

    func inputClosed() { self.connection.inputEnded() }

    /// A browser connects before it has anything to ask, and a frame is no answer to it.
    func refuse(_ error: WireError) {
        // A client beyond a limit has not been read.
        let isUnderstood = self.hasSpoken || error.code == ErrorCode.limit.rawValue
        guard isUnderstood || !self.connection.loop.dialects.mayMeetBrowsers else { return }
        self.connection.send(FrameBytes(.refused(nil, Refusal(error))))
    }

    func ticked(at now: UInt64) {
        if self.connection.readsOn { self.connection.heartbeat.heard(at: now) }
        self.connection.judgeSilence(at: now, isRead: true) {}
    }

    // Nothing is kept of a client that has said nothing, and the host does not know it.
    var keptBytes: Int { 0 }
    var isHeld: Bool { false }
    var waitsWithFew: Bool { false }
    var hasMessages: Bool { false }
    var isLate: Bool { false }
    func turnCame(_ room: Int) {}
    func restEnded() {}
    func took(_ bytes: Int) {}
    func readApart() {}
    func spent(_ units: Int) {}
    func dismiss() {}
    func write(_ output: Outgoing) {}
    func outputLeft() {}
    func ends(because code: String) {}
    func sayGoodbye() {}
}

@available(*, unavailable)
extension SilentConversation: Sendable {}
