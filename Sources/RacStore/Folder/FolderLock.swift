import Glibc

/// The right to be the only racd on a folder, until its release or until the process ends in whatever way.
final class FolderLock: Sendable {
    private let path: String
    private let descriptor: Int32
    private let identity: FileIdentity?

    /// Takes the lock and writes the process id into its file, where a second racd reads it.
    init(_ folder: DataFolder) throws(StoreError) {
        let descriptor = open(folder.lock, O_RDWR | O_CREAT | O_CLOEXEC, 0o600)
        guard descriptor >= 0 else { throw .unusable(path: folder.lock, reason: DataFolder.lastFault) }
        guard flock(descriptor, LOCK_EX | LOCK_NB) == 0 else {
            let fault = errno
            let reason = DataFolder.lastFault
            let holder = Self.holder(descriptor)
            Glibc.close(descriptor)
            guard fault == EWOULDBLOCK else { throw .unusable(path: folder.lock, reason: reason) }
            throw .locked(folder: folder.path, holder: holder)
        }
        self.path = folder.lock
        self.descriptor = descriptor
        self.identity = FileIdentity(of: descriptor)
        self.writeHolder()
    }

    deinit {
        // A program that is just starting may hold a copy of the descriptor; a close alone would leave the lock with it.
        flock(self.descriptor, LOCK_UN)
        Glibc.close(self.descriptor)
    }

    /// Whether its file is in the folder, where a second racd looks for it.
    var isInPlace: Bool { self.identity.map { $0 == FileIdentity(at: self.path) } ?? true }

    /// Shows a backup whether changes wait for the disk.
    func showWaiting(_ isWaiting: Bool) {
        if isWaiting { ByteLock.take(self.descriptor) } else { ByteLock.release(self.descriptor) }
    }

    /// Whether the racd on a folder has changes that wait for its disk.
    static func isWaiting(_ folder: DataFolder) -> Bool {
        let descriptor = open(folder.lock, O_RDONLY | O_CLOEXEC)
        guard descriptor >= 0 else { return false }
        defer { Glibc.close(descriptor) }
        return ByteLock.isTaken(descriptor)
    }

    /// Writes the process id for people; nothing depends on it, so a disk that does not take it does no harm.
    private func writeHolder() {
        let text = "\(getpid())\n"
        guard ftruncate(self.descriptor, 0) == 0 else { return }
        _ = pwrite(self.descriptor, text, text.utf8.count, 0)
    }

    private static func holder(_ descriptor: Int32) -> Int32? {
        withUnsafeTemporaryAllocation(byteCount: 16, alignment: 1) { buffer in
            let count = pread(descriptor, buffer.baseAddress, buffer.count, 0)
            return Int32(
                String(decoding: buffer.prefix(max(0, count)).prefix { $0 != UInt8(ascii: "\n") }, as: UTF8.self)
            )
        }
    }
}
