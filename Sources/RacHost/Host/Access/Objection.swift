import RacAccess
import RacProtocol

/// The reason why a principal may not do something: a right that it lacks, or a bound of its roles.
struct Objection {
    let error: WireError
    /// The right that the principal lacks; nil for a bound.
    let lack: RefusedAct?
    /// The entry of a put.
    var index: UInt64?

    /// The refusal of the request.
    var refusal: Refusal {
        var refusal = Refusal(self.error)
        refusal.index = self.index
        return refusal
    }

    /// Something with a name, or without one, that needs a verb which the principal lacks.
    init(_ rights: Rights, lacks verb: Verb, for name: ChannelName?, _ message: String) {
        self.error = WireError(.forbidden, message)
        self.lack = RefusedAct(.forbidden, rights.principal, .use(verb, name))
    }

    /// A bound of the principal's roles is reached.
    init(bound error: WireError) {
        self.error = error
        self.lack = nil
    }
}
