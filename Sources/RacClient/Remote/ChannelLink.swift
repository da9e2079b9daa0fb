import NIOCore
public import Rac
public import RacProtocol

/// Two channels of one daemon that have the same value, or each the other's in another form.
///
/// It lasts until it is disposed, the client is closed, or one of the channels ends, which ends the other one. Letting
/// go of this object does not undo it. Isolation: any thread. Semantics: docs/semantics.md, link-1, link-2;
/// protocol.md, "Links".
public final class ChannelLink: Sendable {
    /// What went wrong without ending the link: writes that were refused, values that a map does not take.
    public let errors: Signal<ClientError, Never>
    /// Completes when the link is disposed or the channels complete, fails as they do; later observers hear it too.
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

extension RacClient {
    /// Binds two shared channels to each other: each change of one becomes a change of the other.
    ///
    /// Where both have a value at the start, and after a connection was lost, the newer change wins. Any number of programs
    /// may link the same channels, in rings and stars: a change passes each channel once, and all come to agree.
    ///
    /// - Parameters:
    ///   - left: A channel's name.
    ///   - right: Another one's.
    /// - Returns: The link.
    /// - Throws: ``ClientError`` with code `badName`.
    @discardableResult
    public func link(_ left: String, _ right: String) throws(ClientError) -> ChannelLink {
        try self.link(left, right, forward: { $0 }, backward: { $0 })
    }

    /// Binds two shared channels to each other, with a map for each direction.
    ///
    /// - Parameters:
    ///   - left: A channel's name.
    ///   - right: Another one's.
    ///   - forward: What a value of `left` is in `right`. What it throws is told by `ChannelLink.errors`, and that value
    ///     does not pass.
    ///   - backward: What a value of `right` is in `left`.
    /// - Returns: The link.
    /// - Throws: ``ClientError`` with code `badName`.
    @discardableResult
    public func link(
        _ left: String,
        _ right: String,
        forward: @escaping @Sendable (JSONText) throws -> JSONText,
        backward: @escaping @Sendable (JSONText) throws -> JSONText
    ) throws(ClientError) -> ChannelLink {
        let names = (left: try ChannelName(checking: left), right: try ChannelName(checking: right))
        return ChannelLink((names.left, forward), (names.right, backward), self.loop)
    }

    /// Binds two shared channels to each other, with a map for each direction, of values that are read and written.
    ///
    /// - Parameters:
    ///   - left: A channel's name.
    ///   - right: Another one's.
    ///   - forward: What a value of `left` is in `right`.
    ///   - backward: What a value of `right` is in `left`.
    /// - Returns: The link.
    /// - Throws: ``ClientError`` with code `badName`.
    @discardableResult
    public func link<Left: Codable & Sendable, Right: Codable & Sendable>(
        _ left: String,
        _ right: String,
        forward: @escaping @Sendable (Left) throws -> Right,
        backward: @escaping @Sendable (Right) throws -> Left
    ) throws(ClientError) -> ChannelLink {
        try self.link(
            left,
            right,
            forward: { try JSONText(encoding: forward($0.decoded(as: Left.self))) },
            backward: { try JSONText(encoding: backward($0.decoded(as: Right.self))) }
        )
    }
}
