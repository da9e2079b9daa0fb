import ArgumentParser
import RacServer

/// The options of `racd serve` for the TLS of all addresses that have it.
struct TLSOptions: ParsableArguments {
    /// The certificates that clients have to show.
    enum Clients: String, ExpressibleByArgument, CaseIterable {
        case optional
        case required
    }

    @Option(
        help: ArgumentHelp(
            "racd's certificate for tls: addresses, a PEM file with those that lead to its CA behind it.",
            valueName: "file"
        )
    )
    var tlsCert: String?

    @Option(help: ArgumentHelp("The private key of that certificate, a PEM file.", valueName: "file"))
    var tlsKey: String?

    @Option(
        help: ArgumentHelp(
            "The CA that signs the certificates of clients, a PEM file; clients are asked for one then.",
            valueName: "file"
        )
    )
    var tlsClientCa: String?

    @Option(
        help: ArgumentHelp(
            "Whether a client needs a certificate of that CA. (default: required)",
            valueName: "optional|required"
        )
    )
    var tlsClients: Clients?

    func validate() throws {
        guard (self.tlsCert == nil) == (self.tlsKey == nil) else {
            let missing = self.tlsCert == nil ? "--tls-cert" : "--tls-key"
            throw ValidationError("\(missing) is missing: a certificate and its key belong together")
        }
        guard self.tlsCert != nil || self.tlsClientCa == nil else {
            throw ValidationError("--tls-client-ca needs --tls-cert and --tls-key")
        }
        guard self.tlsClients == nil || self.tlsClientCa != nil else {
            throw ValidationError("--tls-clients needs --tls-client-ca")
        }
    }

    /// The certificates; nil if there are none.
    var listener: TLSListener? {
        guard let certificate = self.tlsCert, let key = self.tlsKey else { return nil }
        let clients: TLSListener.Clients =
            switch (self.tlsClientCa, self.tlsClients) {
            case (nil, _): .none
            case (let file?, .optional): .optional(authorityFile: file)
            case (let file?, .required), (let file?, nil): .required(authorityFile: file)
            }
        return TLSListener(certificateFile: certificate, keyFile: key, clients: clients)
    }

    static var variables: [OptionVariable] {
        ["tls-cert", "tls-key", "tls-client-ca", "tls-clients"].map { OptionVariable($0) }
    }
}
