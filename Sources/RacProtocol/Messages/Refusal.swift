/// Why a request or a send was not carried out, with how the channel stands if that is the reason.
package struct Refusal: Hashable, Sendable {
    package var error: WireError
    package var revision: Revision?
    package var cause: Revision?
    package var value: JSONText?
    /// Which entry of a put was refused.
    package var index: UInt64?

    package init(_ error: WireError) {
        self.error = error
    }

    /// Because of what the channel has, nil if that is no value.
    package init(_ error: WireError, standing: Valuation?) {
        self.error = error
        self.revision = standing?.revision ?? Revision.none
        self.cause = standing?.cause
        self.value = standing?.value
    }

    init(_ envelope: borrowing Envelope) throws(MessageError) {
        self.error = try envelope.requiredError()
        self.revision = try envelope.revision(.rev)
        self.cause = try envelope.revision(.cause)
        self.value = envelope.json(.value)
        self.index = try envelope.count(.index)
    }

    func write(to object: inout ObjectWriter) {
        object.write(.error, self.error)
        object.write(.rev, self.revision)
        object.write(.cause, self.cause)
        object.write(.value, self.value)
        object.write(.index, self.index)
    }
}
