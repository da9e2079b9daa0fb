/// One entry of an answer to `who`.
protocol WhoEntry {
    init(_ envelope: borrowing Envelope) throws(MessageError)
    func write(to object: inout ObjectWriter)
}

/// An answer to `who`: some entries, and whether more follow.
protocol WhoAnswer {
    associatedtype Entry: WhoEntry

    var entries: [Entry] { get }
    var more: Bool { get }

    init(entries: [Entry], more: Bool)
}

extension WhoAnswer {
    init(_ envelope: borrowing Envelope) throws(MessageError) {
        self.init(entries: try envelope.requiredEntries(.who, Entry.init), more: try envelope.flag(.more) ?? false)
    }

    func write(to object: inout ObjectWriter) {
        object.write(.who, array: self.entries) { entry, bytes in
            bytes.writeObject(entry.write)
        }
        object.write(.more, self.more)
    }
}
