import Foundation

/// A folder of one test, which is removed afterwards.
final class ScratchFolder {
    private let url = FileManager.default.temporaryDirectory.appending(path: "rac-\(UUID().uuidString)")

    init() throws {
        try FileManager.default.createDirectory(at: self.url, withIntermediateDirectories: false)
    }

    deinit {
        try? FileManager.default.removeItem(at: self.url)
    }

    func path(_ name: String) -> String { self.url.appending(path: name).path }

    /// Writes a file that only its owner may read, and returns its path.
    @discardableResult
    func write(_ text: String, to name: String, mode: Int = 0o600) throws -> String {
        let path = self.path(name)
        try Data(text.utf8).write(to: URL(filePath: path))
        try FileManager.default.setAttributes([.posixPermissions: mode], ofItemAtPath: path)
        return path
    }

    func move(_ name: String, to other: String) throws {
        try FileManager.default.moveItem(atPath: self.path(name), toPath: self.path(other))
    }

    func names() throws -> [String] {
        try FileManager.default.contentsOfDirectory(atPath: self.url.path).sorted()
    }

    func mode(of name: String) throws -> Int? {
        try FileManager.default.attributesOfItem(atPath: self.path(name))[.posixPermissions] as? Int
    }
}
