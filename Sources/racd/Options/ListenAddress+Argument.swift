import ArgumentParser
import RacServer

extension ListenAddress {
    /// Reads the argument of `--listen`.
    ///
    /// A port alone is refused: some programs take it for this machine, and some for all of them.
    static func argument(_ text: String) throws -> ListenAddress {
        if let address = ListenAddress(text) { return address }
        let port = text.hasPrefix(":") ? text.dropFirst() : text[...]
        guard UInt16(port) != nil else { throw ValidationError("an address is HOST:PORT or unix:PATH") }
        throw ValidationError("the host is missing: 127.0.0.1:\(port) is for programs of this machine")
    }
}
