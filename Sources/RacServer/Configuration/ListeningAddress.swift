/// An address of the configuration on which a daemon listens, and the addresses of the machine for which it stands.
package struct ListeningAddress: Hashable, Sendable {
    /// The address as it is configured, with a real port.
    package let configured: ListenAddress
    /// The addresses of the machine: one, but for a name with several.
    package let places: [ListenAddress]
}
