// swift-tools-version: 6.2
import PackageDescription

let settings: [SwiftSetting] = [
    .enableUpcomingFeature("ExistentialAny"),
    .enableUpcomingFeature("InternalImportsByDefault"),
    .enableUpcomingFeature("MemberImportVisibility"),
    .treatAllWarnings(as: .error),
]

let package = Package(
    name: "rac-benchmarks",
    products: [
        .executable(name: "rac-compare", targets: ["rac-compare"]),
        .executable(name: "rac-client-bench", targets: ["rac-client-bench"]),
        .executable(name: "rac-costs", targets: ["rac-costs"]),
        .library(name: "AllocationCounter", type: .dynamic, targets: ["CAllocationCounter"]),
        .executable(name: "relay", targets: ["relay"]),
    ],
    dependencies: [
        .package(name: "rac", path: ".."),
        .package(url: "https://github.com/apple/swift-argument-parser", from: "1.8.2"),
    ],
    targets: [
        .systemLibrary(name: "CBenchmarkSQLite", pkgConfig: "sqlite3", providers: [.apt(["libsqlite3-dev"])]),
        .target(name: "CBenchmark"),
        .target(name: "CBenchmarkTLS", linkerSettings: [.linkedLibrary("ssl"), .linkedLibrary("crypto")]),
        .target(
            name: "LoadGenerator",
            dependencies: ["CBenchmark", "CBenchmarkSQLite", "CBenchmarkTLS"],
            swiftSettings: settings
        ),
        .executableTarget(
            name: "rac-compare",
            dependencies: [
                "LoadGenerator",
                .product(name: "ArgumentParser", package: "swift-argument-parser"),
            ],
            swiftSettings: settings
        ),
        .target(name: "CAllocationCounter"),
        .executableTarget(
            name: "rac-costs",
            dependencies: [
                "CAllocations",
                "LoadGenerator",
                .product(name: "ArgumentParser", package: "swift-argument-parser"),
                .product(name: "Rac", package: "rac"),
            ],
            swiftSettings: settings
        ),
        .target(name: "CAllocations"),
        .executableTarget(
            name: "rac-client-bench",
            dependencies: [
                "CAllocations",
                "LoadGenerator",
                .product(name: "ArgumentParser", package: "swift-argument-parser"),
                .product(name: "RacClient", package: "rac"),
            ],
            swiftSettings: settings
        ),
        .executableTarget(name: "relay"),
        .testTarget(name: "LoadGeneratorTests", dependencies: ["LoadGenerator"], swiftSettings: settings),
    ],
    swiftLanguageModes: [.v6]
)
