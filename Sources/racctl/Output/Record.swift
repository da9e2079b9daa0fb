import RacConnection
import RacProtocol

/// One result as members with keys, from which each format takes what it shows.
struct Record {
    /// The values are JSON on one line.
    private(set) var members: [(key: String, value: JSONText)] = []

    /// The record as one JSON object on one line.
    var json: String {
        "{\(self.members.map { "\"\($0.key)\":\($0.value.text)" }.joined(separator: ","))}"
    }

    /// The record as an element of a YAML list.
    var yaml: String {
        self.members.enumerated()
            .map { "\($0.offset == 0 ? "- " : "  ")\($0.element.key): \($0.element.value.yaml)" }
            .joined(separator: "\n")
    }

    /// The value of a member, if the record has it.
    subscript(_ key: String) -> JSONText? { self.members.first { $0.key == key }?.value }

    mutating func add(_ key: String, _ value: JSONText?) {
        guard let value else { return }
        self.members.append((key, value.withoutLineBreaks))
    }

    mutating func add(_ key: String, _ revision: Revision?) {
        guard let revision else { return }
        self.add(key, json: "\(revision)")
    }

    mutating func add(_ key: String, _ number: Double) {
        guard number.isFinite else { return }
        self.add(key, json: "\(number)")
    }

    mutating func add(_ key: String, _ flag: Bool) {
        self.add(key, json: "\(flag)")
    }

    mutating func add(_ key: String, object write: (inout Record) -> Void) {
        var object = Record()
        write(&object)
        self.add(key, json: object.json)
    }

    mutating func add(_ key: String, array: [Record]) {
        self.add(key, json: "[\(array.map(\.json).joined(separator: ","))]")
    }

    /// Adds JSON of this file's own making, which is valid, and may be nested deeper than a value of a channel.
    private mutating func add(_ key: String, json: String) {
        self.members.append((key, JSONText(unchecked: json)))
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
    /// The text with line breaks and tabs made spaces; JSON has none inside strings, so it means the same.
    var onOneLine: String {
        let text = self.text
        guard text.utf8.contains(where: Self.isBreak) else { return text }
        return String(decoding: text.utf8.map { Self.isBreak($0) ? UInt8(ascii: " ") : $0 }, as: UTF8.self)
    }

    /// This value on one line, as one field of it.
    var withoutLineBreaks: JSONText {
        guard self.text.utf8.contains(where: Self.isBreak) else { return self }
        return (try? JSONText(self.onOneLine)) ?? self
    }

    /// The characters of a string; nil for any other value.
    var characters: String? {
        guard case .string(let characters)? = try? JSONTree(self) else { return nil }
        return String(decoding: characters, as: UTF8.self)
    }

    private static func isBreak(_ byte: UInt8) -> Bool {
        byte == UInt8(ascii: "\n") || byte == UInt8(ascii: "\r") || byte == UInt8(ascii: "\t")
    }
}

extension Record {
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
        self.add("by", changed.by.map(JSONText.string))
    }
}

extension Record {
    /// The client of a connection.
    mutating func add(_ client: ConnectedClient) {
        self.add("connection", .integer(Int(clamping: client.connection)))
        self.add("name", client.name.map(JSONText.string))
        self.add("agent", client.agent.map(JSONText.string))
        self.add("principal", client.principal.map(JSONText.string))
        switch client.peer {
        case .tcp(let address): self.add("peer", .string(address))
        case .unix(let process, let user):
            self.add("peer", .string("unix"))
            self.add("pid", process.map { .integer(Int(clamping: $0)) })
            self.add("uid", user.map { .integer(Int(clamping: $0)) })
        case nil: break
        }
        self.add("via", client.transport.map { .string($0.rawValue) })
        self.add("since", client.since.map { .integer(Int(clamping: $0)) })
    }
}

extension ConnectedClient {
    /// The text by which a person recognizes the client.
    var title: String { (self.name ?? self.agent)?.onOneLine ?? "-" }
}
