import NIOCore
import Rac
import RacProtocol

/// The two sides of a link, and its end.
///
/// The core and its sides refer to each other until the end. All state is used on the client's event loop, except `errors`
/// and `end`.
final class LinkCore {
    let errors = Subject<ClientError, Never>()
    let end = ReplaySubject<Never, ClientError>(capacity: 1)
    private var log: ProblemLog?
    private var sides: (left: LinkSide, right: LinkSide)?
    /// The end of the first channel that ended, until the daemon has reported the other channel.
    private var pending: Ending<ClientError>?

    func begin(
        _ left: (name: ChannelName, map: @Sendable (JSONText) throws -> JSONText),
        _ right: (name: ChannelName, map: @Sendable (JSONText) throws -> JSONText),
        _ engine: ClientEngine
    ) {
        guard left.name != right.name else {
            return self.report(.failed(ClientError(.badName, "\(left.name) cannot be linked to itself")))
        }
        let loop = engine.eventLoop
        self.log = ProblemLog("\(left.name) and \(right.name)", engine.configuration.logger)
        let sides = (
            left: LinkSide(left.map, owner: self, on: loop), right: LinkSide(right.map, owner: self, on: loop)
        )
        self.sides = sides
        sides.left.join(sides.right)
        sides.right.join(sides.left)
        for (side, name) in [(sides.left, left.name), (sides.right, right.name)] where self.sides != nil {
            do throws(ClientError) {
                side.attach(try engine.binding(RemoteBinding.Key(channel: name, role: .following), .shared))
            } catch {
                self.finish(.failed(error))
            }
        }
        sides.left.passKept()
    }

    func failed(_ error: ClientError) {
        self.log?.note("a change did not pass a link", error)
        self.errors.send(error)
    }

    /// One of the channels ended: the other one ends with it, as soon as the daemon has reported both.
    ///
    /// A refused bind ends the link alone.
    func ended(_ ending: Ending<ClientError>, of side: LinkSide) {
        guard let sides = self.sides else { return }
        let other = side === sides.left ? sides.right : sides.left
        let isOfChannel = side.binding?.isEndOfChannel ?? false
        guard let end = ending.channelEnd, isOfChannel, side.isReported, self.pending == nil else {
            return self.finish(self.pending ?? ending)
        }
        guard other.isReported else {
            self.pending = ending
            return
        }
        try? other.binding?.finish(end)
        self.finish(ending)
    }

    /// The daemon has reported a side, whose channel ends if the other one ended before.
    func reported(_ side: LinkSide) {
        guard let pending = self.pending else { return }
        if let end = pending.channelEnd { try? side.binding?.finish(end) }
        self.finish(pending)
    }

    /// Undoes the link.
    func finish(_ ending: Ending<ClientError>) {
        guard let sides = self.sides else { return }
        self.sides = nil
        sides.left.detach()
        sides.right.detach()
        self.report(ending)
    }

    private func report(_ ending: Ending<ClientError>) {
        self.errors.complete()
        self.end.end(ending)
    }
}

@available(*, unavailable)
extension LinkCore: Sendable {}
