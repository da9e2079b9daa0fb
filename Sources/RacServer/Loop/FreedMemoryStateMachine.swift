/// Decides when the allocator gives freed memory back.
///
/// The allocator takes milliseconds for it, in which nothing else can be allocated.
package struct FreedMemoryStateMachine {
    /// The memory of the process at one moment.
    package struct Use: Sendable {
        let residentBytes: Int
        let usedBytes: Int

        /// - Parameters:
        ///   - residentBytes: The bytes of the pages that the process has.
        ///   - usedBytes: The bytes of the blocks that the program uses.
        package init(residentBytes: Int, usedBytes: Int) {
            self.residentBytes = residentBytes
            self.usedBytes = usedBytes
        }

        /// The resident bytes that no block uses: free blocks, and the code.
        var freeBytes: Int { self.residentBytes - self.usedBytes }
    }

    package enum OnLooked: Equatable {
        case giveBack
        case nothing
    }

    /// Less than this number of bytes is not worth the time of the allocator.
    private static let worthwhile = 4 << 20
    /// A page of 4 KiB can go with its last block, which has 64 bytes or more.
    private static let blocksOfPage = 64

    /// The fewest free bytes that were left, which can never go; nil until memory was given back once.
    private var floor: Int?
    /// The fewest free bytes since memory was given back last.
    private var fewestFree = 0
    /// The most used bytes since memory was given back last.
    private var mostUsed = 0

    package init() {}

    /// Judges the present use.
    package mutating func looked(_ use: Use) -> OnLooked {
        let excess = use.freeBytes - (self.floor ?? 0)
        let hasGrown = use.freeBytes - self.fewestFree > Self.worthwhile
        // Pages that had a few used blocks last time may have none now.
        let mayHaveEmptied = self.mostUsed - use.usedBytes > excess / Self.blocksOfPage
        self.fewestFree = min(self.fewestFree, use.freeBytes)
        self.mostUsed = max(self.mostUsed, use.usedBytes)
        return excess > Self.worthwhile && (hasGrown || mayHaveEmptied) ? .giveBack : .nothing
    }

    /// Memory was given back, which left this use.
    package mutating func gaveBack(_ use: Use) {
        self.floor = min(self.floor ?? use.freeBytes, use.freeBytes)
        self.fewestFree = use.freeBytes
        self.mostUsed = use.usedBytes
    }
}
