/// A channel's change, encoded once for any number of patterns: their frames differ only in the number of the pattern.
package struct EncodedChange: Sendable {
    private static let head: StaticString = #"{"op":"changed","w":"#

    /// The frame for the pattern 0, whose number is one digit.
    private let frame: FrameBytes

    /// Encodes a change; the number of its pattern does not matter.
    package init(_ changed: Changed) {
        var changed = changed
        changed.watch = WatchID(0)
        self.frame = FrameBytes(.changed(changed))
    }

    /// The length of its frames, without their numbers.
    package var byteCount: Int { self.frame.count }

    fileprivate func append(to frames: inout FrameBytes, of watch: WatchID) {
        self.frame.withUnsafeBytes { bytes in
            let tail = UnsafeRawBufferPointer(
                rebasing: bytes.dropFirst(FrameHeader.byteCount + Self.head.utf8CodeUnitCount + 1)
            )
            frames.appendFrame(atMost: bytes.count + UInt64.maximumDigits) { frame in
                frame.write(Self.head)
                frame.write(watch.number)
                frame.write(tail)
            }
        }
    }
}

extension FrameBytes {
    /// Appends the `changed` of a pattern.
    package mutating func append(_ change: EncodedChange, of watch: WatchID) {
        change.append(to: &self, of: watch)
    }
}
