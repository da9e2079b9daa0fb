/// The content of the answer to a request.
package enum Reply: Hashable, Sendable {
    case done
    case bound(Bound)
    case got(Got)
    case revision(Revision)
    case revisions([Revision])
    case listed(Listed)
    case commands(ListedCommands)
    case who(Who)
    case connections(ListedConnections)
    case watching(WatchID)
    case hosting(CommandID)
    case executing(ExecutionID)
    case observing(CommandID, CommandState)
}

extension Reply {
    /// The content as an object of its own.
    package var object: SplitText { SplitText(object: self.writeContent) }

    func write(_ id: RequestID, to object: inout ObjectWriter) {
        object.write(operation: "reply")
        object.write(.id, id.number)
        self.writeContent(to: &object)
    }

    private func writeContent(to object: inout ObjectWriter) {
        switch self {
        case .done: break
        case .bound(let bound): bound.write(to: &object)
        case .got(let got): got.write(to: &object)
        case .revision(let revision): object.write(.rev, revision)
        case .revisions(let revisions):
            object.write(.revs, array: revisions) { $1.writeDecimal($0.number) }
        case .listed(let listed): listed.write(to: &object)
        case .commands(let listed): listed.write(to: &object)
        case .who(let who): who.write(to: &object)
        case .connections(let listed): listed.write(to: &object)
        case .watching(let watch): object.write(.w, watch.number)
        case .hosting(let command): object.write(command)
        case .executing(let execution): object.write(execution)
        case .observing(let command, let state):
            object.write(command)
            state.write(to: &object)
        }
    }

    /// Reads the reply, whose content depends on its request.
    init(to request: Request, _ envelope: borrowing Envelope) throws(MessageError) {
        switch request {
        case .ping, .unbind, .unwatch, .unhost, .unobserve, .forget: self = .done
        case .bind: self = .bound(try Bound(envelope))
        case .get: self = .got(try Got(envelope))
        case .set, .finish, .reopen, .delete, .create: self = .revision(try envelope.requiredRevision(.rev))
        case .put: self = .revisions(try envelope.requiredCounts(.revs).map(Revision.init(_:)))
        case .list: self = .listed(try Listed(envelope))
        case .commands: self = .commands(try ListedCommands(envelope))
        case .who(let ask) where ask.channel == nil: self = .connections(try ListedConnections(envelope))
        case .who: self = .who(try Who(envelope))
        case .watch: self = .watching(WatchID(try envelope.requiredCount(.w)))
        case .host: self = .hosting(try envelope.commandID())
        case .exec: self = .executing(try envelope.execution())
        case .observe: self = .observing(try envelope.commandID(), try CommandState(envelope))
        }
    }
}
