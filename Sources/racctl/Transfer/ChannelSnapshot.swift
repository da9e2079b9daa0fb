import RacConnection
import RacProtocol

/// All of a channel that an export keeps: what the daemon counts itself, revisions and times, is no part of it.
struct ChannelSnapshot: Equatable {
    /// The keys of a line.
    static let keys: [Key] = [.channel, .mode, .state, .error, .value, .wish]

    var channel: ChannelName
    var mode: ChannelMode
    var state: ChannelState
    var value: JSONText?
    var wish: JSONText?

    init(_ channel: ChannelName, _ got: Got) {
        self.channel = channel
        self.mode = got.mode
        self.state = got.state
        self.value = got.value
        self.wish = got.wish
    }

    init(_ line: borrowing Envelope) throws(MessageError) {
        self.channel = try line.channel()
        guard !self.channel.isReserved else {
            throw MessageError(.forbidden, "names that begin with $, such as \(self.channel), are the daemon's own")
        }
        self.mode = try line.word(.mode, as: ChannelMode.self) ?? .shared
        if let word = try line.string(.state), !["open", "completed", "failed"].contains(word) {
            throw line.wrong(.state, "open, completed or failed, not \"\(word.prefix(64))\"")
        }
        let state = try line.state()
        guard state != nil || !line.has(.state) else { throw line.wrong(.state, "open, completed or failed") }
        self.state = state ?? .open
        self.value = line.json(.value)
        self.wish = line.json(.wish)
        guard self.wish == nil || self.mode == .paired else {
            throw MessageError(.badMessage, "only a paired channel has a wish")
        }
    }

    /// One line of an export.
    var line: String {
        var line = Record()
        line.add("channel", .string(self.channel.text))
        line.add("mode", .string(self.mode.rawValue))
        line.add(self.state)
        line.add("value", self.value)
        line.add("wish", self.wish)
        return line.json
    }
}
