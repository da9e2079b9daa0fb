import NIOCore
import RacProtocol
import Testing

/// A message beside its payload and the request that it answers.
struct ServerSample: Sendable, CustomTestStringConvertible {
    let message: ServerMessage
    let payload: String
    let request: Request?

    init(_ message: ServerMessage, _ payload: String, to request: Request? = nil) {
        self.message = message
        self.payload = payload
        self.request = request
    }

    var testDescription: String { self.payload }
}

/// Every message of the daemon, bare and with all its optional parts.
enum ServerSamples {
    static func all() throws -> [ServerSample] {
        try Self.connection() + Self.bindingReplies() + Self.readingReplies() + Self.writingReplies() + Self.events()
            + Self.watches() + Self.commands()
    }

    private static func reply(_ reply: Reply, to request: Request, _ payload: String) -> ServerSample {
        ServerSample(.reply(RequestID(1), reply), payload, to: request)
    }

    private static func connection() throws -> [ServerSample] {
        let welcome = Welcome(
            server: "racd/1",
            epoch: "e",
            heartbeat: 20_000,
            maximumFrameBytes: 8_388_608,
            deflate: false
        )
        let refusal = Refusal(WireError(.badMessage, "m"))
        let standing = Valuation(value: try JSONText("1.0"), revision: Revision(4), cause: nil)
        var conflict = Refusal(WireError(.conflict, "m"), standing: standing)
        conflict.index = 2
        return [
            ServerSample(
                .welcome(welcome),
                #"{"op":"welcome","version":1,"server":"racd/1","epoch":"e","heartbeat":20000,"maxFrame":8388608,"#
                    + #""deflate":false}"#
            ),
            ServerSample(.ping, #"{"op":"ping"}"#),
            ServerSample(.pong, #"{"op":"pong"}"#),
            ServerSample(
                .refused(nil, refusal),
                #"{"op":"refused","error":{"code":"bad-message","message":"m"}}"#
            ),
            ServerSample(
                .refused(RequestID(-3), conflict),
                #"{"op":"refused","id":-3,"error":{"code":"conflict","message":"m"},"rev":4,"value":1.0,"index":2}"#
            ),
            Self.reply(.done, to: .ping, #"{"op":"reply","id":1}"#),
        ]
    }

    private static func bindingReplies() throws -> [ServerSample] {
        let bind = Request.bind(Bind(channel: try ChannelName("c")))
        let bare = Bound(
            terminal: TerminalID(3),
            revision: .never,
            state: .open,
            mode: .shared,
            lastApplied: .none,
            value: nil,
            cause: nil
        )
        let full = Bound(
            terminal: TerminalID(3),
            was: TerminalID(1),
            revision: Revision(5),
            state: .failed,
            mode: .paired,
            lastApplied: SendNumber(8),
            value: try JSONText("[ ]"),
            cause: Revision(4)
        )
        return [
            Self.reply(
                .bound(bare),
                to: bind,
                #"{"op":"reply","id":1,"t":3,"rev":0,"state":"open","mode":"shared","n":0}"#
            ),
            Self.reply(
                .bound(full),
                to: bind,
                #"{"op":"reply","id":1,"t":3,"was":1,"rev":5,"state":"failed","mode":"paired","n":8,"value":[ ],"cause":4}"#
            ),
            Self.reply(.done, to: .unbind(TerminalID(3)), #"{"op":"reply","id":1}"#),
        ]
    }

    private static func readingReplies() throws -> [ServerSample] {
        let channel = try ChannelName("c")
        let bare = Got(
            revision: .never,
            state: .completed,
            mode: .shared,
            value: nil,
            cause: nil,
            wish: nil,
            wishRevision: nil,
            changedAt: 0
        )
        let full = Got(
            revision: Revision(5),
            state: .failed(WireError(code: "c", message: "m", data: .null)),
            mode: .paired,
            value: .null,
            cause: Revision(2),
            wish: try JSONText("2"),
            wishRevision: Revision(6),
            changedAt: 1_700_000_000_000
        )
        var entry = Listed.Entry(
            channel: channel,
            revision: Revision(1),
            state: .completed,
            mode: .paired,
            bound: 3,
            changes: 8,
            slow: 0
        )
        let quick = entry
        entry.slow = 2
        return [
            Self.reply(
                .got(bare),
                to: .get(channel),
                #"{"op":"reply","id":1,"rev":0,"state":"completed","mode":"shared","at":0}"#
            ),
            Self.reply(
                .got(full),
                to: .get(channel),
                #"{"op":"reply","id":1,"rev":5,"state":"failed","mode":"paired","value":null,"cause":2,"wish":2,"wishRev":6,"#
                    + #""error":{"code":"c","message":"m","data":null},"at":1700000000000}"#
            ),
            Self.reply(
                .listed(Listed(channels: [], more: false)),
                to: .list(List()),
                #"{"op":"reply","id":1,"channels":[],"more":false}"#
            ),
            Self.reply(
                .listed(Listed(channels: [quick, entry], more: true)),
                to: .list(List()),
                #"{"op":"reply","id":1,"channels":[{"channel":"c","rev":1,"state":"completed","mode":"paired","bound":3,"changes":8},"#
                    + #"{"channel":"c","rev":1,"state":"completed","mode":"paired","bound":3,"changes":8,"slow":2}],"more":true}"#
            ),
            Self.reply(
                .who(Who(entries: [], more: false)),
                to: .who(AskWho(channel: channel)),
                #"{"op":"reply","id":1,"who":[],"more":false}"#
            ),
            Self.reply(
                .who(Who(entries: Self.binders, more: true)),
                to: .who(AskWho(channel: channel)),
                #"{"op":"reply","id":1,"who":[{"connection":1,"role":"leading","conflate":false},"#
                    + #"{"connection":2,"agent":"a/1","role":"following","conflate":true,"slow":true},"#
                    + #"{"connection":3,"role":"following","interval":100}],"more":true}"#
            ),
            Self.reply(
                .connections(ListedConnections(entries: Self.connections, more: true)),
                to: .who(AskWho(channel: nil)),
                #"{"op":"reply","id":1,"who":[{"connection":1,"name":"hall","agent":"a/1","peer":"[::1]:9","via":"tls","since":5,"#
                    + #""bound":2},{"connection":2,"peer":"unix","pid":71,"uid":0,"via":"unix","bound":0},"#
                    + #"{"connection":3,"peer":"unix","bound":0}],"more":true}"#
            ),
        ]
    }

    private static let connections = [
        ListedConnections.Entry(
            client: ConnectedClient(
                connection: 1,
                name: "hall",
                agent: "a/1",
                peer: .tcp("[::1]:9"),
                transport: .tls,
                since: 5
            ),
            bound: 2
        ),
        ListedConnections.Entry(
            client: ConnectedClient(connection: 2, peer: .unix(process: 71, user: 0), transport: .unix),
            bound: 0
        ),
        ListedConnections.Entry(
            client: ConnectedClient(connection: 3, peer: .unix(process: nil, user: nil)),
            bound: 0
        ),
    ]

    private static let binders = [
        Who.Entry(client: ConnectedClient(connection: 1), role: .leading, delivery: .every, isSlow: false),
        Who.Entry(
            client: ConnectedClient(connection: 2, agent: "a/1"),
            role: .following,
            delivery: .newest,
            isSlow: true
        ),
        Who.Entry(
            client: ConnectedClient(connection: 3),
            role: .following,
            delivery: .paced(interval: 100),
            isSlow: false
        ),
    ]

    private static func writingReplies() throws -> [ServerSample] {
        let channel = try ChannelName("c")
        let written: [Request] = [
            .set(SetValue(channel: channel, value: .null)),
            .finish(Finish(channel: channel, end: .completed)),
            .reopen(ChannelOrder(channel: channel)),
            .delete(ChannelOrder(channel: channel)),
            .create(Create(channel: channel)),
        ]
        let put = Request.put(Put(entries: [Put.Entry(channel: channel, value: .null)]))
        return written.map { Self.reply(.revision(Revision(5)), to: $0, #"{"op":"reply","id":1,"rev":5}"#) }
            + [
                Self.reply(
                    .revisions([Revision(5), Revision(UInt64(Int64.max))]),
                    to: put,
                    #"{"op":"reply","id":1,"revs":[5,9223372036854775807]}"#
                )
            ]
    }

    private static func events() throws -> [ServerSample] {
        let terminal = TerminalID(3)
        let error = WireError(code: "c", message: "m", data: try JSONText("[1]"))
        let value = try JSONText("1e2")
        let own = Valuation(value: value, revision: Revision(9), cause: nil)
        let linked = Valuation(value: value, revision: Revision(9), cause: Revision(8))
        let terminated = Refusal(WireError(.terminated, "m"), standing: own)
        let beaten = Refusal(WireError(.conflict, "m"), standing: linked)
        return [
            ServerSample(.next(terminal, own), #"{"op":"next","t":3,"rev":9,"value":1e2}"#),
            ServerSample(.next(terminal, linked), #"{"op":"next","t":3,"rev":9,"cause":8,"value":1e2}"#),
            ServerSample(.ended(terminal, .completed, Revision(9)), #"{"op":"completed","t":3,"rev":9}"#),
            ServerSample(.deleted(terminal, Revision(9)), #"{"op":"completed","t":3,"rev":9,"deleted":true}"#),
            ServerSample(
                .ended(terminal, .failed(error), Revision(9)),
                #"{"op":"error","t":3,"rev":9,"error":{"code":"c","message":"m","data":[1]}}"#
            ),
            ServerSample(
                .ended(terminal, .failed(WireError(.slowConsumer, "m")), nil),
                #"{"op":"error","t":3,"error":{"code":"slow-consumer","message":"m"}}"#
            ),
            ServerSample(.ack(terminal, SendNumber(2), Revision(9)), #"{"op":"ack","t":3,"n":2,"rev":9}"#),
            ServerSample(
                .unchanged(terminal, SendNumber(2), own),
                #"{"op":"ack","t":3,"n":2,"rev":9,"value":1e2}"#
            ),
            ServerSample(
                .unchanged(terminal, SendNumber(2), linked),
                #"{"op":"ack","t":3,"n":2,"rev":9,"cause":8,"value":1e2}"#
            ),
            ServerSample(
                .nak(terminal, SendNumber(2), terminated),
                #"{"op":"nak","t":3,"n":2,"error":{"code":"terminated","message":"m"},"rev":9,"value":1e2}"#
            ),
            ServerSample(
                .nak(terminal, SendNumber(2), beaten),
                #"{"op":"nak","t":3,"n":2,"error":{"code":"conflict","message":"m"},"rev":9,"cause":8,"value":1e2}"#
            ),
            ServerSample(
                .nak(terminal, SendNumber(2), Refusal(unstored: WireError(.storage, "m"))),
                #"{"op":"nak","t":3,"n":2,"error":{"code":"storage","message":"m"},"applied":true}"#
            ),
            ServerSample(
                .nak(terminal, SendNumber(2), Refusal(WireError(.notBound, "m"))),
                #"{"op":"nak","t":3,"n":2,"error":{"code":"not-bound","message":"m"}}"#
            ),
        ]
    }

    private static func commands() throws -> [ServerSample] {
        let save = try CommandName("save")
        let (command, execution) = (CommandID(4), ExecutionID(9))
        let error = WireError(code: "c", message: "m", data: try JSONText("[1]"))
        let state = CommandState(isEnabled: false, isExecuting: true)
        let bare = Execute(command: command, execution: execution, input: nil)
        let full = Execute(command: command, execution: execution, input: try JSONText("[1, 2.0]"))
        return [
            Self.reply(.hosting(command), to: .host(HostCommand(command: save)), #"{"op":"reply","id":1,"c":4}"#),
            Self.reply(.done, to: .unhost(command), #"{"op":"reply","id":1}"#),
            Self.reply(.executing(execution), to: .exec(Exec(command: save)), #"{"op":"reply","id":1,"x":9}"#),
            Self.reply(
                .observing(command, state),
                to: .observe(save),
                #"{"op":"reply","id":1,"c":4,"enabled":false,"executing":true}"#
            ),
            Self.reply(.done, to: .unobserve(command), #"{"op":"reply","id":1}"#),
            Self.reply(.done, to: .forget(save), #"{"op":"reply","id":1}"#),
            try Self.listedCommands(state),
            ServerSample(.execute(bare), #"{"op":"execute","c":4,"x":9}"#),
            ServerSample(.execute(full), #"{"op":"execute","c":4,"x":9,"input":[1, 2.0]}"#),
            ServerSample(.progress(execution, .next(.null)), #"{"op":"next","x":9,"value":null}"#),
            ServerSample(.progress(execution, .ended(.completed)), #"{"op":"completed","x":9}"#),
            ServerSample(
                .progress(execution, .ended(.failed(error))),
                #"{"op":"error","x":9,"error":{"code":"c","message":"m","data":[1]}}"#
            ),
            ServerSample(.cancel(execution), #"{"op":"cancel","x":9}"#),
            ServerSample(.state(command, state), #"{"op":"state","c":4,"enabled":false,"executing":true}"#),
            ServerSample(
                .failed(command, execution, error),
                #"{"op":"error","c":4,"x":9,"error":{"code":"c","message":"m","data":[1]}}"#
            ),
            ServerSample(
                .unhosted(command, error),
                #"{"op":"unhosted","c":4,"error":{"code":"c","message":"m","data":[1]}}"#
            ),
        ]
    }

    private static func listedCommands(_ state: CommandState) throws -> ServerSample {
        let hosted = ListedCommands.Entry(
            command: try CommandName("a"),
            state: state,
            isConcurrent: true,
            observers: 2,
            executions: 3,
            host: ConnectedClient(connection: 5, agent: "a/1")
        )
        let unhosted = ListedCommands.Entry(
            command: try CommandName("b"),
            state: CommandState(isEnabled: false, isExecuting: false),
            isConcurrent: false,
            observers: 0,
            executions: 0,
            host: nil
        )
        return Self.reply(
            .commands(ListedCommands(commands: [hosted, unhosted], more: false)),
            to: .commands(List()),
            #"{"op":"reply","id":1,"commands":[{"command":"a","enabled":false,"executing":true,"concurrent":true,"#
                + #""observers":2,"executions":3,"connection":5,"agent":"a/1"},"#
                + #"{"command":"b","enabled":false,"executing":false,"observers":0,"executions":0}],"more":false}"#
        )
    }

    private static func watches() throws -> [ServerSample] {
        let error = WireError(code: "c", message: "m")
        func changed(_ state: ChannelState?, _ value: JSONText?) throws -> ServerMessage {
            .changed(
                Changed(
                    watch: WatchID(2),
                    channel: try ChannelName("c"),
                    revision: Revision(9),
                    state: state,
                    value: value
                )
            )
        }
        return [
            Self.reply(.watching(WatchID(2)), to: .watch(.all), #"{"op":"reply","id":1,"w":2}"#),
            Self.reply(.done, to: .unwatch(WatchID(2)), #"{"op":"reply","id":1}"#),
            ServerSample(
                try changed(.open, .null),
                #"{"op":"changed","w":2,"channel":"c","rev":9,"state":"open","value":null}"#
            ),
            ServerSample(
                try changed(.failed(error), nil),
                #"{"op":"changed","w":2,"channel":"c","rev":9,"state":"failed","error":{"code":"c","message":"m"}}"#
            ),
            ServerSample(
                .changed(
                    Changed(
                        watch: WatchID(2),
                        channel: try ChannelName("c"),
                        revision: Revision(9),
                        state: .open,
                        value: nil,
                        wish: try JSONText("[1, 2.0]"),
                        wishRevision: Revision(8)
                    )
                ),
                #"{"op":"changed","w":2,"channel":"c","rev":9,"state":"open","wish":[1, 2.0],"wishRev":8}"#
            ),
            ServerSample(try changed(nil, nil), #"{"op":"changed","w":2,"channel":"c","rev":9,"state":"deleted"}"#),
            ServerSample(.synced(WatchID(2)), #"{"op":"synced","w":2}"#),
        ]
    }
}
