import RacProtocol

/// What became of a wanted change.
enum ChangeOutcome {
    case applied(Revision)
    /// It came too late to count: acknowledged with what the channel has.
    case unchanged(Valuation)
    case refused(Refusal)
}
