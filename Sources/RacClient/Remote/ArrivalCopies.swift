import NIOCore
import RacProtocol

/// Memory of a binding's own for the text of the newest value, so that the text does not keep the whole read it came in.
///
/// Two buffers take turns, because the state machine still refers to one text while the next is copied. Memory is asked for
/// only until both buffers are long enough.
struct ArrivalCopies {
    private var newest = ByteBuffer()
    private var last = ByteBuffer()

    /// Copies a value's text into the buffer that the state machine no longer refers to.
    mutating func copy(_ valuation: Valuation) -> Valuation {
        swap(&self.newest, &self.last)
        let text = valuation.value.copied(into: &self.newest)
        return Valuation(value: text, revision: valuation.revision, cause: valuation.cause)
    }
}
