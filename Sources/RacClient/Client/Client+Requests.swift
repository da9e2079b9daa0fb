public import Rac
public import RacProtocol

#if canImport(FoundationEssentials)
public import FoundationEssentials
#else
public import Foundation
#endif

extension Client {
    /// Makes a round trip to the daemon.
    ///
    /// When it returns, the daemon has taken what this client sent before, and this client has handled what the daemon sent
    /// it before. So a test that nothing comes needs no pause. The ping goes out behind the answers to the writes before it,
    /// also to those that wait for a connection.
    ///
    /// - Throws: `ClientError` with code `timedOut`, `cancelled`, `closed`, or why the daemon refused this client.
    public func ping() async throws(ClientError) {
        _ = try await self.loop.answer(to: .ping)
    }

    /// Reads everything of a channel.
    ///
    /// - Parameter channel: The channel's name.
    /// - Returns: How it is now.
    /// - Throws: `ClientError` with code `badName`, `noSuchChannel`, or as ``ping()``.
    public func get(_ channel: some NameText) async throws(ClientError) -> ChannelStatus {
        let request = try Request.get(ChannelName(checking: channel))
        guard case .reply(.got(let got)) = try await self.loop.answer(to: request) else { throw .wrongAnswer }
        return ChannelStatus(got)
    }

    /// Gives a channel a value.
    ///
    /// It comes from nobody's terminal: every terminal of this program too gets it. Semantics: protocol.md, "Requests".
    ///
    /// - Parameters:
    ///   - channel: The channel's name.
    ///   - value: JSON text, passed on byte for byte.
    ///   - role: The side that it comes from, which matters in a paired channel.
    ///   - revision: The revision that the channel's value must still have; 0 for a channel without a value. Such a
    ///     call is repeated when the connection is lost.
    ///   - sync: Whether to wait until it is on disk.
    /// - Returns: The revision of the change.
    /// - Throws: `ClientError` with code `conflict`, `terminated`, `badName`, `forbidden`, `limit`, `storage`,
    ///   `outcomeUnknown`, or as ``ping()``.
    @discardableResult
    public func set(
        _ channel: some NameText,
        _ value: JSONText,
        as role: Role = .following,
        ifUnchangedSince revision: Revision? = nil,
        sync: Bool = false
    ) async throws(ClientError) -> Revision {
        var set = SetValue(channel: try ChannelName(checking: channel), value: value)
        set.role = role
        set.condition = revision
        set.sync = sync
        return try await self.change(.set(set))
    }

    /// Gives several channels values, all of them or none.
    ///
    /// - Parameters:
    ///   - values: The channels and their values, no channel twice.
    ///   - sync: Whether to wait until they are on disk.
    /// - Returns: The revisions of the changes, in the order of `values`.
    /// - Throws: As ``set(_:_:as:ifUnchangedSince:sync:)``.
    @discardableResult
    public func put(_ values: [ChannelValue], sync: Bool = false) async throws(ClientError) -> [Revision] {
        var entries: [Put.Entry] = []
        for value in values {
            let name = try ChannelName(checking: value.channel)
            let text = try value.text(by: self.loop.coders)
            entries.append(Put.Entry(channel: name, value: text, condition: value.revision))
        }
        var put = Put(entries: entries)
        put.sync = sync
        guard case .reply(.revisions(let all)) = try await self.loop.answer(to: .put(put)) else { throw .wrongAnswer }
        return all
    }

    /// Makes a channel.
    ///
    /// - Parameters:
    ///   - channel: The channel's name.
    ///   - mode: One value for all, or two sides.
    ///   - value: Its first value, as if the leading side had sent it.
    ///   - sync: Whether to wait until it is on disk.
    /// - Returns: The revision of the change.
    /// - Throws: `ClientError` with code `exists`, or as ``set(_:_:as:ifUnchangedSince:sync:)``.
    @discardableResult
    public func create(
        _ channel: some NameText,
        mode: ChannelMode = .shared,
        value: JSONText? = nil,
        sync: Bool = false
    ) async throws(ClientError) -> Revision {
        var create = Create(channel: try ChannelName(checking: channel))
        create.mode = mode
        create.value = value
        create.sync = sync
        return try await self.change(.create(create))
    }

    /// Ends a channel for everybody.
    ///
    ///     try await client.finish("job/7", with: .failed(ClientError("no-paper", "the tray is empty")))
    ///
    /// - Parameters:
    ///   - channel: The channel's name.
    ///   - ending: How it ends; a failure travels with its code, message and data.
    ///   - sync: Whether to wait until it is on disk.
    /// - Returns: The revision of the end.
    /// - Throws: As ``set(_:_:as:ifUnchangedSince:sync:)``. A failure that says that a client lost its connection, such as
    ///   `closed`, is no end for others: it is thrown, and ends nothing.
    @discardableResult
    public func finish(
        _ channel: some NameText,
        with ending: Ending<ClientError> = .completed,
        sync: Bool = false
    ) async throws(ClientError) -> Revision {
        guard let end = ending.channelEnd else { throw ending.error }
        var finish = Finish(channel: try ChannelName(checking: channel), end: end)
        finish.sync = sync
        return try await self.change(.finish(finish))
    }

    /// Makes an ended channel live again, with its last value; an open one stays as it is.
    ///
    /// - Parameters:
    ///   - channel: The channel's name.
    ///   - sync: Whether to wait until it is on disk.
    /// - Returns: The revision of the change.
    /// - Throws: `ClientError` with code `noSuchChannel`, or as ``set(_:_:as:ifUnchangedSince:sync:)``.
    @discardableResult
    public func reopen(_ channel: some NameText, sync: Bool = false) async throws(ClientError) -> Revision {
        var order = ChannelOrder(channel: try ChannelName(checking: channel))
        order.sync = sync
        return try await self.change(.reopen(order))
    }

