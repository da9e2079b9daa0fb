import Rac
import RacClient
import RacTestKit

struct SoakedRecord: Codable, Equatable, Sendable {
    var name = "Ada"
    var number = 0
}

extension Soak {
    /// Writes of each kind of object, each answered, with another program that gets the values.
    static let writes: [Work] = [
        .steps("write of a property") { bench in
            let property = try bench.one.property("n", as: Int.self)
            let reader = try bench.other.property("n", as: Int.self)
            return { number in
                try await property.write(number)
                withExtendedLifetime(reader) {}
            }
        },
        .steps("value of a property") { bench in
            let property = try bench.one.property("n", as: Int.self)
            let reader = try bench.other.property("n", as: Int.self)
            return { number in
                property.value = number
                try await property.settled()
                withExtendedLifetime(reader) {}
            }
        },
        .steps("write of a raw property") { bench in
            let property = try bench.one.property(raw: "n")
            return { number in try await property.write(.integer(number)) }
        },
        .steps("write of a terminal") { bench in
            let leading = try bench.one.terminal("n", .leading, as: Int.self)
            let following = try bench.other.terminal("n", .following, as: Int.self)
            return { number in
                try await leading.write(number)
                try await following.write(number)
            }
        },
        .steps("write of a paired terminal") { bench in
            let leading = try bench.one.terminal("n", .leading, sends: Int.self, receives: String.self)
            let following = try bench.other.terminal("n", .following, sends: String.self, receives: Int.self)
            return { number in
                try await leading.write(number)
                try await following.write("\(number)")
            }
        },
        .steps("write of a field's terminal") { bench in
            let record = try bench.one.property("n", as: SoakedRecord.self, default: SoakedRecord())
            let field = record.terminal(\.number)
            return { number in
                field.send(number)
                try await record.settled()
            }
        },
        .steps("write of a property's terminal") { bench in
            let property = try bench.one.property("n", as: Int.self)
            let terminal = property.terminal()
            return { number in
                terminal.send(number)
                try await property.settled()
            }
        },
        .steps("write through a binding") { bench in
            let (local, remote) = (Property(0), try bench.one.property("n", as: Int.self))
            let far = Property(0)
            remote <~> local
            try far <~> bench.other.property("n", as: Int.self)
            return { number in
                local.value = number
                try await remote.settled()
            }
        },
        .steps("write through a link") { bench in
            let (left, right) = (try bench.one.property("l", as: Int.self), try bench.other.property("r", as: Int.self))
            let link = try bench.one.link("l", "r")
            return { number in
                try await left.write(number)
                withExtendedLifetime((link, right)) {}
            }
        },
        .steps("value of a signal") { bench in
            let (subject, remote) = (Subject<Int, Never>(), try bench.one.property("n", as: Int.self))
            remote <~ subject
            return { number in
                subject.send(number)
                try await remote.settled()
            }
        },
        .steps("change that builds on the present value") { bench in
            let property = try bench.one.property("n", as: Int.self, default: 0)
            return { _ in try await property.modify { $0 += 1 } }
        },
        .steps("call that sets and gets") { bench in
            let client = bench.one
            return { number in
                try await client.set("n", number)
                _ = try await client.get("n", as: Int.self)
            }
        },
    ]
}
