import CSpawn
import Glibc

/// Two ends of a pipe, which no program inherits by default; those that nobody takes are closed with it.
final class Pipe {
    private(set) var reading: Int32
    private(set) var writing: Int32

    init() throws(SystemFailure) {
        var ends: [Int32] = [-1, -1]
        guard pipe2(&ends, O_CLOEXEC) == 0 else { throw SystemFailure(number: errno) }
        (self.reading, self.writing) = (ends[0], ends[1])
    }

    deinit {
        for end in [self.reading, self.writing] where end >= 0 { close(end) }
    }

    /// The reading end, which the caller closes.
    func takeReading() -> Int32 {
        defer { self.reading = -1 }
        return self.reading
    }

    /// The writing end, which the caller closes.
    func takeWriting() -> Int32 {
        defer { self.writing = -1 }
        return self.writing
    }
}
