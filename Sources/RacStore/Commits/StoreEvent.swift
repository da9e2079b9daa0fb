package import RacProtocol

/// An event that the store reports to its owner.
package enum StoreEvent: Equatable, Sendable {
    /// Every batch up to this ticket is stored with the durability that the store was opened with.
    case committed(through: UInt64)
    /// The batches up to this ticket could not be written; the store keeps them and tries again, with later ones.
    ///
    /// The store reports another failure only if its reason or its ticket is new.
    case failing(String, through: UInt64)
    /// The failing batches are written; their `committed` follows.
    case recovered
    /// The host may give out revisions up to this one; the reservation is on the disk, whatever the durability.
    case reserved(through: Revision)
}
