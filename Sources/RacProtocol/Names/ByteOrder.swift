/// Compares the bytes of texts, eight at a time: long names mostly begin alike.
enum ByteOrder {
    static func areEqual(_ left: String, _ right: String) -> Bool {
        let count = left.utf8.count
        return count == right.utf8.count && self.withBytes(left, right) { self.firstDifference($0, $1) == count }
    }

    static func isBefore(_ left: String, _ right: String) -> Bool {
        self.withBytes(left, right) { left, right in
            let place = self.firstDifference(left, right)
            guard place < left.count, place < right.count else { return left.count < right.count }
            return left[place] < right[place]
        }
    }

    /// The first place where the bytes differ, or the shorter length.
    private static func firstDifference(_ left: UnsafeRawBufferPointer, _ right: UnsafeRawBufferPointer) -> Int {
        let count = min(left.count, right.count)
        var place = 0
        while place + 8 <= count {
            let difference =
                left.loadUnaligned(fromByteOffset: place, as: UInt64.self)
                ^ right.loadUnaligned(fromByteOffset: place, as: UInt64.self)
            guard difference == 0 else { return place + difference.littleEndian.trailingZeroBitCount / 8 }
            place += 8
        }
        while place < count, left[place] == right[place] { place += 1 }
        return place
    }

    private static func withBytes<Result>(
        _ left: String,
        _ right: String,
        _ body: (UnsafeRawBufferPointer, UnsafeRawBufferPointer) -> Result
    ) -> Result {
        var (left, right) = (left, right)
        return left.withUTF8 { left in
            right.withUTF8 { body(UnsafeRawBufferPointer(left), UnsafeRawBufferPointer($0)) }
        }
    }
}
