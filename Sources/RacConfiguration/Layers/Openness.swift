import RacServer

/// The answer to whom a daemon serves.
///
/// Semantics: protocol.md, "Access".
package enum Openness: Hashable, Sendable {
    /// Everybody on this machine: no access is configured, and others cannot reach the addresses.
    case openHere
    /// Everybody who reaches it: no access is configured, and `insecure` allows that.
    case openByDecision
    /// Principals. `isExposed` says that tokens may travel in clear text, which `insecure` allows.
    case closed(isExposed: Bool)
}

extension Configuration {
    /// The addresses through which others may speak in clear text.
    package var exposed: [ListenerSetting] { self.listeners.filter(\.isExposed) }

    /// Whom the daemon serves.
    ///
    /// - Throws: ``ConfigurationError`` or ``ConfigurationFault``: an address that others can reach, without TLS or without
    ///   principals.
    package func openness() throws -> Openness {
        try self.openness(of: self.access, at: self.listeners)
    }

    /// Whom the daemon serves with the addresses of another configuration, which it keeps until it ends.
    func openness(of access: AccessSettings, at listeners: [ListenerSetting]) throws -> Openness {
        let reachable = listeners.first { access.isClosed ? $0.isExposed : $0.isOpen }
        guard let reachable, !self.isInsecure else {
            if access.isClosed { return .closed(isExposed: reachable != nil) }
            return reachable == nil ? .openHere : .openByDecision
        }
        throw self.refusal(of: reachable, isClosed: access.isClosed)
    }

    /// The reason not to listen on an address, with its line and the keys that help if the file has it.
    private func refusal(of listener: ListenerSetting, isClosed: Bool) -> any Error {
        let number = self.fileListeners?.firstIndex { $0.address == listener.address }
        let way = number == nil ? "say --insecure" : "set 'insecure = true'"
        let message =
            isClosed
            ? "\(listener.address.text) can be reached from other machines and has no TLS, so tokens would travel in clear text: "
                + "listen on 127.0.0.1, give the listener a certificate, or \(way)"
            : "\(listener.address.text) can be reached from other machines and racd asks nobody who they are: "
                + "listen on 127.0.0.1, configure principals, or \(way)"
        guard let file, let number else { return ConfigurationFault(message) }
        return file.error(message, of: [SettingKey.listen.rawValue, "\(number)", "address"])
    }
}
