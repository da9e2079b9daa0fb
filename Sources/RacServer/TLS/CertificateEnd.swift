/// Decides when the log says that a certificate ends: once two weeks before, once a day before, and once at the end.
struct CertificateEnd: Sendable {
    /// The part of a certificate's life that is left.
    enum Stage: Int, Sendable {
        case distant
        case inTwoWeeks
        case inADay
        case over

        /// Compares seconds since 1970 UTC.
        init(of end: Int, at now: Int) {
            let day = 86_400
            self =
                switch end - now {
                case ..<0: .over
                case ...day: .inADay
                case ...(14 * day): .inTwoWeeks
                default: .distant
                }
        }
    }

    private let end: Int
    /// The last stage that the log has.
    private var reported = Stage.distant

    /// - Parameter end: The end of the certificate, in seconds since 1970 UTC.
    init(_ end: Int) {
        self.end = end
    }

    /// The stage that the log does not have yet; nil if it has the present one.
    mutating func looked(at now: Int) -> Stage? {
        let stage = Stage(of: self.end, at: now)
        guard stage.rawValue > self.reported.rawValue else { return nil }
        self.reported = stage
        return stage
    }
}
