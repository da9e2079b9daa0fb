/// A question or an order of a client, which has exactly one answer.
///
/// A new request begins with a case here and one in `Operation`; the compiler then names every place that has to know it.
package enum Request: Hashable, Sendable {
    case ping
    case bind(Bind)
    case unbind(TerminalID)
    case get(ChannelName)
    case set(SetValue)
    case finish(Finish)
    case reopen(ChannelOrder)
    case delete(ChannelOrder)
    case create(Create)
    case put(Put)
    case list(List)
    case commands(List)
    case who(AskWho)
    case watch(ChannelPattern)
    case unwatch(WatchID)
    case host(HostCommand)
    case unhost(CommandID)
    case exec(Exec)
    case observe(CommandName)
    case unobserve(CommandID)
    case forget(CommandName)

    /// The words of the requests, as they stand in messages.
    enum Operation: UInt8, CaseIterable {
        case ping, bind, unbind, get, set, finish, reopen, delete, create, put, list, who, watch, unwatch
        case commands, host, unhost, exec, observe, unobserve, forget

        private static let words = Self.allCases.map { ShortName(word: $0.text) }

        var text: String { String(describing: self) }

        var word: ShortName { Self.words[Int(self.rawValue)] }
    }

    private var operation: Operation {
        switch self {
        case .ping: .ping
        case .bind: .bind
        case .unbind: .unbind
        case .get: .get
        case .set: .set
        case .finish: .finish
        case .reopen: .reopen
        case .delete: .delete
        case .create: .create
        case .put: .put
        case .list: .list
        case .commands: .commands
        case .who: .who
        case .watch: .watch
        case .unwatch: .unwatch
        case .host: .host
        case .unhost: .unhost
        case .exec: .exec
        case .observe: .observe
        case .unobserve: .unobserve
        case .forget: .forget
        }
    }
}

extension Request {
    init(_ operation: Operation, _ envelope: borrowing Envelope) throws(MessageError) {
        switch operation {
        case .ping: self = .ping
        case .bind: self = .bind(try Bind(envelope))
        case .unbind: self = .unbind(try envelope.terminal())
        case .get: self = .get(try envelope.channel())
        case .set: self = .set(try SetValue(envelope))
        case .finish: self = .finish(try Finish(envelope))
        case .reopen: self = .reopen(try ChannelOrder(envelope))
        case .delete: self = .delete(try ChannelOrder(envelope))
        case .create: self = .create(try Create(envelope))
        case .put: self = .put(try Put(envelope))
        case .list: self = .list(try List(envelope))
        case .commands: self = .commands(try List(envelope))
        case .who: self = .who(try AskWho(envelope))
        case .watch: self = .watch(try envelope.requiredPattern())
        case .unwatch: self = .unwatch(WatchID(try envelope.requiredCount(.w)))
        case .host: self = .host(try HostCommand(envelope))
        case .unhost: self = .unhost(try envelope.commandID())
        case .exec: self = .exec(try Exec(envelope))
        case .observe: self = .observe(try envelope.command())
        case .unobserve: self = .unobserve(try envelope.commandID())
        case .forget: self = .forget(try envelope.command())
        }
    }

    func write(_ id: RequestID, to object: inout ObjectWriter) {
        object.write(operation: self.operation.word)
        object.write(.id, id.number)
        switch self {
        case .ping: break
        case .bind(let bind): bind.write(to: &object)
        case .unbind(let terminal): object.write(terminal)
        case .get(let channel): object.write(channel)
        case .who(let who): who.write(to: &object)
        case .set(let set): set.write(to: &object)
        case .finish(let finish): finish.write(to: &object)
        case .reopen(let order), .delete(let order): order.write(to: &object)
        case .create(let create): create.write(to: &object)
        case .put(let put): put.write(to: &object)
        case .list(let list), .commands(let list): list.write(to: &object)
        case .watch(let pattern): object.write(.pattern, pattern.text)
        case .unwatch(let watch): object.write(.w, watch.number)
        case .host(let host): host.write(to: &object)
        case .unhost(let command), .unobserve(let command): object.write(command)
        case .exec(let exec): exec.write(to: &object)
        case .observe(let command), .forget(let command): object.write(.command, command.text)
        }
    }
}
