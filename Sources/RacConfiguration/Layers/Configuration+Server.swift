package import RacAccess
package import RacServer

extension Configuration {
    /// The configuration of the daemon.
    ///
    /// - Parameters:
    ///   - folder: The data folder; nil if the daemon keeps nothing.
    ///   - access: The policy of a closed daemon.
    /// - Returns: The configuration.
    package func server(folder: String?, access: AccessPolicy?) -> ServerConfiguration {
        let storage = folder.map { ServerConfiguration.Storage.folder($0, self.durability) } ?? .memory
        var configuration = ServerConfiguration(storage: storage)
        configuration.addresses = self.listeners.map(\.address)
        for listener in self.listeners { configuration.tls[listener.address] = listener.tls }
        configuration.socketRights = self.socketRights
        configuration.maximumFrameBytes = self.maxFrame
        configuration.maximumConnections = self.maxConnections
        configuration.threads = self.threads
        configuration.access = access
        configuration.web = self.web
        return configuration
    }
}
