package import RacProtocol

/// What the store tells its owner.
package enum StoreEvent: Equatable, Sendable {
    /// Every batch up to this ticket is stored, as durably as was asked for.
    case committed(through: UInt64)
    /// The batches up to this ticket could not be written: they are kept and tried again, with those that follow.
    ///
    /// It is told again only if it has something new to say.
    case failing(String, through: UInt64)
    /// What was failing is written; the `committed` follows.
    case recovered
    /// Revisions up to this one may be given out; that is on the disk, whatever the durability.
    case reserved(through: Revision)
}
