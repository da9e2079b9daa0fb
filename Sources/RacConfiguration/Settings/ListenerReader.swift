package import RacServer

/// Reads a table `[[listen]]`.
struct ListenerReader {
    private let folder: FilePlace

    init(in folder: FilePlace) {
        self.folder = folder
    }

    func read(_ table: TableReader) -> ListenerSetting? {
        var table = table
        table.require("address")
        let address = table.string("address", as: ListenerSetting.address)
        let tls = self.tls(&table, address)
        table.end()
        return address.map { ListenerSetting($0, tls: tls) }
    }

    private func tls(_ table: inout TableReader, _ address: ListenAddress?) -> TLSSetting? {
        let written = table.word("tls", of: TLSSetting.Mode.self)
        let certificate = table.string("certificate", as: self.folder.path)
        let key = table.string("key", as: self.folder.path)
        let authority = table.string("client-ca", as: self.folder.path)
        let clients = table.word("clients", of: TLSSetting.Clients.self)
        let others = ["certificate", "key", "client-ca", "clients"].filter(table.has)
        guard written != nil || !table.has("tls") else { return nil }
        let mode = written ?? (others.isEmpty ? .off : .required)
        guard mode != .off else {
            for key in others {
                table.fault("the listener has no TLS: set tls = \"required\", or leave the key out", of: key)
            }
            return nil
        }
        if mode == .either, address?.isLocal == false {
            table.fault("others can reach the address, so their tokens need TLS: set \"required\"", of: "tls")
        }
        for key in ["certificate", "key"] { table.require(key) }
        if clients ?? .none != .none, authority == nil, !table.has("client-ca") {
            table.fault("client certificates need the key 'client-ca', a file of those who sign them", of: "clients")
        }
        guard let certificate, let key else { return nil }
        return TLSSetting(
            isOptional: mode == .either,
            certificate: certificate,
            key: key,
            clientAuthority: authority,
            clients: clients ?? (authority == nil ? .none : .required)
        )
    }
}

extension ListenerSetting {
    /// Reads an address, and throws a line that says what is missing.
    ///
    /// A port alone is refused: some programs take it for this machine, and some for all of them.
    package static func address(_ text: String) throws(ConfigurationFault) -> ListenAddress {
        if let address = ListenAddress(text) { return address }
        let port = text.hasPrefix(":") ? text.dropFirst() : text[...]
        guard UInt16(port) != nil else { throw ConfigurationFault("an address is HOST:PORT or unix:PATH") }
        throw ConfigurationFault("the host is missing: 127.0.0.1:\(port) is for programs of this machine")
    }
}
