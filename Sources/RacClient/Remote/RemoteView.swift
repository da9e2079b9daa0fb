import RacProtocol

/// One user of a remote binding: shows the values that come, and hands over its writes.
///
/// Every call is on the client's event loop.
protocol RemoteView: AnyObject {
    /// Whether a view of a leading side gets the value from before it, too.
    var replays: Bool { get }
    /// Shows a value of another program or view; `revision` is nil while it has none.
    func show(_ value: JSONText, tag: ChangeTag, at revision: Revision?)
    /// The shown value has this revision, and began with that change, which may be newer than the one it was shown for.
    func stands(at revision: Revision, from root: Revision)
    /// The daemon is one of another epoch: the roots of before do not count.
    func forgetRoots()
    /// The daemon has reported how the channel is.
    func reported()
    /// Whether the terminal is bound at present.
    func becameLive(_ isLive: Bool)
    /// The daemon did not apply a write.
    func failed(_ error: ClientError)
    /// No value comes, and no write is taken any more.
    func ended(_ ending: Ending<ClientError>)
}