    /// Completes a channel for those who are bound to it, and forgets it.
    ///
    /// - Parameters:
    ///   - channel: The channel's name.
    ///   - sync: Whether to wait until it is on disk.
    /// - Returns: The revision of the change.
    /// - Throws: As ``reopen(_:sync:)``.
    @discardableResult
    public func delete(_ channel: some NameText, sync: Bool = false) async throws(ClientError) -> Revision {
        var order = ChannelOrder(channel: try ChannelName(checking: channel))
        order.sync = sync
        return try await self.change(.delete(order))
    }

    /// Lists the channels whose names match a pattern, in the order of their names.
    ///
    /// - Parameter pattern: As protocol.md, "Names" has it.
    /// - Returns: All of them, asked for in as many parts as it takes.
    /// - Throws: `ClientError` with code `badName`, or as ``ping()``.
    public func list(_ pattern: some NameText = "**") async throws(ClientError) -> [ChannelListing] {
        var list = List()
        list.pattern = try ChannelPattern(checking: pattern)
        var all: [ChannelListing] = []
        var order = PageOrder<ChannelName>()
        while true {
            guard case .reply(.listed(let listed)) = try await self.loop.answer(to: .list(list)) else {
                throw .wrongAnswer
            }
            try order.take(listed.channels.map(\.channel))
            all += listed.channels.map(ChannelListing.init)
            guard listed.more, !listed.channels.isEmpty else { return all }
            list.after = order.last
        }
    }

    private func change(_ request: Request) async throws(ClientError) -> Revision {
        guard case .reply(.revision(let revision)) = try await self.loop.answer(to: request) else { throw .wrongAnswer }
        return revision
    }
}

/// Everything of a channel at one moment.
public struct ChannelStatus: Hashable, Sendable {
    /// The revision of the value; 0 if there never was one.
    public let revision: Revision
    /// Whether it is open, and how it ended if it is not.
    public let state: ChannelState
    /// One value for all, or two sides.
    public let mode: ChannelMode
    /// The last value of its leading side, or of any side if it is shared.
    public let value: JSONText?
    /// The change that led to the value through links; nil if the value is a change of its own.
    public let cause: Revision?
    /// The last value of a paired channel's following side.
    public let wish: JSONText?
    /// The revision of the wish.
    public let wishRevision: Revision?
    /// When the newest change happened, by the daemon's clock.
    public let changedAt: Date
    /// The name of the principal that made the newest change; nil if a client of an open daemon made it.
    public let by: String?

    init(_ got: Got) {
        self.revision = got.revision
        self.state = got.state
        self.mode = got.mode
        self.value = got.value?.detached
        self.cause = got.cause
        self.wish = got.wish?.detached
        self.wishRevision = got.wishRevision
        self.changedAt = Date(timeIntervalSince1970: Double(got.changedAt) / 1000)
        self.by = got.by
    }
}

/// A channel in a list.
public struct ChannelListing: Hashable, Sendable {
    /// Its name.
    public let name: ChannelName
    /// The revision of its value; 0 if there never was one.
    public let revision: Revision
    /// Whether it can be written.
    public let isOpen: Bool
    /// One value for all, or two sides.
    public let mode: ChannelMode
    /// The number of bound terminals, both sides together.
    public let bound: Int
    /// The name of the principal that made the newest change; nil if a client of an open daemon made it.
    public let by: String?

    init(_ entry: Listed.Entry) {
        self.name = entry.channel
        self.revision = entry.revision
        self.isOpen = entry.state == .open
        self.mode = entry.mode
        self.bound = Int(clamping: entry.bound)
        self.by = entry.by
    }
}

extension ChannelListing: Identifiable {
    /// The channel's name.
    public var id: ChannelName { self.name }
}

/// A value for a channel, one of several that are written together.
public struct ChannelValue: Sendable {
    /// The channel's name.
    public var channel: String
    /// JSON text, passed on byte for byte.
    ///
    /// Of a value that a client writes as JSON, this is the text of a client that sets no encoder.
    public var value: JSONText {
        didSet { self.encode = nil }
    }
    /// The revision that the channel's value must still have, or no entry is written; nil sets no condition.
    public var revision: Revision?
    /// Writes the value with the coders of the client; nil if ``value`` is the text for each client.
    var encode: (@Sendable (Coders) throws(ClientError) -> JSONText)?

    /// Names a value for a channel.
    ///
    /// - Parameters:
    ///   - channel: The channel's name.
    ///   - value: JSON text, passed on byte for byte.
    ///   - revision: The revision that the channel's value must still have; 0 for a channel without a value.
    public init(_ channel: some NameText, _ value: JSONText, ifUnchangedSince revision: Revision? = nil) {
        self.channel = channel.description
        self.value = value
        self.revision = revision
    }
}

extension ChannelName {
    /// A name that a program gave.
    init(checking text: some NameText) throws(ClientError) {
        do {
            try self.init(text.description)
        } catch {
            throw ClientError(.badName, "\"\(text)\" is no channel's name: \(error.description)", cause: error)
        }
    }
}

extension ChannelPattern {
    /// A pattern that a program gave.
    init(checking text: some NameText) throws(ClientError) {
        do {
            try self.init(text.description)
        } catch {
            throw ClientError(.badName, "\"\(text)\" is no pattern: \(error.description)", cause: error)
        }
    }
}
