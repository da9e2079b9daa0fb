import NIOCore
public import Rac
public import RacProtocol

/// Two channels of one daemon that have the same value, or each the other's value in another form.
///
/// The link lasts until it is disposed, the client is closed, or one channel ends, which ends the other channel. Letting go
/// of this object does not undo the link. Isolation: any thread.
///
/// Semantics: docs/semantics.md, link-1, link-2; protocol.md, "Links".
public final class ChannelLink: Sendable {
    /// Errors that do not end the link: refused writes, values that a map does not take.
    public let errors: Signal<ClientError, Never>
    /// Completes when the link is disposed or the channels complete, fails as they do; later observers get the end too.
    public let ended: Signal<Never, ClientError>

    private let core: NIOLoopBoundBox<LinkCore>
    private let eventLoop: any EventLoop

    init(
        _ left: (name: ChannelName, map: @Sendable (JSONText) throws -> JSONText),
        _ right: (name: ChannelName, map: @Sendable (JSONText) throws -> JSONText),
        _ loop: ClientLoop
    ) {
        let core = LinkCore()
        self.errors = core.errors.signal
        self.ended = core.end.signal
        self.core = NIOLoopBoundBox.makeBoxSendingValue(core, eventLoop: loop.eventLoop)
        self.eventLoop = loop.eventLoop
        loop.eventLoop.execute { [core = self.core, engine = loop.engine] in
            core.value.begin(left, right, engine.value)
        }
    }

    /// Undoes the link; both channels stay as they are.
    public func dispose() {
        self.eventLoop.execute { [core] in core.value.finish(.completed) }
    }
}

extension Client {
    /// Binds two shared channels to each other: each change of one becomes a change of the other.
    ///
    /// Where both have a value at the start, and after a connection was lost, the newer change wins. Any number of programs
    /// may link the same channels, in rings and stars: a change passes each channel once, and all come to agree.
    ///
    /// - Parameters:
    ///   - left: A channel's name.
    ///   - right: The other channel's name.
    /// - Returns: The link.
    /// - Throws: `ClientError` with code `badName`.
    @discardableResult
    public func link(_ left: some NameText, _ right: some NameText) throws(ClientError) -> ChannelLink {
        try self.link(left, right, forward: { $0 }, backward: { $0 })
    }

    /// Binds two shared channels to each other, with a map for each direction.
    ///
    /// - Parameters:
    ///   - left: A channel's name.
    ///   - right: The other channel's name.
    ///   - forward: Turns a value of `left` into one of `right`. `ChannelLink.errors` reports an error that it throws, and
    ///     that value does not pass.
    ///   - backward: Turns a value of `right` into one of `left`.
    /// - Returns: The link.
    /// - Throws: `ClientError` with code `badName`.
    @discardableResult
    public func link(
        _ left: some NameText,
        _ right: some NameText,
        forward: @escaping @Sendable (JSONText) throws -> JSONText,
        backward: @escaping @Sendable (JSONText) throws -> JSONText
    ) throws(ClientError) -> ChannelLink {
        let names = (left: try ChannelName(checking: left), right: try ChannelName(checking: right))
        return ChannelLink((names.left, forward), (names.right, backward), self.loop)
    }

    /// Binds two shared channels of typed values to each other, with a map for each direction.
    ///
    /// - Parameters:
    ///   - left: A channel's name.
    ///   - right: The other channel's name.
    ///   - forward: Turns a value of `left` into one of `right`.
    ///   - backward: Turns a value of `right` into one of `left`.
    /// - Returns: The link.
    /// - Throws: `ClientError` with code `badName`.
    @discardableResult
    public func link<Left: Codable & Sendable, Right: Codable & Sendable>(
        _ left: some NameText,
        _ right: some NameText,
        forward: @escaping @Sendable (Left) throws -> Right,
        backward: @escaping @Sendable (Right) throws -> Left
    ) throws(ClientError) -> ChannelLink {
        let (lefts, rights) = (
            ValueCoding<Left>.codable(self.loop.coders), ValueCoding<Right>.codable(self.loop.coders)
        )
        return try self.link(
            left,
            right,
            forward: { try rights.encode(forward(lefts.decode($0))) },
            backward: { try lefts.encode(backward(rights.decode($0))) }
        )
    }
}
