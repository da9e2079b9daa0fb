import Glibc

/// Two ends of a pipe, which a program that is started later does not get.
struct Pipe {
    let reading: Int32
    let writing: Int32

    init() throws {
        var ends: [Int32] = [-1, -1]
        guard pipe(&ends) == 0 else { throw SystemFailure(what: "pipe", number: errno) }
        for end in ends { _ = fcntl(end, F_SETFD, FD_CLOEXEC) }
        self.reading = ends[0]
        self.writing = ends[1]
    }
}

/// A call of the system that failed in a test.
struct SystemFailure: Error {
    var what: String
    var number: Int32
}
