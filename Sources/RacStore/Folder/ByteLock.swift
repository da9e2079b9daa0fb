import Glibc

/// A lock on the first byte of an open file, which ends with its descriptor; SQLite locks others.
///
/// Swift's Glibc leaves out the commands `F_OFD_GETLK` and `F_OFD_SETLK`.
enum ByteLock {
    private static let (get, set): (Int32, Int32) = (36, 37)

    /// Takes the lock; false if another descriptor has it.
    ///
    /// A file system without locks has nobody to keep out.
    @discardableResult
    static func take(_ descriptor: Int32) -> Bool {
        self.call(self.set, descriptor, Int32(F_WRLCK)) != nil || (errno != EAGAIN && errno != EACCES)
    }

    static func release(_ descriptor: Int32) {
        _ = self.call(self.set, descriptor, Int32(F_UNLCK))
    }

    /// Whether another descriptor has the lock.
    static func isTaken(_ descriptor: Int32) -> Bool {
        self.call(self.get, descriptor, Int32(F_RDLCK)).map { $0 != Int32(F_UNLCK) } ?? false
    }

    /// Returns the kind of lock that the system has answered with; nil if the call failed.
    private static func call(_ command: Int32, _ descriptor: Int32, _ kind: Int32) -> Int32? {
        var lock = flock()
        lock.l_type = Int16(kind)
        lock.l_whence = Int16(SEEK_SET)
        lock.l_len = 1
        return fcntl(descriptor, command, &lock) == 0 ? Int32(lock.l_type) : nil
    }
}
