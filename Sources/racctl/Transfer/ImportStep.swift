import RacConnection
import RacProtocol

/// One change on the way from how a channel is to how it shall be.
enum ImportStep: Equatable {
    case create(ChannelMode, JSONText?)
    case reopen
    case set(JSONText, Role)
    case finish(ChannelEnd)

    /// The channel is there with another mode, which no change can give it.
    struct OtherMode: Error, Equatable {
        let mode: ChannelMode
    }

    /// The steps to a snapshot; none if the channel is so already.
    ///
    /// A value that is there is replaced, never taken away.
    static func steps(to snapshot: ChannelSnapshot, from standing: ChannelSnapshot?) throws(OtherMode) -> [ImportStep] {
        guard let standing else {
            let sets = Self.sets(nil, snapshot.wish, as: snapshot.mode)
            return [.create(snapshot.mode, snapshot.value)] + sets + Self.end(snapshot.state)
        }
        guard standing.mode == snapshot.mode else { throw OtherMode(mode: standing.mode) }
        let value = snapshot.value == standing.value ? nil : snapshot.value
        let wish = snapshot.wish == standing.wish ? nil : snapshot.wish
        let sets = Self.sets(value, wish, as: snapshot.mode)
        if sets.isEmpty, snapshot.state == standing.state { return [] }
        return (standing.state == .open ? [] : [.reopen]) + sets + Self.end(snapshot.state)
    }

    /// A shared channel has one side, and a client that writes it needs no right to lead.
    private static func sets(_ value: JSONText?, _ wish: JSONText?, as mode: ChannelMode) -> [ImportStep] {
        let role = mode == .paired ? Role.leading : .following
        return [value.map { .set($0, role) }, wish.map { .set($0, .following) }].compactMap { $0 }
    }

    private static func end(_ state: ChannelState) -> [ImportStep] {
        switch state {
        case .open: []
        case .completed: [.finish(.completed)]
        case .failed(let error): [.finish(.failed(error))]
        }
    }

    /// The step as a request that is answered when it is on disk.
    func request(_ channel: ChannelName) -> Request {
        switch self {
        case .create(let mode, let value):
            var create = Create(channel: channel)
            create.mode = mode
            create.value = value
            create.sync = true
            return .create(create)
        case .reopen:
            var order = ChannelOrder(channel: channel)
            order.sync = true
            return .reopen(order)
        case .set(let value, let role):
            var set = SetValue(channel: channel, value: value)
            set.role = role
            set.sync = true
            return .set(set)
        case .finish(let end):
            var finish = Finish(channel: channel, end: end)
            finish.sync = true
            return .finish(finish)
        }
    }
}
