import Glibc

/// The servers that are compared, each with the settings that suit the work best and promise what racd promises.
extension Peer {
    /// The daemon as a user starts it, which keeps every change on disk; `arguments` are more of `racd serve`.
    package static func racd(
        _ program: String,
        _ arguments: [String] = [],
        over transport: Transport = .tcp
    ) -> Peer {
        Peer("racd", isRival: false, programs: [program], dialect: transport.racDialect) { _, site in
            .racd(site, ["--data", "\(site.folder)/data"] + arguments)
        }
    }

    /// A daemon that is spoken to over TCP, when all others are over WebSocket: it shows the price of racd's WebSocket.
    package static func racdOverTCP(_ program: String, _ arguments: [String] = []) -> Peer {
        Peer("racd-tcp", isRival: false, programs: [program], dialect: Transport.tcp.racDialect) { _, site in
            .racd(site, ["--data", "\(site.folder)/data"] + arguments)
        }
    }

    /// A daemon without rules, when all others have them: it shows the price of racd's rules.
    package static func racdOpen(
        _ program: String,
        _ arguments: [String] = [],
        over transport: Transport = .tcp
    ) -> Peer {
        Peer("racd-open", isRival: false, programs: [program], isOpen: true, dialect: transport.racDialect) { _, site in
            .racd(site, ["--data", "\(site.folder)/data"] + arguments)
        }
    }

    /// The daemon that keeps nothing on disk, as the brokers do by default.
    package static func racdInMemory(
        _ program: String,
        _ arguments: [String] = [],
        over transport: Transport = .tcp
    ) -> Peer {
        Peer("racd-memory", isRival: false, programs: [program], dialect: transport.racDialect) { purpose, site in
            switch purpose {
            case .broadcast, .pairs, .routed, .http: .racd(site, ["--memory"] + arguments)
            case .durable, .kept: nil
            }
        }
    }

    /// The yardstick: a program in C that only copies frames, and knows no TLS.
    package static func relay(_ program: String) -> Peer {
        Peer("relay", isRival: false, programs: [program], dialect: { _, _, _ in RelayDialect() }) { purpose, site in
            guard site.protection.certificate == nil else { return nil }
            return switch purpose {
            case .broadcast: Setup(["\(site.port)"])
            case .pairs(let pairs): Setup(["\(site.port)", "\(pairs)"])
            case .routed, .durable, .kept, .http: nil
            }
        }
    }

    package static func mosquitto(over transport: Transport = .tcp) -> Peer {
        Peer(
            "mosquitto",
            isRival: true,
            programs: ["/usr/sbin/mosquitto", "/usr/bin/mosquitto", "/usr/local/sbin/mosquitto"],
            dialect: { transport.dialect(MQTTDialect($2), at: .mqtt) }
        ) { purpose, site in
            // Version 2.0 does not start with WebSocket alone.
            let webSocket = "protocol websockets\nlistener 0 \(site.folder)/mqtt.sock\n"
            // As root it would become a user that cannot write the folder.
            let common = """
                listener \(site.port) 127.0.0.1
                \(transport == .webSocket ? webSocket : "")\
                set_tcp_nodelay true
                sys_interval 0
                connection_messages false
                \(getuid() == 0 ? "user root\n" : "")
                """
            let (rules, files) = site.protection.rulesOfMosquitto(in: site.folder)
            let settings = common + site.protection.tlsOfMosquitto + rules
            let kept = settings + "persistence true\npersistence_location \(site.folder)/\n"
            return switch purpose {
            case .broadcast, .pairs, .routed: Setup(["-c"], settings: settings + "persistence false\n", files: files)
            case .durable:
                Setup(
                    ["-c"],
                    settings: kept + "autosave_on_changes true\nautosave_interval 1\n",
                    files: files,
                    caveat: "writes and syncs all it keeps after each pass of its loop, but acknowledges before that"
                )
            case .kept: Setup(["-c"], settings: kept + "autosave_interval 0\n", files: files)
            case .http: nil
            }
        }
    }

