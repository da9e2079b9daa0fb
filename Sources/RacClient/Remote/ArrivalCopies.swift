import NIOCore
import RacProtocol

/// Memory of a binding's own for the text of the newest value, so that the text does not keep the whole read it came in.
///
/// The state machine still refers to the last text while the next one is copied, so the two take turns. Memory is asked for
/// only until both buffers are long enough.
struct ArrivalCopies {
    private var newest = ByteBuffer()
    private var last = ByteBuffer()

    /// Copies a value's text into the memory of the text before the last one.
    mutating func copy(_ valuation: Valuation) -> Valuation {
        swap(&self.newest, &self.last)
        let text = valuation.value.copied(into: &self.newest)
        return Valuation(value: text, revision: valuation.revision, cause: valuation.cause)
    }
}
