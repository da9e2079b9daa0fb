// swift-tools-version: 6.2
import PackageDescription

// A package as users of RacClient have it: without racd and racctl. `make library` builds it.
let package = Package(
    name: "dependent",
    platforms: [.macOS(.v15)],
    dependencies: [
        .package(name: "rac", path: "../..", traits: ["ServiceLifecycle"]),
        .package(url: "https://github.com/apple/swift-log", from: "1.16.2"),
        .package(url: "https://github.com/swift-server/swift-service-lifecycle", from: "2.13.0"),
    ],
    targets: [
        .executableTarget(name: "dependent", dependencies: [.product(name: "RacClient", package: "rac")]),
        .testTarget(
            name: "DependentTests",
            dependencies: [
                .product(name: "RacClient", package: "rac"), .product(name: "RacTestKit", package: "rac"),
                .product(name: "Logging", package: "swift-log"),
                .product(name: "ServiceLifecycle", package: "swift-service-lifecycle"),
                .product(name: "UnixSignals", package: "swift-service-lifecycle"),
            ]
        ),
    ]
)
