import Expectations
import NIOCore
import RacHost
import RacProtocol
import Testing

/// A client that writes a test's messages through the codec and keeps the answers.
final class Client {
    let rig: Rig
    let connection: HostedConnection

    /// Whether the host wants the connection ended.
    var isEvicted = false

    private(set) var inbox: [ServerMessage] = []
    private var requests: [RequestID: Request] = [:]
    private var numbers: [TerminalID: UInt64] = [:]
    private var lastRequest: Int64 = 0

    init(_ rig: Rig, _ connection: HostedConnection) {
        self.rig = rig
        self.connection = connection
    }

    func hear(_ output: Outgoing) {
        self.inbox += output.messages ?? []
        var bytes = ByteBuffer()
        for frames in output { bytes.writeImmutableBuffer(frames.buffer) }
        let reader = FrameReader(maximumBytes: 64 << 20, inflates: false)
        do {
            while let payload = try reader.nextPayload(in: &bytes) {
                let message = try ServerMessage.read(payload: payload) { self.requests.removeValue(forKey: $0) }
                self.inbox.append(try #require(message))
            }
        } catch {
            Issue.record(error)
        }
        expect(bytes.readableBytes == 0, "frames come whole")
    }

    /// The messages since the last call, in a few words each.
    func take() -> [String] {
        defer { self.inbox = [] }
        return self.inbox.map(\.brief)
    }

    func takeMessages() -> [ServerMessage] {
        defer { self.inbox = [] }
        return self.inbox
    }
}

// MARK: What it says

extension Client {
    func say(_ message: ClientMessage) {
        self.note(message)
        self.rig.tick {
            var bytes = ByteBuffer()
            message.write(to: &bytes)
            let reader = FrameReader(maximumBytes: 64 << 20, inflates: false)
            do {
                let payload = try #require(try reader.nextPayload(in: &bytes))
                self.rig.host.received(try ClientMessage(payload: payload), from: self.connection)
            } catch let fault as MessageError {
                self.rig.host.received(fault, from: self.connection)
            } catch {
                Issue.record(error)
            }
        }
    }

    /// Registers a request, so that its answer is read as a reply to it.
    private func note(_ message: ClientMessage) {
        if case .request(let id, let request) = message { self.requests[id] = request }
    }

    /// Sends all these messages as the daemon finds them after one read.
    func say(atOnce messages: [ClientMessage]) {
        var bytes = ByteBuffer()
        for message in messages {
            self.note(message)
            message.write(to: &bytes)
        }
        let reader = FrameReader(maximumBytes: 64 << 20, inflates: false)
        do {
            while bytes.readableBytes > 0 {
                var sends = PlainSends(of: bytes, longestPayload: 64 << 20, limit: .max)
                repeat {
                    self.rig.takePart()
                    self.rig.host.received(&sends, in: bytes.readableBytesUInt8Span, from: self.connection)
                } while self.rig.host.hasPart && sends.next(in: bytes.readableBytesUInt8Span) != nil
                bytes.moveReaderIndex(forwardBy: sends.end)
                guard let payload = try reader.nextPayload(in: &bytes) else { return }
                self.rig.takePart()
                self.rig.host.received(try ClientMessage(payload: payload), from: self.connection)
            }
        } catch {
            Issue.record(error)
        }
    }

    /// Sends a request with the next id, counted from 1.
    func ask(_ request: Request) {
        self.lastRequest += 1
        self.say(.request(RequestID(self.lastRequest), request))
    }

    /// Sends a value with the terminal's next number, or with another one.
    func next(
        _ terminal: TerminalID,
        _ value: String,
        n: UInt64? = nil,
        if condition: UInt64? = nil,
        cause: UInt64? = nil,
        sync: Bool = false
    ) {
        let event = Send.Event.next(
            .text(value),
            condition: condition.map(Revision.init(_:)),
            cause: cause.map(Revision.init(_:))
        )
        self.send(terminal, event, n: n, sync: sync)
    }

    func end(_ terminal: TerminalID, _ end: ChannelEnd = .completed, n: UInt64? = nil, sync: Bool = false) {
        self.send(terminal, .end(end), n: n, sync: sync)
    }

    private func send(_ terminal: TerminalID, _ event: Send.Event, n: UInt64?, sync: Bool) {
        let number = n ?? (self.numbers[terminal] ?? 0) + 1
        self.numbers[terminal] = number
        let send = Send(terminal: terminal, number: SendNumber(number), event: event, sync: sync)
        self.rig.tick { self.say(atOnce: [.send(send)]) }
    }

    /// Binds, which must succeed; drops the answer and earlier messages.
    @discardableResult
    func bound(
        _ channel: String,
        _ role: Role = .following,
        will: Will? = nil,
        conflate: Bool? = nil,
        interval: UInt64? = nil
    ) throws -> TerminalID {
        var bind = Bind(channel: try ChannelName(channel))
        bind.role = role
        bind.will = will
        bind.conflate = conflate
        bind.interval = interval
        self.ask(.bind(bind))
        var terminal: TerminalID?
        for message in self.takeMessages() {
            if case .reply(_, .bound(let bound)) = message { terminal = bound.terminal }
        }
        return try #require(terminal)
    }

