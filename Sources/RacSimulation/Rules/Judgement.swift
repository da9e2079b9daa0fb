import RacProtocol

/// The verdict of the rules on a write, by the channel's state before it.
///
/// The rules are written here a second time, not taken from the daemon's code, so that one checks the other.
enum Judgement {
    /// The write is applied, unless the disk or a limit forbids it.
    case write
    /// The write is acknowledged with this revision and changes nothing.
    case stale(Revision)
    /// The write was applied before.
    case repeated
    case refuse(Rule, String)

    init(
        _ value: JSONText?,
        _ record: ChannelRecord?,
        from role: Role,
        condition: Revision?,
        cause: Revision?,
        newest: Revision
    ) {
        let present = record.flatMap { Shown($0).sent(by: role) }
        let revision = present?.revision ?? .never
        if let cause, cause == .never || cause > newest {
            self = .refuse(.links, "its cause \(cause) was never given out")
        } else if let record, record.state != .open {
            self = .refuse(.ends, "the channel had ended")
        } else if let condition, condition != revision {
            self = .refuse(.conditions, "it was to follow \(condition), not \(revision)")
        } else if let cause, let present, !present.givesWay(to: value, from: cause) {
            self = .stale(revision)
        } else {
            self = .write
        }
    }

    /// The write has changed the channel, so it must have been correct.
    func checkWritten(_ name: String) throws(Violation) {
        switch self {
        case .write: break
        case .stale(let revision):
            throw Violation(.links, "a write of \(name) was no newer than \(revision) and counted")
        case .repeated: throw Violation(.exactlyOnce, "a write of \(name) was applied a second time")
        case .refuse(let rule, let why): throw Violation(rule, "a write of \(name) was applied, but \(why)")
        }
    }
}

extension ObservedChange {
    /// Whether the change carries out this will.
    func carriesOut(_ will: Will) -> Bool {
        switch will {
        case .value(let value): self.news?.valuation.value == value
        case .end(let end): self.after?.state.end == end
        }
    }

    /// Whether the change carries out this send.
    func carriesOut(_ event: Send.Event) -> Bool {
        switch event {
        case .next(let value, _, let cause): self.news?.valuation.value == value && self.news?.valuation.cause == cause
        case .end(let end): self.after?.state.end == end && self.news == nil
        }
    }
}
