import RacProtocol

/// How inputs of a type travel; a command without an input has no JSON for it.
struct InputCoding<Input: Sendable>: Sendable {
    let encode: @Sendable (Input) throws(ClientError) -> JSONText?
    let decode: @Sendable (JSONText?) throws(ClientError) -> Input

    /// As values of the type; what is left out is null.
    init(_ values: ValueCoding<Input>) {
        self.encode = { input throws(ClientError) in try values.encode(input) }
        self.decode = { text throws(ClientError) in try values.decode(text ?? .null) }
    }
}

extension InputCoding<Void> {
    /// Nothing is sent, and what comes is passed over.
    init() {
        self.encode = { _ throws(ClientError) in nil }
        self.decode = { _ throws(ClientError) in () }
    }
}
