/// The members of a composite or of a subscription, as a value: this decides which are kept, its owner disposes.
///
/// Most subscriptions have one member or none, which cost no allocation. A few that come and go cost none either, once
/// there is room. Members leave in the order in which they came, so a run can be repeated exactly.
struct DisposableMembers: Sendable {
    private enum Contents {
        case nothing
        case one(any Disposable)
        case few([any Disposable])
        case many([ObjectIdentifier: (number: Int, member: any Disposable)], next: Int)
        case closed
    }

    /// The largest number of members that are searched one by one.
    private static let mostFew = 8

    private var contents = Contents.nothing

    /// Keeps `member`, unless the list is closed.
    ///
    /// Then it returns false and the caller has to dispose it.
    mutating func add(_ member: any Disposable) -> Bool {
        switch self.contents {
        case .closed:
            return false
        case .nothing:
            self.contents = .one(member)
        case .one(let first):
            if first !== member { self.contents = .few([first, member]) }
        case .few(var members):
            guard !members.contains(where: { $0 === member }) else { return true }
            self.contents = .nothing
            members.append(member)
            self.contents = members.count > Self.mostFew ? Self.many(members) : .few(members)
        case .many(var members, let next):
            self.contents = .nothing
            if members[ObjectIdentifier(member)] == nil {
                members[ObjectIdentifier(member)] = (next, member)
            }
            self.contents = .many(members, next: next + 1)
        }
        return true
    }

    /// Forgets `member` without disposing it.
    mutating func remove(_ member: any Disposable) {
        switch self.contents {
        case .closed, .nothing:
            break
        case .one(let first):
            if first === member { self.contents = .nothing }
        case .few(var members):
            self.contents = .nothing
            if let index = members.firstIndex(where: { $0 === member }) { members.remove(at: index) }
            self.contents = .few(members)
        case .many(var members, let next):
            self.contents = .nothing
            members[ObjectIdentifier(member)] = nil
            self.contents = .many(members, next: next)
        }
    }

    /// Closes the list and returns its members, for ``disposeMembers()`` outside the lock.
    mutating func close() -> DisposableMembers {
        defer { self.contents = .closed }
        return self
    }

    /// Disposes each member, in the order of adding.
    func disposeMembers() {
        switch self.contents {
        case .closed, .nothing:
            break
        case .one(let member):
            member.dispose()
        case .few(let members):
            for member in members { member.dispose() }
        case .many(let members, _):
            for (_, member) in members.values.sorted(by: { $0.number < $1.number }) {
                member.dispose()
            }
        }
    }

    private static func many(_ members: [any Disposable]) -> Contents {
        var numbered: [ObjectIdentifier: (number: Int, member: any Disposable)] = [:]
        for (number, member) in members.enumerated() { numbered[ObjectIdentifier(member)] = (number, member) }
        return .many(numbered, next: members.count)
    }
}
