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
        let address = table.string("address", as: ListenerSetting.plainAddress).map(self.placed)
        let tls = self.tls(&table, address)
        table.end()
        guard let address, let tls else { return address.map { ListenerSetting($0) } }
        return ListenerSetting(address.withTLS(isRequired: tls.isRequired), tls: tls.files)
    }

    /// The path of a Unix socket begins in the folder of the file, as all paths do.
    private func placed(_ address: ListenAddress) -> ListenAddress {
        guard case .unix(let path) = address else { return address }
        return .unix(path: self.folder.path(path))
    }

    private func tls(_ table: inout TableReader, _ address: ListenAddress?) -> (files: TLSListener, isRequired: Bool)? {
        let written = table.word("tls", of: ListenerSetting.TLSMode.self)
        let certificate = table.string("certificate", as: self.folder.path)
        let key = table.string("key", as: self.folder.path)
        let authority = table.string("client-ca", as: self.folder.path)
        let clients = table.word("clients", of: ListenerSetting.Clients.self)
        let others = ["certificate", "key", "client-ca", "clients"].filter(table.has)
        guard written != nil || !table.has("tls") else { return nil }
        let mode = written ?? (others.isEmpty ? .off : .required)
        if mode != .off, address.map({ $0.place == nil }) ?? false {
            let help = "its mode and group say who reaches it; leave the key out"
            for key in (written == nil ? [] : ["tls"]) + others {
                table.fault("a Unix socket has no TLS: \(help)", of: key)
            }
            return nil
        }
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
        if clients == ListenerSetting.Clients.none, authority != nil {
            let fault = "clients = \"none\" asks nobody for a certificate"
            table.fault("\(fault): leave one of the two keys out", of: "client-ca")
        }
        if mode == .either, authority != nil, clients ?? .required == .required {
            let help = "set tls = \"required\" or clients = \"optional\""
            let key = clients == nil ? "client-ca" : "clients"
            table.fault("clients without TLS show no certificate: \(help)", of: key)
        }
        guard let certificate, let key else { return nil }
        let asked: TLSListener.Clients =
            switch (clients, authority) {
            case (.some(.none), _), (_, nil): .none
            case (.optional, let file?): .optional(authorityFile: file)
            case (.required, let file?), (nil, let file?): .required(authorityFile: file)
            }
        return (TLSListener(certificateFile: certificate, keyFile: key, clients: asked), mode == .required)
    }
}

extension ListenerSetting {
    /// Reads an address, and throws a line that says what is missing.
    ///
    /// A port alone is refused: some programs take it for this machine, and some for all of them.
    package static func address(_ text: String) throws(ConfigurationFault) -> ListenAddress {
        try Self.address(text, forms: "HOST:PORT, tls:HOST:PORT, either:HOST:PORT or unix:PATH")
    }

    private static func address(_ text: String, forms: String) throws(ConfigurationFault) -> ListenAddress {
        let word = ["tls:", "either:"].first { text.hasPrefix($0) } ?? ""
        let place = text.dropFirst(word.count)
        let port = place.hasPrefix(":") ? place.dropFirst() : place
        guard UInt16(port) == nil else {
            throw ConfigurationFault("the host is missing: \(word)127.0.0.1:\(port) is for programs of this machine")
        }
        if let address = ListenAddress(text) { return address }
        let last = text.split(separator: ":").last ?? ""
        guard UInt16(last) != nil || UInt64(last) == nil else {
            throw ConfigurationFault("a port is 0 to 65535, not \(last)")
        }
        throw ConfigurationFault("an address is \(forms)")
    }

    /// Reads the address of a table `[[listen]]`, whose key `tls` says whether it has TLS.
    static func plainAddress(_ text: String) throws(ConfigurationFault) -> ListenAddress {
        guard let address = ListenAddress(text) else { return try Self.address(text, forms: "HOST:PORT or unix:PATH") }
        guard !address.hasTLS else {
            throw ConfigurationFault("the key 'tls' says whether an address has TLS: write '\(address.text)'")
        }
        guard !text.hasPrefix("rac://") || text == "\(address)" else {
            throw ConfigurationFault("rac:// is for clients: write '\(address.text)'")
        }
        return try Self.address(text)
    }
}
