import RacConnection
import RacProtocol

/// One JSON object on one line.
struct JSONLine {
    private var members: [String] = []

    var text: String { "{\(self.members.joined(separator: ","))}" }

    mutating func add(_ key: String, _ value: JSONText?) {
        guard let value else { return }
        self.members.append("\"\(key)\":\(value.onOneLine)")
    }

    mutating func add(_ key: String, _ revision: Revision?) {
        guard let revision else { return }
        self.members.append("\"\(key)\":\(revision)")
    }

    mutating func add(_ key: String, _ number: Double) {
        self.members.append("\"\(key)\":\(number)")
    }

    mutating func add(_ key: String, _ flag: Bool) {
        self.members.append("\"\(key)\":\(flag)")
    }

    mutating func add(_ key: String, object write: (inout JSONLine) -> Void) {
        var object = JSONLine()
        write(&object)
        self.members.append("\"\(key)\":\(object.text)")
    }

    mutating func add(_ key: String, array: [JSONLine]) {
        self.members.append("\"\(key)\":[\(array.map(\.text).joined(separator: ","))]")
    }

    mutating func add(_ key: String, _ error: WireError?) {
        guard let error else { return }
        self.add(key) { object in
            object.add("code", .string(error.code))
            object.add("message", .string(error.message))
            object.add("data", error.data)
        }
    }
}

extension JSONText {
    /// The text with line breaks made spaces; JSON has none inside strings, so it means the same.
    var onOneLine: String {
        let text = self.text
        guard text.utf8.contains(where: Self.breaksLine) else { return text }
        return String(decoding: text.utf8.map { Self.breaksLine($0) ? UInt8(ascii: " ") : $0 }, as: UTF8.self)
    }

    private static func breaksLine(_ byte: UInt8) -> Bool {
        byte == UInt8(ascii: "\n") || byte == UInt8(ascii: "\r")
    }
}

extension JSONLine {
    /// A channel's state, and the error that goes with it.
    mutating func add(_ state: ChannelState) {
        switch state {
        case .open: self.add("state", .string("open"))
        case .completed: self.add("state", .string("completed"))
        case .failed(let error):
            self.add("state", .string("failed"))
            self.add("error", error)
        }
    }

    /// How a watched channel is.
    mutating func add(_ changed: Changed) {
        self.add("channel", .string(changed.channel.text))
        self.add("rev", changed.revision)
        if let state = changed.state { self.add(state) } else { self.add("state", .string("deleted")) }
        self.add("value", changed.value)
        self.add("wish", changed.wish)
        self.add("wishRev", changed.wishRevision)
    }
}
