import RacHost

/// The open connections of one loop, found by the places in their IDs without hashing.
struct HandlerTable {
    private var handlers: [ConnectionHandler?] = []
    private var freePlaces: [Int] = []

    var isEmpty: Bool { self.freePlaces.count == self.handlers.count }

    var count: Int { self.handlers.count - self.freePlaces.count }

    /// All handlers, in no order.
    var all: [ConnectionHandler] { self.handlers.compactMap(\.self) }

    /// The open connection with this ID; its place may have been given to another one since it closed.
    subscript(id: ConnectionID) -> ConnectionHandler? {
        guard id.place < self.handlers.count, let handler = self.handlers[id.place] else { return nil }
        return handler.id == id ? handler : nil
    }

    /// Finds a place for a connection; `id` makes the connection's ID of it.
    mutating func add(_ handler: ConnectionHandler, _ id: (_ place: Int) -> ConnectionID) {
        let place = self.freePlaces.popLast() ?? self.handlers.count
        if place == self.handlers.count { self.handlers.append(nil) }
        handler.id = id(place)
        self.handlers[place] = handler
    }

    mutating func remove(_ handler: ConnectionHandler) {
        guard self[handler.id] != nil else { return }
        self.handlers[handler.id.place] = nil
        self.freePlaces.append(handler.id.place)
    }
}
