import NIOCore

extension UnsafeRawBufferPointer {
    /// Whether the text has an end of a line.
    ///
    /// A word of eight bytes at a time: a text may have megabytes, and hardly one has line ends.
    var hasLineEnd: Bool {
        var start = 0
        while start + 8 <= self.count {
            let word = self.loadUnaligned(fromByteOffset: start, as: UInt64.self)
            if word.hasZero(behind: 0x0A0A_0A0A_0A0A_0A0A) || word.hasZero(behind: 0x0D0D_0D0D_0D0D_0D0D) {
                return true
            }
            start += 8
        }
        return self[start...].contains { $0 == UInt8(ascii: "\n") || $0 == UInt8(ascii: "\r") }
    }

    /// The text with the name of a field of events behind each end of a line.
    ///
    /// White space of JSON may be any end of a line, and two bytes may be one end.
    var asLinesOfData: ByteBuffer {
        let (feed, carriage) = (UInt8(ascii: "\n"), UInt8(ascii: "\r"))
        let field: StaticString = "\ndata: "
        var ends = 0
        for byte in self where byte == feed || byte == carriage { ends += 1 }
        var lines = ByteBuffer()
        _ = lines.writeWithUnsafeMutableBytes(minimumWritableBytes: self.count + ends * field.utf8CodeUnitCount) {
            room in
            var (count, last) = (0, UInt8(0))
            for byte in self {
                if byte == carriage || byte == feed && last != carriage {
                    let rest = UnsafeMutableRawBufferPointer(rebasing: room[count...])
                    field.withUTF8Buffer { rest.copyMemory(from: UnsafeRawBufferPointer($0)) }
                    count += field.utf8CodeUnitCount
                } else if byte != feed {
                    room[count] = byte
                    count += 1
                }
                last = byte
            }
            return count
        }
        return lines
    }
}

extension UInt64 {
    /// Whether one of the eight bytes is the one of a mask.
    @inline(__always)
    fileprivate func hasZero(behind mask: UInt64) -> Bool {
        let word = self ^ mask
        return (word &- 0x0101_0101_0101_0101) & ~word & 0x8080_8080_8080_8080 != 0
    }
}
