import CGlibc

/// Has the allocator give freed memory back to the system.
///
/// glibc raises both thresholds with the first long block that is freed, to 32 and 64 MiB. After one frame of 8 MiB the memory
/// of later ones would stay for ever.
enum FreedMemory {
    /// Blocks of this length get pages of their own, which go when the block is freed.
    private static let ownPages: CInt = 1 << 20
    /// This much free memory at the end of the heap goes.
    private static let trimmed: CInt = 1 << 20

    /// Sets both thresholds for the whole process.
    static func giveBack() {
        _ = mallopt(M_MMAP_THRESHOLD, Self.ownPages)
        _ = mallopt(M_TRIM_THRESHOLD, Self.trimmed)
    }
}
