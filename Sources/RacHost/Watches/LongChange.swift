import RacProtocol

/// The last frame of a long value, which several watches of a pattern may take.
///
/// Guarded by the host's isolation.
final class LongChange {
    private var frame: FrameBytes?
    private var watch = WatchID(0)
    private var revision = Revision.never
    private var isUsed = false

    func frame(of record: ChannelRecord, _ watch: WatchID) -> FrameBytes {
        self.isUsed = true
        if let frame, self.watch == watch, self.revision == record.revision { return frame }
        let frame = FrameBytes(.changed(Changed(record, watch: watch)))
        (self.frame, self.watch, self.revision) = (frame, watch, record.revision)
        return frame
    }

    /// Forgets a frame that no watch has taken in this tick.
    func endTick() {
        if !self.isUsed { self.frame = nil }
        self.isUsed = false
    }
}
