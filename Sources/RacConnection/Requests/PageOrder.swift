/// The order of the pages of a list: each one goes on behind those before it, so that the list ends.
package struct PageOrder<Place: Comparable> {
    /// The last place of the pages so far.
    package private(set) var last: Place?

    package init() {}

    /// Takes the places of the next page.
    ///
    /// - Throws: ``ClientError`` with code `badMessage` if one of them has been passed already: the daemon would repeat
    ///   itself for ever.
    package mutating func take(_ places: [Place]) throws(ClientError) {
        if let last, let place = places.first(where: { $0 <= last }) {
            throw ClientError(
                .badMessage,
                "racd broke the protocol: the page of a list behind \(last) has \(place) once more"
            )
        }
        self.last = places.max() ?? self.last
    }
}
