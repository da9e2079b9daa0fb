import Glibc

/// The servers that are compared, each with the settings that suit the work best and promise what racd promises.
extension Peer {
    /// The daemon as a user starts it, which keeps every change on disk; `arguments` are more of `racd serve`.
    package static func racd(_ program: String, _ arguments: [String] = []) -> Peer {
        Peer("racd", isRival: false, programs: [program], dialect: { RacDialect($1) }) { _, site in
            .racd(site, ["--data", "\(site.folder)/data"] + arguments)
        }
    }

    /// A daemon without rules, when all others have them: it tells the price of racd's rules.
    package static func racdOpen(_ program: String, _ arguments: [String] = []) -> Peer {
        Peer("racd-open", isRival: false, programs: [program], isOpen: true, dialect: { RacDialect($1) }) { _, site in
            .racd(site, ["--data", "\(site.folder)/data"] + arguments)
        }
    }

    /// The daemon that keeps nothing on disk, as the brokers do unless told otherwise.
    package static func racdInMemory(_ program: String, _ arguments: [String] = []) -> Peer {
        Peer("racd-memory", isRival: false, programs: [program], dialect: { RacDialect($1) }) { purpose, site in
            switch purpose {
            case .broadcast, .pairs, .routed: .racd(site, ["--memory"] + arguments)
            case .durable, .kept: nil
            }
        }
    }

    /// The yardstick: a program in C that only copies frames, and knows no TLS.
    package static func relay(_ program: String) -> Peer {
        Peer("relay", isRival: false, programs: [program], dialect: { _, _ in RelayDialect() }) { purpose, site in
            guard site.protection.certificate == nil else { return nil }
            return switch purpose {
            case .broadcast: Setup(["\(site.port)"])
            case .pairs(let pairs): Setup(["\(site.port)", "\(pairs)"])
            case .routed, .durable, .kept: nil
            }
        }
    }

    package static let mosquitto = Peer(
        "mosquitto",
        isRival: true,
        programs: ["/usr/sbin/mosquitto", "/usr/bin/mosquitto", "/usr/local/sbin/mosquitto"],
        dialect: { MQTTDialect($1) }
    ) { purpose, site in
        // As root it would become a user that cannot write the folder.
        let common = """
            listener \(site.port) 127.0.0.1
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
        }
    }

    package static let nats = Peer(
        "nats",
        isRival: true,
        programs: ["/usr/sbin/nats-server", "/usr/bin/nats-server", "/usr/local/bin/nats-server"],
        dialect: { NATSDialect(name: $0, $1) }
    ) { purpose, site in
        let common = "listen: \"127.0.0.1:\(site.port)\"\n" + site.protection.settingsOfNATS
        let kept = common + "jetstream {\n    store_dir: \"\(site.folder)\"\n}\n"
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
        dialect: { RESPDialect($1) }
    ) { purpose, site in
        let common = "bind 127.0.0.1\ndir \"\(site.folder)\"\nmaxclients 20000\nsave \"\"\n"
        let settings =
            switch purpose {
            case .broadcast, .pairs, .routed: "appendonly no\n"
            case .durable: "appendonly yes\nappendfsync always\n"
            case .kept: "appendonly yes\nappendfsync everysec\n"
            }
        return Setup([], settings: site.protection.settingsOfRedis(port: site.port) + common + settings)
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
