import NIOCore

/// The bytes by which a proxy announces its client before those of the client, which racd does not read.
enum ProxyProtocol {
    /// The first bytes of version 1, a line of text, and of version 2.
    private static let beginnings: [[UInt8]] = [Array("PROXY ".utf8), [0x0D, 0x0A, 0x0D, 0x0A, 0x00, 0x0D, 0x0A]]

    static let help = "the client began the PROXY protocol, which racd does not speak: turn it off in the proxy"

    /// Whether the first bytes of a client begin it.
    static func begins(_ bytes: ByteBuffer) -> Bool {
        Self.beginnings.contains { bytes.readableBytesView.starts(with: $0) }
    }
}
