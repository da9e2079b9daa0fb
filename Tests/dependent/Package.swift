// swift-tools-version: 6.2
import PackageDescription

// A package as most users of RacClient have it: without the traits. `make library` builds it.
let package = Package(
    name: "dependent",
    platforms: [.macOS(.v15)],
    dependencies: [.package(name: "rac", path: "../..", traits: [])],
    targets: [
        .executableTarget(name: "dependent", dependencies: [.product(name: "RacClient", package: "rac")]),
        .testTarget(
            name: "DependentTests",
            dependencies: [.product(name: "RacClient", package: "rac"), .product(name: "RacTestKit", package: "rac")]
        ),
    ]
)