    func bind(_ channel: String, _ change: (inout Bind) -> Void = { _ in }) throws {
        var bind = Bind(channel: try ChannelName(channel))
        change(&bind)
        self.ask(.bind(bind))
    }

    func set(_ channel: String, _ value: String, _ change: (inout SetValue) -> Void = { _ in }) throws {
        var set = SetValue(channel: try ChannelName(channel), value: .text(value))
        change(&set)
        self.ask(.set(set))
    }

    func finish(_ channel: String, _ end: ChannelEnd = .completed, sync: Bool = false) throws {
        var finish = Finish(channel: try ChannelName(channel), end: end)
        finish.sync = sync
        self.ask(.finish(finish))
    }

    func reopen(_ channel: String, sync: Bool = false) throws {
        self.ask(.reopen(try Self.order(channel, sync)))
    }

    func delete(_ channel: String, sync: Bool = false) throws {
        self.ask(.delete(try Self.order(channel, sync)))
    }

    private static func order(_ channel: String, _ sync: Bool) throws -> ChannelOrder {
        var order = ChannelOrder(channel: try ChannelName(channel))
        order.sync = sync
        return order
    }

    func create(
        _ channel: String,
        _ mode: ChannelMode = .shared,
        value: String? = nil,
        sync: Bool = false
    ) throws {
        var create = Create(channel: try ChannelName(channel))
        create.mode = mode
        create.value = value.map(JSONText.text)
        create.sync = sync
        self.ask(.create(create))
    }

    func put(_ entries: [(channel: String, value: String?, condition: UInt64?)], sync: Bool = false) throws {
        var put = Put(
            entries: try entries.map { entry in
                Put.Entry(
                    channel: try ChannelName(entry.channel),
                    value: entry.value.map(JSONText.text),
                    condition: entry.condition.map(Revision.init(_:))
                )
            }
        )
        put.sync = sync
        self.ask(.put(put))
    }

    func get(_ channel: String) throws {
        self.ask(.get(try ChannelName(channel)))
    }

    func list(_ pattern: String = "**", after: String? = nil, limit: UInt64? = nil) throws {
        self.ask(.list(try self.namesList(pattern, after, limit)))
    }

    private func namesList(_ pattern: String, _ after: String?, _ limit: UInt64?) throws -> List {
        var list = List()
        list.pattern = try ChannelPattern(pattern)
        list.after = try after.map(ChannelName.init)
        list.limit = limit
        return list
    }

    func watch(_ pattern: String) throws {
        self.ask(.watch(try ChannelPattern(pattern)))
    }
}

// MARK: Commands

extension Client {
    func host(_ command: String, concurrent: Bool = false, enabled: Bool = true) throws {
        var host = HostCommand(command: try CommandName(command))
        host.isConcurrent = concurrent
        host.isEnabled = enabled
        self.ask(.host(host))
    }

    func unhost(_ command: UInt64) {
        self.ask(.unhost(CommandID(command)))
    }

    func enable(_ command: UInt64, _ isEnabled: Bool) {
        self.say(.enabled(CommandID(command), isEnabled))
    }

    func exec(_ command: String, _ input: String? = nil) throws {
        self.ask(.exec(Exec(command: try CommandName(command), input: input.map(JSONText.text))))
    }

    func observe(_ command: String) throws {
        self.ask(.observe(try CommandName(command)))
    }

    func unobserve(_ command: UInt64) {
        self.ask(.unobserve(CommandID(command)))
    }

    func listCommands(_ pattern: String = "**", after: String? = nil, limit: UInt64? = nil) throws {
        self.ask(.commands(try self.namesList(pattern, after, limit)))
    }

    func forget(_ command: String) throws {
        self.ask(.forget(try CommandName(command)))
    }

    func cancel(_ execution: UInt64) {
        self.say(.cancel(ExecutionID(execution)))
    }

    /// Sends, as a host, a value of an execution.
    func progress(_ execution: UInt64, _ value: String) {
        self.say(.progress(ExecutionID(execution), .next(.text(value))))
    }

    /// Sends, as a host, the end of an execution, with an error if there is a code.
    func settle(_ execution: UInt64, error code: String? = nil) {
        let end = code.map { ChannelEnd.failed(WireError(code: $0, message: "")) } ?? .completed
        self.say(.progress(ExecutionID(execution), .ended(end)))
    }
}

// MARK: Its connection

extension Client {
    /// Ends the connection without `bye`.
    func lose() {
        self.rig.tick { while !self.rig.host.disconnected(self.connection) {} }
    }

    /// Sends `bye`, which ends the connection.
    func leave() {
        self.say(.bye)
        self.lose()
    }

    /// Whether its socket takes more.
    func reads(_ reads: Bool) {
        self.rig.tick { self.rig.host.setWritable(self.connection, reads) }
    }
}