    package static func nats(over transport: Transport = .tcp) -> Peer {
        Peer(
            "nats",
            isRival: true,
            programs: ["/usr/sbin/nats-server", "/usr/bin/nats-server", "/usr/local/bin/nats-server"],
            dialect: { transport.dialect(NATSDialect(name: $1, $2), at: .nats) }
        ) { purpose, site in
            let listener =
                switch transport {
                case .tcp: "listen: \"127.0.0.1:\(site.port)\"\n"
                // It listens for plain clients in any case.
                case .webSocket:
                    "listen: \"127.0.0.1:-1\"\nwebsocket {\n    listen: \"127.0.0.1:\(site.port)\"\n    no_tls: true\n}\n"
                }
            let common = listener + site.protection.settingsOfNATS
            let kept = common + "jetstream {\n    store_dir: \"\(site.folder)\"\n}\n"
            switch purpose {
            case .broadcast, .pairs, .routed: return Setup(["-c"], settings: common)
            case .durable:
                // Version 2.10 brought `sync_interval: always`; Debian 12 has 2.9, which syncs every two minutes.
                let caveat = "2.9 cannot sync before it acknowledges: values are in the page cache"
                return Setup(["-c"], settings: kept, caveat: caveat)
            case .kept: return Setup(["-c"], settings: kept)
            case .http: return nil
            }
        }
    }

    private static let redisPrograms = ["/usr/bin/redis-server", "/usr/local/bin/redis-server"]

    package static let redis = Peer(
        "redis",
        isRival: true,
        programs: redisPrograms,
        dialect: { RESPDialect($2) }
    ) { purpose, site in
        let common = "bind 127.0.0.1\ndir \"\(site.folder)\"\nmaxclients 20000\nsave \"\"\n"
        let settings: String
        switch purpose {
        case .broadcast, .pairs, .routed: settings = "appendonly no\n"
        case .durable: settings = "appendonly yes\nappendfsync always\n"
        case .kept: settings = "appendonly yes\nappendfsync everysec\n"
        case .http: return nil
        }
        return Setup([], settings: site.protection.settingsOfRedis(port: site.port) + common + settings)
    }

    /// HTTP before a Redis that keeps nothing on disk; the two share the core.
    package static let webdis = Peer(
        "webdis",
        isRival: true,
        programs: ["/usr/bin/webdis", "/usr/local/bin/webdis"],
        dialect: { _, _, _ in HTTPDialect(.webdis) }
    ) { purpose, site in
        guard case .http = purpose else { return nil }
        let socket = "\(site.folder)/redis.sock"
        let settings = """
            {
                "redis_host": "\(socket)", "http_host": "127.0.0.1", "http_port": \(site.port),
                "threads": 1, "pool_size": 20, "daemonize": false, "verbosity": 0, "logfile": "/dev/null"
            }

            """
        let redis = ["--port", "0", "--unixsocket", socket, "--dir", site.folder, "--save", "", "--appendonly", "no"]
        return Setup([], settings: settings, backend: Program(paths: redisPrograms, arguments: redis))
    }

    /// The JSON gateway that etcd has beside gRPC.
    package static let etcd = Peer(
        "etcd",
        isRival: true,
        programs: ["/usr/bin/etcd", "/usr/local/bin/etcd"],
        dialect: { _, _, _ in HTTPDialect(.etcd) }
    ) { purpose, site in
        guard case .http = purpose else { return nil }
        let address = "http://127.0.0.1:\(site.port)"
        return Setup([
            "--data-dir", "\(site.folder)/data", "--listen-client-urls", address, "--advertise-client-urls", address,
            "--listen-peer-urls", "http://127.0.0.1:0", "--logger", "zap", "--log-level", "error",
        ])
    }
}

extension Peer.Transport {
    /// The dialect of racd by purpose; see ``Peer``.
    fileprivate var racDialect: @Sendable (Peer.Purpose, Int, Credentials?) -> any Dialect {
        { purpose, _, credentials in
            if case .http = purpose { return HTTPDialect(.rac) }
            return switch self {
            case .tcp: RacDialect(credentials)
            case .webSocket: WebSocketDialect(RacDialect(credentials, isFramed: false), at: .rac)
            }
        }
    }

    /// A dialect that is a stream of bytes over each transport.
    fileprivate func dialect<D: Dialect>(_ dialect: D, at place: WebSocketDialect<D>.Place) -> any Dialect {
        switch self {
        case .tcp: dialect
        case .webSocket: WebSocketDialect(dialect, at: place)
        }
    }
}

extension Peer.Setup {
    fileprivate static func racd(_ site: Peer.Site, _ arguments: [String]) -> Self {
        let address = "127.0.0.1:\(site.port)"
        let listen =
            if let certificate = site.protection.certificate {
                [
                    "--listen", "tls:\(address)", "--tls-cert", certificate.certificateFile, "--tls-key",
                    certificate.keyFile,
                ]
            } else {
                ["--listen", address]
            }
        let rules = site.protection.rulesOfRacd
        return Self(["serve"] + listen + arguments + (rules == nil ? [] : ["--config"]), settings: rules)
    }
}
