import Glibc
import RacConnection

/// A small file that only its owner may write, and that is written as a whole.
struct PrivateFile {
    /// A longer one is no file of racctl.
    private static let maximumBytes = 64 << 10

    let path: String

    /// The text; nil if there is no such file.
    ///
    /// - Throws: ``CommandFailure`` if the file cannot be read, or other users may have written it.
    func text() throws(CommandFailure) -> String? {
        let number = open(self.path, O_RDONLY | O_CLOEXEC)
        guard number >= 0 else {
            if errno == ENOENT { return nil }
            throw FileInput.cannotRead(self.path, SystemFailure(number: errno))
        }
        defer { close(number) }
        var status = stat()
        guard fstat(number, &status) == 0 else {
            throw FileInput.cannotRead(self.path, SystemFailure(number: errno))
        }
        guard status.st_mode & 0o022 == 0, status.st_uid == getuid() || status.st_uid == 0 else {
            let mode = "0" + String(status.st_mode & 0o777, radix: 8)
            let message = "other users can write \(self.path) (mode \(mode)): `chmod 600 \(self.path)` ends that"
            throw CommandFailure(.other, code: "context", message)
        }
        return String(decoding: try self.bytes(of: Descriptor(number: number)), as: UTF8.self)
    }

    private func bytes(of descriptor: Descriptor) throws(CommandFailure) -> [UInt8] {
        var bytes: [UInt8] = []
        do {
            while case let part = try descriptor.read(upTo: 4096), !part.isEmpty, bytes.count <= Self.maximumBytes {
                bytes += part
            }
        } catch {
            throw FileInput.cannotRead(self.path, error)
        }
        return bytes
    }

    /// Writes the file, so that a reader sees all of it or none.
    ///
    /// - Parameters:
    ///   - text: The file's text.
    ///   - isNew: Whether another file of this name is an error, `EEXIST`.
    /// - Throws: ``SystemFailure``.
    func write(_ text: String, isNew: Bool) throws(SystemFailure) {
        var template = Array("\(self.path).XXXXXX".utf8CString)
        // The template's file has the mode 0600.
        let number = mkstemp(&template)
        guard number >= 0 else { throw SystemFailure(number: errno) }
        let temporary = String(decoding: template.dropLast().map(UInt8.init(bitPattern:)), as: UTF8.self)
        defer { unlink(temporary) }
        defer { close(number) }
        if let failure = Descriptor(number: number).write(text) { throw SystemFailure(number: failure) }
        guard fsync(number) == 0, (isNew ? link : rename)(temporary, self.path) == 0 else {
            throw SystemFailure(number: errno)
        }
    }
}
