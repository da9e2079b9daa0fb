import NIOCore
import NIOHTTP1
import RacProtocol

/// Reads the request of the protocol for which a request of HTTP stands.
struct OperationReader {
    private let request: WebRequest
    private let query: [String: String]
    private let name: String

    init(_ request: WebRequest, _ query: [String: String], _ name: String) {
        self.request = request
        self.query = query
        self.name = name
    }

    func route(of operation: Endpoint.Operation) throws(WebProblem) -> WebRoute {
        try self.refuseConditions(of: operation)
        return switch operation {
        case .list: .host(.list(try self.list()), .reply)
        case .commands: .host(.commands(try self.list()), .reply)
        case .create: .host(try self.spliced("create", .create), .created)
        case .transact: .host(try self.spliced("put", .transaction), .reply)
        case .get: try self.get()
        case .set: .host(.set(try self.set()), .reply)
        case .delete: .host(.delete(try self.order()), .reply)
        case .reopen: .host(.reopen(try self.order()), .reply)
        case .complete: .host(.finish(try self.finish(.completed)), .reply)
        case .fail: .host(try self.fail(), .reply)
        case .watch: .host(.watch(try self.pattern()), .events)
        case .exec: .host(.exec(try self.exec()), self.request.prefersValue ? .lastValue : .events)
        case .observe: .host(.observe(try self.command()), .events)
        case .sessionState: .sessionState
        case .signIn: .signIn
        case .signOut: .signOut
        case .makeCode: .makeCode
        case .document: .document
        case .webSocket: .webSocket
        }
    }

    /// Refuses a condition of a write that has none in the protocol: passed over, it would protect nothing.
    private func refuseConditions(of operation: Endpoint.Operation) throws(WebProblem) {
        guard self.request.head.method == .POST || self.request.head.method == .DELETE else { return }
        for header in ["If-Match", "If-None-Match"] where self.request.head.headers.contains(name: header) {
            let help = operation == .transact ? ": name the revision as \"if\" in the entries" : ""
            throw WebProblem(.badRequest, "bad-message", "this request takes no \(header)\(help)")
        }
    }

    private func get() throws(WebProblem) -> WebRoute {
        try self.allow(["side", "interval", Self.lastEventKey])
        let isWish = try self.isWish() ?? false
        // These keys count for streams, and are wrong everywhere if they are wrong.
        _ = try (self.interval(), self.number(Self.lastEventKey))
        if self.request.prefersEvents, self.request.head.method == .GET {
            return .host(.bind(try self.bind(isWish)), .events)
        }
        return .host(.get(try self.channel()), .value(isWish: isWish, unless: EntityTags(self.request.head)))
    }

    /// Whether the query names the side of a paired channel that wishes; nil if it names none.
    private func isWish() throws(WebProblem) -> Bool? {
        switch self.query["side"] {
        case nil: return nil
        case "value": return false
        case "wish": return true
        default: throw WebProblem(.badRequest, "bad-message", "the key 'side' of the query is value or wish")
        }
    }

    private func bind(_ isWish: Bool) throws(WebProblem) -> Bind {
        var bind = Bind(channel: try self.channel())
        bind.role = isWish ? .leading : .following
        bind.replay = true
        bind.interval = try self.interval()
        if let last = self.request.head.headers["last-event-id"].first ?? self.query[Self.lastEventKey] {
            guard let revision = UInt64(digits: last) else {
                throw WebProblem(.badRequest, "bad-message", "Last-Event-ID is the revision of the last value")
            }
            bind.since = Revision(revision)
        }
        return bind
    }

    /// The key of the query in which implementations of EventSource in scripts send `Last-Event-ID`.
    static let lastEventKey = "lastEventId"

    private func interval() throws(WebProblem) -> UInt64? {
        let interval = try self.number("interval")
        guard interval ?? 0 <= Bind.maximumInterval else {
            throw WebProblem(.badRequest, "bad-message", "the key 'interval' of the query is a day at most")
        }
        return interval
    }

    private func set() throws(WebProblem) -> SetValue {
        try self.allow(["side", "sync"])
        var set = SetValue(channel: try self.channel(), value: try self.request.json())
        set.role = try self.isWish() ?? true ? .following : .leading
        set.sync = try self.flag("sync")
        set.condition = try self.condition()
        return set
    }

    /// The revision that the channel must have: that of `If-Match`, or none yet for `If-None-Match: *`.
    private func condition() throws(WebProblem) -> Revision? {
        let none = self.request.head.headers["if-none-match"]
        guard none.isEmpty || none == ["*"] else {
            throw WebProblem(.badRequest, "bad-message", "If-None-Match of a PUT is *: the channel has no value yet")
        }
        let revision = try self.request.revision("if-match")
        guard none.isEmpty || revision == nil else {
            throw WebProblem(.badRequest, "bad-message", "If-Match and If-None-Match exclude each other")
        }
        return none.isEmpty ? revision : .never
    }

    private func order() throws(WebProblem) -> ChannelOrder {
        try self.allow(["sync"])
        var order = ChannelOrder(channel: try self.channel())
        order.sync = try self.flag("sync")
        return order
    }

