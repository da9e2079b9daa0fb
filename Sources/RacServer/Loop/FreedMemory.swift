import CGlibc
import Glibc
import Logging

/// Has the allocator give freed memory back to the system.
///
/// glibc keeps freed memory below the first block that is still in use, and for ever. So after a crowd of clients has left,
/// its small blocks would count as the daemon's memory. ``FreedMemoryStateMachine`` decides when it is worth the time.
enum FreedMemory {
    /// Blocks of this length get pages of their own, which go when the block is freed.
    private static let ownPages: CInt = 1 << 20
    /// This much free memory at the end of the heap goes.
    private static let trimmed: CInt = 1 << 20
    private static let interval = Duration.seconds(2)

    /// Sets both thresholds for the whole process.
    ///
    /// glibc raises both with the first long block that is freed, to 32 and 64 MiB. After one frame of 8 MiB the memory of
    /// later ones would stay for ever.
    static func setThresholds() {
        _ = mallopt(M_MMAP_THRESHOLD, Self.ownPages)
        _ = mallopt(M_TRIM_THRESHOLD, Self.trimmed)
    }

    /// Gives memory back every two seconds, apart from the loops, until the task is cancelled.
    static func giveBackRepeatedly(_ logger: Logger) async {
        var machine = FreedMemoryStateMachine()
        while (try? await Task.sleep(for: Self.interval)) != nil {
            guard let use = Self.use, machine.looked(use) == .giveBack else { continue }
            let begun = ContinuousClock.now
            malloc_trim(0)
            let left = Self.use ?? use
            machine.gaveBack(left)
            let facts: Logger.Metadata = [
                "bytes": .stringConvertible(use.freeBytes - left.freeBytes),
                "time": "\(ContinuousClock.now - begun)",
            ]
            logger.debug("gave memory back", metadata: facts)
        }
    }

    /// The present use of memory; nil if the system does not report it.
    private static var use: FreedMemoryStateMachine.Use? {
        let file = open("/proc/self/statm", O_RDONLY)
        guard file >= 0 else { return nil }
        defer { close(file) }
        let text = withUnsafeTemporaryAllocation(byteCount: 128, alignment: 1) { bytes in
            let count = read(file, bytes.baseAddress, bytes.count)
            return String(decoding: bytes.prefix(max(0, count)), as: UTF8.self)
        }
        guard let pages = text.split(separator: " ").dropFirst().first.flatMap({ Int($0) }) else { return nil }
        let blocks = mallinfo2()
        return FreedMemoryStateMachine.Use(
            residentBytes: pages * sysconf(CInt(_SC_PAGESIZE)),
            usedBytes: Int(blocks.uordblks) + Int(blocks.hblkhd)
        )
    }
}
