package import RacProtocol

/// How a terminal ended for this client.
package struct TerminalEnd: Hashable, Sendable {
    package var end: ChannelEnd
    /// The end's revision; nil if this binding alone ended and the channel did not.
    package var revision: Revision?

    package init(_ end: ChannelEnd, revision: Revision?) {
        self.end = end
        self.revision = revision
    }
}
