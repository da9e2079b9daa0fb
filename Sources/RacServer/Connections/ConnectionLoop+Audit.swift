import Logging
import NIOCore
import RacAccess
import RacHost
import RacProtocol

// MARK: Audit lines

extension ConnectionLoop {
    /// Acts of a client were refused for want of permission: the log shows the first, and then their number.
    func audit(_ act: RefusedAct, count: Int = 1, others: Int = 0, of handler: ConnectionHandler) {
        let kind = AuditTrail.Kind(act: act, place: handler.place)
        guard let line = self.trail.note(kind, count: count, others: others, at: self.now) else { return }
        self.write(line, act.code == .unauthenticated ? handler.loggedWithCertificate : handler.logged)
    }

    /// Writes the lines of refusals that were repeated.
    func auditRepeats() {
        for line in self.trail.due(at: self.now) { self.write(line, ["peer": "\(line.kind?.place ?? "-")"]) }
    }

    /// A one-time code was made or used; the number of codes is bounded, so each has its lines.
    func auditCode(_ message: String, _ credentials: Credentials, of handler: ConnectionHandler) {
        let principal = self.principal(of: credentials) ?? "-"
        self.logger.audit(.code, "\(message)", handler.logged.merging(["principal": "\(principal)"]) { $1 })
    }

    private func write(_ line: AuditTrail.Line, _ metadata: Logger.Metadata) {
        var metadata = metadata
        if line.repeats > 0 { metadata["repeats"] = .stringConvertible(line.repeats) }
        if line.others > 0 { metadata["others"] = .stringConvertible(line.others) }
        guard let act = line.kind?.act else {
            return self.logger.audit(.forbidden, "more clients were refused than have a line", metadata)
        }
        metadata["principal"] = "\(act.principal?.text ?? "-")"
        switch act.act {
        case .hello: metadata["verb"] = "hello"
        case .use(let verb, let name):
            metadata["verb"] = "\(verb.rawValue)"
            metadata["name"] = name.map { "\($0)" }
        }
        let kind = act.code == .unauthenticated ? AuditKind.unauthenticated : .forbidden
        self.logger.audit(kind, "a client was refused", metadata)
    }
}

extension ConnectionHandler {
    /// The client's address without its port; the user of a Unix socket.
    var place: String {
        switch (self.context?.channel).flatMap(PeerAddress.init) {
        case .tcp(let address): String(address[..<(address.lastIndex(of: ":") ?? address.endIndex)])
        case .unix(_, let user): user.map { "user \($0)" } ?? "-"
        case nil: "-"
        }
    }
}
