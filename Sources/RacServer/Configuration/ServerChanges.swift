package import RacAccess

/// The handle by which the reader of the configuration changes a running daemon.
///
/// The daemon applies the newest change; those before it that it has not seen are dropped.
package final class ServerChanges: Sendable {
    /// The settings that a running daemon can change; all of them hold together.
    package struct Change: Sendable {
        /// The rules of a closed daemon; nil for an open one.
        package let access: AccessPolicy?
        /// The limit of connections at a time.
        ///
        /// Connections above a lower limit stay.
        package let maximumConnections: Int
        /// The files of addresses with TLS; those of other addresses stay.
        package let tls: [ListenAddress: TLSListener]

        package init(
            access: AccessPolicy?,
            maximumConnections: Int,
            tls: [ListenAddress: TLSListener] = [:]
        ) {
            self.access = access
            self.maximumConnections = maximumConnections
            self.tls = tls
        }
    }

    /// The changes, for one daemon.
    package let stream: AsyncStream<Change>
    private let continuation: AsyncStream<Change>.Continuation

    /// Asks each time for certificates to be read again at once.
    package let renewals: AsyncStream<Void>
    private let renewal: AsyncStream<Void>.Continuation

    package init() {
        (self.stream, self.continuation) = AsyncStream.makeStream(bufferingPolicy: .bufferingNewest(1))
        (self.renewals, self.renewal) = AsyncStream.makeStream(bufferingPolicy: .bufferingNewest(1))
    }

    /// Asks the daemon to read its certificates again.
    package func renewCertificates() {
        self.renewal.yield()
    }

    package func apply(_ change: Change) {
        self.continuation.yield(change)
    }
}
