import NIOCore
import RacProtocol
import Testing

/// A message beside its payload.
struct ClientSample: Sendable, CustomTestStringConvertible {
    let message: ClientMessage
    let payload: String

    init(_ message: ClientMessage, _ payload: String) {
        self.message = message
        self.payload = payload
    }

    init(_ id: Int64, _ request: Request, _ payload: String) {
        self.init(.request(RequestID(id), request), payload)
    }

    var testDescription: String { self.payload }
}

/// Every message of a client, bare and with all its optional parts.
enum ClientSamples {
    static func all() throws -> [ClientSample] {
        Self.connection + (try Self.bindings()) + (try Self.writes()) + (try Self.directory()) + (try Self.sends())
            + (try Self.commands()) + (try Self.commandEvents())
    }

    static let connection = [
        ClientSample(.hello(Hello()), #"{"op":"hello","version":1}"#),
        ClientSample(
            .hello(Hello(version: 2, agent: "a/1.0", name: "hall", token: "t\"", session: "ü", deflate: true)),
            #"{"op":"hello","version":2,"agent":"a/1.0","name":"hall","token":"t\"","session":"ü","deflate":true}"#
        ),
        ClientSample(.hello(Hello(version: -1)), #"{"op":"hello","version":-1}"#),
        ClientSample(.bye, #"{"op":"bye"}"#),
        ClientSample(.ping, #"{"op":"ping"}"#),
        ClientSample(.pong, #"{"op":"pong"}"#),
        ClientSample(.max, .ping, #"{"op":"ping","id":9223372036854775807}"#),
        ClientSample(.min, .ping, #"{"op":"ping","id":-9223372036854775808}"#),
    ]

    private static func bindings() throws -> [ClientSample] {
        let bare = Bind(channel: try ChannelName("a/b"))
        var full = bare
        full.role = .leading
        full.replay = true
        full.since = Revision(7)
        full.defaultValue = try JSONText("[1, 2.50]")
        full.conflate = false
        full.interval = Bind.maximumInterval
        full.will = .value(try JSONText("null"))
        full.was = TerminalID(9)
        var completing = bare
        completing.will = .end(.completed)
        var failing = bare
        failing.will = .end(.failed(WireError(code: "gone", message: "m", data: try JSONText("{}"))))
        return [
            ClientSample(1, .bind(bare), #"{"op":"bind","id":1,"channel":"a/b"}"#),
            ClientSample(
                2,
                .bind(full),
                #"{"op":"bind","id":2,"channel":"a/b","role":"leading","replay":true,"since":7,"default":[1, 2.50],"#
                    + #""conflate":false,"interval":86400000,"will":{"value":null},"was":9}"#
            ),
            ClientSample(3, .bind(completing), #"{"op":"bind","id":3,"channel":"a/b","will":{"completed":true}}"#),
            ClientSample(
                4,
                .bind(failing),
                #"{"op":"bind","id":4,"channel":"a/b","will":{"error":{"code":"gone","message":"m","data":{}}}}"#
            ),
            ClientSample(5, .unbind(TerminalID(9)), #"{"op":"unbind","id":5,"t":9}"#),
        ]
    }

    private static func writes() throws -> [ClientSample] {
        let channel = try ChannelName("c")
        let bareSet = SetValue(channel: channel, value: .null)
        var fullSet = SetValue(channel: channel, value: try JSONText("1.0"))
        fullSet.role = .leading
        fullSet.condition = Revision.never
        fullSet.cause = Revision(3)
        fullSet.sync = true
        let bareFinish = Finish(channel: channel, end: .completed)
        var fullFinish = Finish(channel: channel, end: .failed(WireError(code: "c", message: "")))
        fullFinish.sync = true
        var order = ChannelOrder(channel: channel)
        order.sync = true
        let bareCreate = Create(channel: channel)
        var fullCreate = bareCreate
        fullCreate.mode = .paired
        fullCreate.value = try JSONText("\"v\"")
        fullCreate.sync = true
        return [
            ClientSample(1, .set(bareSet), #"{"op":"set","id":1,"channel":"c","value":null}"#),
            ClientSample(
                2,
                .set(fullSet),
                #"{"op":"set","id":2,"channel":"c","role":"leading","if":0,"cause":3,"sync":true,"value":1.0}"#
            ),
            ClientSample(3, .finish(bareFinish), #"{"op":"finish","id":3,"channel":"c"}"#),
            ClientSample(
                4,
                .finish(fullFinish),
                #"{"op":"finish","id":4,"channel":"c","error":{"code":"c","message":""},"sync":true}"#
            ),
            ClientSample(5, .reopen(ChannelOrder(channel: channel)), #"{"op":"reopen","id":5,"channel":"c"}"#),
            ClientSample(6, .delete(order), #"{"op":"delete","id":6,"channel":"c","sync":true}"#),
            ClientSample(7, .create(bareCreate), #"{"op":"create","id":7,"channel":"c","mode":"shared"}"#),
            ClientSample(
                8,
                .create(fullCreate),
                #"{"op":"create","id":8,"channel":"c","mode":"paired","sync":true,"value":"v"}"#
            ),
        ]
    }

    private static func directory() throws -> [ClientSample] {
        let channel = try ChannelName("c")
        var put = Put(entries: [
            Put.Entry(channel: channel, value: .null),
            Put.Entry(channel: try ChannelName("d"), value: try JSONText("[[ ]]"), condition: Revision(4)),
            Put.Entry(channel: try ChannelName("e"), value: nil, condition: Revision.never),
        ])
        put.sync = true
        var list = List()
        list.pattern = try ChannelPattern("a/*")
        list.after = channel
        list.limit = 10
        var behind = AskWho(channel: channel)
        behind.after = 9
        return [
            ClientSample(1, .get(channel), #"{"op":"get","id":1,"channel":"c"}"#),
            ClientSample(
                2,
                .put(put),
                #"{"op":"put","id":2,"sync":true,"set":[{"channel":"c","value":null},{"channel":"d","if":4,"value":[[ ]]},"#
                    + #"{"channel":"e","if":0}]}"#
            ),
            ClientSample(3, .list(List()), #"{"op":"list","id":3,"pattern":"**"}"#),
            ClientSample(4, .list(list), #"{"op":"list","id":4,"pattern":"a/*","after":"c","limit":10}"#),
            ClientSample(7, .who(AskWho(channel: channel)), #"{"op":"who","id":7,"channel":"c"}"#),
            ClientSample(8, .who(behind), #"{"op":"who","id":8,"channel":"c","after":9}"#),
            ClientSample(
                9,
                .who(AskWho(channel: nil, after: 3, limit: 10)),
                #"{"op":"who","id":9,"after":3,"limit":10}"#
            ),
            ClientSample(10, .who(AskWho(channel: nil)), #"{"op":"who","id":10}"#),
            ClientSample(5, .watch(try ChannelPattern("**/x")), #"{"op":"watch","id":5,"pattern":"**/x"}"#),
            ClientSample(6, .unwatch(WatchID(2)), #"{"op":"unwatch","id":6,"w":2}"#),
        ]
    }

    private static func commands() throws -> [ClientSample] {
        let save = try CommandName("a/save")
        var full = HostCommand(command: save)
        full.isConcurrent = true
        full.isEnabled = false
        return [
            ClientSample(1, .host(HostCommand(command: save)), #"{"op":"host","id":1,"command":"a/save"}"#),
            ClientSample(
                2,
                .host(full),
                #"{"op":"host","id":2,"command":"a/save","concurrent":true,"enabled":false}"#
            ),
            ClientSample(3, .unhost(CommandID(4)), #"{"op":"unhost","id":3,"c":4}"#),
            ClientSample(4, .exec(Exec(command: save)), #"{"op":"exec","id":4,"command":"a/save"}"#),
            ClientSample(
                5,
                .exec(Exec(command: save, input: try JSONText("[1, 2.0]"))),
                #"{"op":"exec","id":5,"command":"a/save","input":[1, 2.0]}"#
            ),
            ClientSample(6, .observe(save), #"{"op":"observe","id":6,"command":"a/save"}"#),
            ClientSample(7, .unobserve(CommandID(4)), #"{"op":"unobserve","id":7,"c":4}"#),
            ClientSample(8, .commands(List()), #"{"op":"commands","id":8,"pattern":"**"}"#),
            ClientSample(9, .forget(save), #"{"op":"forget","id":9,"command":"a/save"}"#),
        ]
    }

    private static func commandEvents() throws -> [ClientSample] {
        let execution = ExecutionID(9)
        let error = WireError(code: "c", message: "m", data: .null)
        return [
            ClientSample(
                .progress(execution, .next(try JSONText("1.0"))),
                #"{"op":"next","x":9,"value":1.0}"#
            ),
            ClientSample(.progress(execution, .ended(.completed)), #"{"op":"completed","x":9}"#),
            ClientSample(
                .progress(execution, .ended(.failed(error))),
                #"{"op":"error","x":9,"error":{"code":"c","message":"m","data":null}}"#
            ),
            ClientSample(.cancel(execution), #"{"op":"cancel","x":9}"#),
            ClientSample(.enabled(CommandID(4), false), #"{"op":"enabled","c":4,"enabled":false}"#),
        ]
    }

    private static func sends() throws -> [ClientSample] {
        let value = try JSONText(#"{"a": 1}"#)
        let error = WireError(code: "c", message: "m", data: try JSONText("7"))
        func send(_ event: Send.Event, sync: Bool) -> ClientMessage {
            .send(Send(terminal: TerminalID(3), number: SendNumber(12), event: event, sync: sync))
        }
        return [
            ClientSample(
                send(.next(value, condition: nil, cause: nil), sync: false),
                #"{"op":"next","t":3,"n":12,"value":{"a": 1}}"#
            ),
            ClientSample(
                send(.next(value, condition: Revision(1), cause: Revision(2)), sync: true),
                #"{"op":"next","t":3,"n":12,"if":1,"cause":2,"sync":true,"value":{"a": 1}}"#
            ),
            ClientSample(send(.end(.completed), sync: false), #"{"op":"completed","t":3,"n":12}"#),
            ClientSample(send(.end(.completed), sync: true), #"{"op":"completed","t":3,"n":12,"sync":true}"#),
            ClientSample(
                send(.end(.failed(error)), sync: true),
                #"{"op":"error","t":3,"n":12,"sync":true,"error":{"code":"c","message":"m","data":7}}"#
            ),
        ]
    }
}
