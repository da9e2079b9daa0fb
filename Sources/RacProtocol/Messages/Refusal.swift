/// The reason why a request or a send was not applied, with the channel's present valuation if that is the reason.
package struct Refusal: Hashable, Sendable {
    package var error: WireError
    package var revision: Revision?
    package var cause: Revision?
    package var value: JSONText?
    /// The index of the refused entry of a put.
    package var index: UInt64?
    /// Whether the change was made all the same, and only the disk has not taken it.
    package var isApplied = false

    package init(_ error: WireError) {
        self.error = error
    }

    /// Refuses because of the channel's valuation, or because it has none.
    package init(_ error: WireError, standing: Valuation?) {
        self.error = error
        self.revision = standing?.revision ?? Revision.never
        self.cause = standing?.cause
        self.value = standing?.value
    }

    /// Reports a change that was made, and is not on disk.
    package init(unstored error: WireError) {
        self.error = error
        self.isApplied = true
    }

    init(_ envelope: borrowing Envelope) throws(MessageError) {
        self.error = try envelope.requiredError()
        self.revision = try envelope.revision(.rev)
        self.cause = try envelope.revision(.cause)
        self.value = envelope.json(.value)
        self.index = try envelope.count(.index)
        self.isApplied = try envelope.flag(.applied) ?? false
    }

    func write(to object: inout ObjectWriter) {
        object.write(.error, self.error)
        object.write(.rev, self.revision)
        object.write(.cause, self.cause)
        object.write(.value, self.value)
        object.write(.index, self.index)
        object.write(.applied, ifTrue: self.isApplied)
    }
}
