/// A server that runs: where it listens, what it speaks, and what the kernel knows of it.
package struct Server: Sendable {
    package let endpoint: Endpoint
    package let process: ProcessFigures
    /// The dialect of the connection with this number.
    let dialect: @Sendable (Int) -> any Dialect
}
