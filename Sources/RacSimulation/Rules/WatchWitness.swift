import RacProtocol

/// The changes that one watch of every channel has received.
struct WatchWitness {
    private struct Told {
        let revision: Revision
        let state: ChannelState?
        let value: JSONText?
        let wish: JSONText?
        let wishRevision: Revision?
    }

    private var told: [ChannelName: Told] = [:]
    private var isSynced = false

    /// The client was sent a change.
    ///
    /// Rules may hide a channel and show it again, and it is sent without a change then.
    mutating func heard(_ changed: Changed, _ name: String, isClosed: Bool) throws(Violation) {
        let before = self.told[changed.channel]
        let isTold =
            before.map { ($0.state == nil) == (changed.state == nil) && $0.revision == changed.revision } ?? false
        let isSame = isClosed && !isTold && changed.revision == before?.revision
        try hold(.watches, isSame || changed.revision > before?.revision ?? .never) {
            "\(name) watched \(changed.channel) go from \(before?.revision ?? .never) to \(changed.revision)"
        }
        self.told[changed.channel] = Told(
            revision: changed.revision,
            state: changed.state,
            value: changed.value,
            wish: changed.wish,
            wishRevision: changed.wishRevision
        )
    }

    mutating func heardSynced(_ name: String) throws(Violation) {
        try hold(.watches, !self.isSynced, "\(name) was told twice that its watch has told everything")
        self.isSynced = true
    }

    /// The watch must have reported the present state of every channel that the client may read, and no other one.
    func checkRest(_ truth: Truth, _ name: String, mayRead: (ChannelName) -> Bool) throws(Violation) {
        try hold(.watches, self.isSynced, "\(name) was never told that its watch has told everything")
        for channel in truth.names {
            let told = self.told[channel].flatMap { $0.state == nil ? nil : $0 }
            let isReadable = mayRead(channel)
            let record = isReadable ? truth[channel] : nil
            let isRight =
                told?.revision == record?.revision && told?.state == record?.state
                && told?.value == record?.value?.value && told?.wish == record?.wish?.value
                && told?.wishRevision == record?.wish?.revision
            try hold(isReadable ? .watches : .judged, isRight) {
                "\(name) watched \(channel) come to \(told.map { "\($0.revision)" } ?? "nothing"), "
                    + "it is at \(record.map { "\($0.revision)" } ?? "nothing")"
            }
        }
    }
}
