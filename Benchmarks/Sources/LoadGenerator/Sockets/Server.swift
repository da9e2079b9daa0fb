/// What kind of server listens where.
package struct Server: Sendable {
    package enum Kind: Sendable {
        /// The daemon: hello, welcome, bind.
        case racd
        /// The relay: a welcome, and everything goes to everybody.
        case relay
        /// The echo server: no word of the protocol.
        case echo
    }

    package var kind: Kind
    package var endpoint: Endpoint
    package var process: ProcessFigures

    package init(_ kind: Kind, at endpoint: Endpoint, process: ProcessFigures) {
        self.kind = kind
        self.endpoint = endpoint
        self.process = process
    }
}
