/// A server that runs: where it listens, what it speaks, and what the kernel knows of it.
package struct Server: Sendable {
    package let endpoint: Endpoint
    package let process: ProcessFigures
    /// The certificate of a server with TLS, a PEM file; nil for plain bytes.
    package var certificateFile: String?
    /// The dialect of the connection with this number.
    let dialect: @Sendable (Int) -> any Dialect

    /// The generator's side of TLS for some connections; nil for plain bytes.
    func makeTLS() throws -> TLSContext? {
        try self.certificateFile.map { try TLSContext(trusting: $0) }
    }
}
