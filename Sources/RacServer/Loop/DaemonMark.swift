import Glibc
import NIOCore
import RacAccess

/// The mark of a daemon: digits that no other daemon has, on this machine or on one that a tunnel reaches.
///
/// A daemon with a data folder keeps its mark over restarts.
enum DaemonMark {
    private static let digits = 8

    static func make(_ storage: ServerConfiguration.Storage) -> String {
        var place = NewToken.make()
        if case .folder(let path, _) = storage, let machine = FileBytes.read("/etc/machine-id") {
            place = [String(buffer: machine), Self.host, Self.whole(path)].joined(separator: "\n")
        }
        return String(TokenHash(of: place).description.suffix(Self.digits))
    }

    private static var host: String {
        var name = [CChar](repeating: 0, count: 256)
        guard gethostname(&name, name.count - 1) == 0 else { return "" }
        return String(decoding: name.prefix { $0 != 0 }.map { UInt8(bitPattern: $0) }, as: UTF8.self)
    }

    /// The path without links.
    private static func whole(_ path: String) -> String {
        guard let whole = realpath(path, nil) else { return path }
        defer { free(whole) }
        return String(cString: whole)
    }
}
