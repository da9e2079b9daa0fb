import Glibc

/// The servers that are compared, each with the settings that suit the work best and promise what racd promises.
extension Peer {
    /// The daemon as a user starts it, which keeps every change on disk; `arguments` are more of `racd serve`.
    package static func racd(_ program: String, _ arguments: [String] = []) -> Peer {
        Peer("racd", isRival: false, programs: [program], dialect: { _ in RacDialect() }) { _, port, folder in
            Setup(["serve", "--listen", "127.0.0.1:\(port)", "--data", "\(folder)/data"] + arguments)
        }
    }

    /// The daemon that keeps nothing on disk, as the brokers do unless told otherwise.
    package static func racdInMemory(_ program: String, _ arguments: [String] = []) -> Peer {
        Peer("racd-memory", isRival: false, programs: [program], dialect: { _ in RacDialect() }) { purpose, port, _ in
            switch purpose {
            case .broadcast, .pairs, .routed: Setup(["serve", "--listen", "127.0.0.1:\(port)", "--memory"] + arguments)
            case .durable, .kept: nil
            }
        }
    }

    /// The yardstick: a program in C that only copies frames.
    package static func relay(_ program: String) -> Peer {
        Peer("relay", isRival: false, programs: [program], dialect: { _ in RelayDialect() }) { purpose, port, _ in
            switch purpose {
            case .broadcast: Setup(["\(port)"])
            case .pairs(let pairs): Setup(["\(port)", "\(pairs)"])
            case .routed, .durable, .kept: nil
            }
        }
    }

    package static let mosquitto = Peer(
        "mosquitto",
        isRival: true,
        programs: ["/usr/sbin/mosquitto", "/usr/bin/mosquitto", "/usr/local/sbin/mosquitto"],
        dialect: { _ in MQTTDialect() }
    ) { purpose, port, folder in
        // As root it would become a user that cannot write the folder.
        let common = """
            listener \(port) 127.0.0.1
            allow_anonymous true
            set_tcp_nodelay true
            sys_interval 0
            connection_messages false
            \(getuid() == 0 ? "user root\n" : "")
            """
        let kept = "persistence true\npersistence_location \(folder)/\n"
        return switch purpose {
        case .broadcast, .pairs, .routed: Setup(["-c"], settings: common + "persistence false\n")
        case .durable:
            Setup(
                ["-c"],
                settings: common + kept + "autosave_on_changes true\nautosave_interval 1\n",
                caveat: "writes and syncs all it keeps after each pass of its loop, but acknowledges before that"
            )
        case .kept: Setup(["-c"], settings: common + kept + "autosave_interval 0\n")
        }
    }

    package static let nats = Peer(
        "nats",
        isRival: true,
        programs: ["/usr/sbin/nats-server", "/usr/bin/nats-server", "/usr/local/bin/nats-server"],
        dialect: { NATSDialect(name: $0) }
    ) { purpose, port, folder in
        let common = "listen: \"127.0.0.1:\(port)\"\n"
        let kept = common + "jetstream {\n    store_dir: \"\(folder)\"\n}\n"
        switch purpose {
        case .broadcast, .pairs, .routed: return Setup(["-c"], settings: common)
        case .durable:
            // Version 2.10 brought `sync_interval: always`; Debian 12 has 2.9, which syncs every two minutes.
            let caveat = "2.9 cannot sync before it acknowledges: values are in the page cache"
            return Setup(["-c"], settings: kept, caveat: caveat)
        case .kept: return Setup(["-c"], settings: kept)
        }
    }

    package static let redis = Peer(
        "redis",
        isRival: true,
        programs: ["/usr/bin/redis-server", "/usr/local/bin/redis-server"],
        dialect: { _ in RESPDialect() }
    ) { purpose, port, folder in
        let common = "port \(port)\nbind 127.0.0.1\ndir \"\(folder)\"\nmaxclients 20000\nsave \"\"\n"
        let settings =
            switch purpose {
            case .broadcast, .pairs, .routed: "appendonly no\n"
            case .durable: "appendonly yes\nappendfsync always\n"
            case .kept: "appendonly yes\nappendfsync everysec\n"
            }
        return Setup([], settings: common + settings)
    }
}
