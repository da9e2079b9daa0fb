package import RacProtocol

/// The wills of a lost client that were applied, for the log.
package struct AppliedWills: Sendable {
    package let count: Int
    package let client: ConnectedClient
}
