import RacProtocol

/// The outcome of a client's change.
enum ChangeOutcome {
    case applied(Revision)
    /// The change came too late and is acknowledged with the present valuation.
    case unchanged(Valuation)
    case refused(Refusal)
}