    private func finish(_ end: ChannelEnd) throws(WebProblem) -> Finish {
        try self.allow(["sync"])
        var finish = Finish(channel: try self.channel(), end: end)
        finish.sync = try self.flag("sync")
        return finish
    }

    /// The error is the body, which the codec of the protocol reads.
    private func fail() throws(WebProblem) -> Request {
        var finish = try self.finish(.completed)
        guard self.request.body.readableBytes > 0 else {
            throw WebProblem(.badRequest, "bad-message", #"the body is the error: {"code":"CODE","message":"TEXT"}"#)
        }
        let error = try self.request.json()
        try BodyKeys.error.check(error)
        let read = try Self.read { payload throws(WebProblem) in
            payload.writeString(#"{"op":"finish","id":0,"channel":"a","error":"#)
            payload.writeImmutableBuffer(error.bytes)
            payload.writeString("}")
        }
        if case .finish(let whole) = read { finish.end = whole.end }
        return .finish(finish)
    }

    private func exec() throws(WebProblem) -> Exec {
        try self.allow([])
        let input = self.request.body.readableBytes == 0 ? nil : try self.request.json()
        return Exec(command: try self.command(), input: input)
    }

    private func list() throws(WebProblem) -> List {
        try self.allow(["pattern", "after", "limit"])
        var list = List()
        if self.query["pattern"] != nil { list.pattern = try self.patternOfQuery() }
        if let after = self.query["after"] { list.after = try Self.channel(after) }
        list.limit = try self.number("limit")
        return list
    }

    private func pattern() throws(WebProblem) -> ChannelPattern {
        try self.allow(["pattern"])
        return self.query["pattern"] == nil ? .all : try self.patternOfQuery()
    }

    private func patternOfQuery() throws(WebProblem) -> ChannelPattern {
        do {
            return try ChannelPattern(self.query["pattern"] ?? "")
        } catch {
            throw WebProblem(.badRequest, "bad-name", "\(error)")
        }
    }

    private func channel() throws(WebProblem) -> ChannelName { try Self.channel(self.name) }

    private static func channel(_ text: String) throws(WebProblem) -> ChannelName {
        do {
            return try ChannelName(text)
        } catch {
            throw WebProblem(.badRequest, "bad-name", "\(error)")
        }
    }

    private func command() throws(WebProblem) -> CommandName {
        do {
            return try CommandName(self.name)
        } catch {
            throw WebProblem(.badRequest, "bad-name", "\(error)")
        }
    }

    /// Reads a body that has the keys of an operation but `op` and `id`.
    private func spliced(_ operation: String, _ keys: BodyKeys) throws(WebProblem) -> Request {
        try self.allow([])
        let body = try self.request.json()
        let text = body.bytes.readableBytesView
        guard text.first == UInt8(ascii: "{") else {
            throw WebProblem(.badRequest, "bad-message", "the body is a JSON object")
        }
        try keys.check(body)
        let isEmpty = text.dropFirst().first { !$0.isJSONSpace } == UInt8(ascii: "}")
        return try Self.read { payload throws(WebProblem) in
            payload.writeString(#"{"op":"\#(operation)","id":0\#(isEmpty ? "" : ",")"#)
            payload.writeBytes(text.dropFirst())
        }
    }

    private static func read(
        _ write: (inout ByteBuffer) throws(WebProblem) -> Void
    ) throws(WebProblem) -> Request {
        var payload = ByteBuffer()
        try write(&payload)
        do throws(MessageError) {
            guard case .request(_, let request) = try ClientMessage(payload: payload) else {
                throw MessageError(.badMessage, "the body is no request")
            }
            return request
        } catch {
            throw WebProblem(Refusal(error.error))
        }
    }

    // MARK: The query

    /// Refuses keys that the operation does not know: a misspelt `sync` must not be passed over.
    private func allow(_ keys: [String]) throws(WebProblem) {
        guard !self.query.isEmpty else { return }
        guard let unknown = self.query.keys.sorted().first(where: { !keys.contains($0) }) else { return }
        let known = keys.isEmpty ? "no query" : "the keys \(keys.sorted().joined(separator: ", "))"
        throw WebProblem(.badRequest, "bad-message", "the path takes \(known), not '\(unknown.prefix(100))'")
    }

    private func flag(_ key: String) throws(WebProblem) -> Bool {
        switch self.query[key] {
        case nil, "0", "false": return false
        case "", "1", "true": return true
        default: throw WebProblem(.badRequest, "bad-message", "the key '\(key)' of the query is 1 or 0")
        }
    }

    private func number(_ key: String) throws(WebProblem) -> UInt64? {
        guard let text = self.query[key] else { return nil }
        guard let number = UInt64(digits: text), number <= UInt64(Int64.max) else {
            throw WebProblem(.badRequest, "bad-message", "the key '\(key)' of the query is an integer from 0 on")
        }
        return number
    }
}

extension UInt8 {
    fileprivate var isJSONSpace: Bool { [0x20, 0x09, 0x0A, 0x0D].contains(self) }
}
