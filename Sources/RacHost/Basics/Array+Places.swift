/// An object that knows its place in one array.
protocol Placed: AnyObject {
    var place: Int { get set }
}

extension Array where Element: Placed {
    mutating func add(_ element: Element) {
        element.place = self.count
        self.append(element)
    }

    /// Removes an element without a search: the last one takes its place.
    mutating func remove(_ element: Element) {
        let last = self.removeLast()
        guard last !== element else { return }
        self[element.place] = last
        last.place = element.place
    }
}
