// swift-tools-version: 6.2
import PackageDescription

/// Whether warnings are errors: `.ci/run` and `make checks` set RAC_STRICT.
///
/// Elsewhere a declaration that a dependency has deprecated since must not break a build.
let isStrict = Context.environment["RAC_STRICT"] != nil

let settings: [SwiftSetting] =
    [
        .enableUpcomingFeature("ExistentialAny"),
        .enableUpcomingFeature("InternalImportsByDefault"),
        .enableUpcomingFeature("MemberImportVisibility"),
    ] + (isStrict ? [.treatAllWarnings(as: .error)] : [])

/// The settings of targets whose state one event loop owns: a release build does not check exclusive access at run time.
///
/// The checks were a third of the daemon's work. Debug builds, with which all tests run, keep them.
let ownedByLoop = settings + [.unsafeFlags(["-enforce-exclusivity=unchecked"], .when(configuration: .release))]

/// The trait of racd and racctl, which a package that wants the libraries alone leaves out with `traits: []`.
let argumentParser = Target.Dependency.product(
    name: "ArgumentParser",
    package: "swift-argument-parser",
    condition: .when(traits: ["Programs"])
)
let deque = Target.Dependency.product(name: "DequeModule", package: "swift-collections")
let heap = Target.Dependency.product(name: "HeapModule", package: "swift-collections")
/// The trait of clients that are services of swift-service-lifecycle, whose packages nothing else needs.
let lifecycle = Target.Dependency.product(
    name: "ServiceLifecycle",
    package: "swift-service-lifecycle",
    condition: .when(traits: ["ServiceLifecycle"])
)
let logging = Target.Dependency.product(name: "Logging", package: "swift-log")
let metrics = Target.Dependency.product(name: "CoreMetrics", package: "swift-metrics")
let metricsTestKit = Target.Dependency.product(name: "MetricsTestKit", package: "swift-metrics")
let nio = Target.Dependency.product(name: "NIO", package: "swift-nio")
let nioCore = Target.Dependency.product(name: "NIOCore", package: "swift-nio")
let nioEmbedded = Target.Dependency.product(name: "NIOEmbedded", package: "swift-nio")
let nioHTTP1 = Target.Dependency.product(name: "NIOHTTP1", package: "swift-nio")
let nioPosix = Target.Dependency.product(name: "NIOPosix", package: "swift-nio")
/// The trait of TLS, whose library takes longer to build than all else that a program with RacClient needs.
let nioSSL = Target.Dependency.product(name: "NIOSSL", package: "swift-nio-ssl", condition: .when(traits: ["TLS"]))
let nioTestUtils = Target.Dependency.product(name: "NIOTestUtils", package: "swift-nio")
let nioTLS = Target.Dependency.product(name: "NIOTLS", package: "swift-nio")

/// Whether libFuzzer drives this build: Fuzz/run sets RAC_FUZZ, and all targets are compiled for it then.
let isFuzzed = Context.environment["RAC_FUZZ"] != nil

/// The test targets to build, by name: Tests/sanitizers/run sets RAC_TESTS, so that nothing else is built with a sanitizer.
let chosenTests = Context.environment["RAC_TESTS"].map { Set($0.split(separator: " ").map(String.init)) }

/// The target of racd or racctl: a library in a build for libFuzzer, since no program links another one.
///
/// It is no product by name: SwiftPM makes one in this package, and none for a package that depends on it. There
/// `swift build --product RacClient` builds all products. The programs would not compile without their trait.
func program(_ name: String, main: String, dependencies: [Target.Dependency]) -> Target {
    isFuzzed
        ? .target(name: name, dependencies: dependencies, exclude: [main], swiftSettings: settings)
        : .executableTarget(name: name, dependencies: dependencies, swiftSettings: settings)
}

/// The targets that Fuzz runs on random input.
///
/// Tests run the kept inputs; a program of libFuzzer tries new ones.
let fuzzDependencies: [Target.Dependency] = [
    "racd", "racctl", "RacAccess", "RacConfiguration", "RacServer", "RacClient", "RacProtocol", "RacWeb",
    argumentParser, nioCore, nioEmbedded, nioHTTP1, nioSSL, logging,
]
let fuzz =
    !isFuzzed
    ? Target.testTarget(
        name: "FuzzTests",
        dependencies: fuzzDependencies,
        path: "Fuzz",
        exclude: ["Corpus", "Driver", "protocol.dict", "run"],
        sources: ["Targets", "Tests"],
        swiftSettings: settings
    )
    : Target.executableTarget(
        name: "rac-fuzz",
        dependencies: fuzzDependencies,
        path: "Fuzz",
        exclude: ["Corpus", "Tests", "protocol.dict", "run"],
        sources: ["Targets", "Driver"],
        swiftSettings: settings
    )

let package = Package(
    name: "rac",
    // The first systems with the module Synchronization.
    platforms: [.macOS(.v15), .iOS(.v18), .tvOS(.v18), .watchOS(.v11), .visionOS(.v2)],
    products: [
        .library(name: "Rac", targets: ["Rac"]),
        .library(name: "RacProtocol", targets: ["RacProtocol"]),
        .library(name: "RacClient", targets: ["RacClient"]),
        .library(name: "RacTestKit", targets: ["RacTestKit"]),
    ],
    traits: [
        .default(enabledTraits: ["Programs", "TLS"]),
        .trait(name: "Programs", description: "racd and racctl, which need swift-argument-parser"),
        .trait(
            name: "ServiceLifecycle",
            description: "Client as a Service of swift-service-lifecycle"
        ),
        .trait(name: "TLS", description: "racs:// in clients and TLS in the daemon, which need swift-nio-ssl"),
    ],
    dependencies: [
        .package(url: "https://github.com/apple/swift-argument-parser", from: "1.8.2"),
        .package(url: "https://github.com/apple/swift-collections", from: "1.6.0"),
        .package(url: "https://github.com/apple/swift-log", from: "1.16.2"),
        .package(url: "https://github.com/apple/swift-metrics", from: "2.13.0"),
        .package(url: "https://github.com/apple/swift-nio", from: "2.101.2"),
        .package(url: "https://github.com/apple/swift-nio-ssl", from: "2.37.6"),
        .package(url: "https://github.com/swift-server/swift-service-lifecycle", from: "2.13.0"),
    ],
    targets: [
        .systemLibrary(name: "CCrypto", providers: [.apt(["libssl-dev"])]),
        .systemLibrary(name: "CZlib", providers: [.apt(["zlib1g-dev"])]),
        .systemLibrary(name: "CGlibc"),
        .systemLibrary(name: "CSQLite", providers: [.apt(["libsqlite3-dev"])]),
        .systemLibrary(name: "CSpawn"),
        .target(name: "CPage"),
        .target(name: "Rac", swiftSettings: settings),
        .target(name: "RacProtocol", dependencies: ["CZlib", nioCore], swiftSettings: settings),
        .target(name: "RacAccess", dependencies: ["RacProtocol", "CCrypto"], swiftSettings: settings),
        .target(name: "RacHost", dependencies: ["RacAccess", "RacProtocol", deque, heap], swiftSettings: ownedByLoop),
        .target(
            name: "RacWeb",
            dependencies: ["RacAccess", "RacProtocol", "CCrypto", "CPage", nioCore, nioHTTP1],
            swiftSettings: ownedByLoop
        ),
        .target(name: "RacStore", dependencies: ["RacProtocol", "CSQLite", logging], swiftSettings: settings),
        .target(
            name: "RacServer",
            dependencies: [
                "RacAccess", "RacHost", "RacStore", "RacProtocol", "RacWeb", "CGlibc", deque, nioCore, nioHTTP1,
                nioPosix, nioSSL, nioTLS, logging,
            ],
            swiftSettings: ownedByLoop
        ),
        .target(
            name: "RacConfiguration",
            dependencies: ["RacAccess", "RacProtocol", "RacServer", "RacWeb", "CGlibc", logging],
            swiftSettings: settings
        ),
        .target(
            name: "RacConnection",
            dependencies: ["RacProtocol", nioCore, nioPosix, nioSSL, nioTLS],
            swiftSettings: settings
        ),
        .target(
            name: "RacClient",
            dependencies: ["Rac", "RacConnection", "RacProtocol", nioCore, nioPosix, logging, metrics, lifecycle],
            swiftSettings: settings
        ),
        .target(
            name: "RacTestKit",
            dependencies: ["Rac", "RacClient", "RacConnection", "RacServer", nioCore, nioPosix, logging],
            swiftSettings: settings
        ),
        program(
            "racd",
            main: "Racd.swift",
            dependencies: [
                "RacAccess", "RacConfiguration", "RacServer", "RacProtocol", argumentParser, logging,
            ]
        ),
        program(
            "racctl",
            main: "Main.swift",
            dependencies: [
                "RacClient", "RacConnection", "RacProtocol", "CSpawn", argumentParser, nioCore, nioHTTP1,
            ]
        ),
        .target(
            name: "RacTesting",
            dependencies: ["Rac", "RacConnection", "RacProtocol", "CCrypto", "CSpawn"],
            swiftSettings: settings
        ),
        .target(
            name: "RacSimulation",
            dependencies: [
                "Rac", "RacAccess", "RacClient", "RacHost", "RacProtocol", "RacServer", "RacStore", "RacTesting", deque,
                heap, nioCore,
            ],
            swiftSettings: settings
        ),
        .executableTarget(
            name: "rac-simulate",
            dependencies: ["RacSimulation", argumentParser],
            swiftSettings: settings
        ),
        .testTarget(
            name: "SimulationTests",
            dependencies: ["RacSimulation", "RacTesting", "rac-simulate"],
            exclude: ["Plans"],
            swiftSettings: settings
        ),
        .target(name: "Expectations", path: "Tests/Expectations", swiftSettings: settings),
        .testTarget(name: "RacTestingTests", dependencies: ["RacTesting"], swiftSettings: settings),
        .target(
            name: "RacExamples",
            dependencies: ["Rac"],
            path: "Examples",
            exclude: ["Volume"],
            swiftSettings: settings
        ),
        .executableTarget(
            name: "volume",
            dependencies: ["RacClient"],
            path: "Examples/Volume",
            swiftSettings: settings
        ),
        .testTarget(name: "RacTests", dependencies: ["Rac", "RacTesting"], swiftSettings: settings),
        .testTarget(
            name: "RacMainActorTests",
            dependencies: ["Rac", "RacTesting"],
            swiftSettings: settings + [.defaultIsolation(MainActor.self)]
        ),
        .testTarget(
            name: "RacExamplesTests",
            dependencies: ["RacExamples", "Rac", "RacClient", "RacTestKit"],
            swiftSettings: settings
        ),
        .testTarget(
            name: "RacProtocolTests",
            dependencies: ["RacProtocol", "RacTesting", nioCore, nioTestUtils],
            swiftSettings: settings
        ),
        .testTarget(
            name: "RacAccessTests",
            dependencies: ["RacAccess", "RacProtocol", "RacTesting"],
            swiftSettings: settings
        ),
        .testTarget(
            name: "RacWebTests",
            dependencies: ["RacWeb", "RacAccess", "RacProtocol", "RacTesting", nioCore, nioHTTP1],
            swiftSettings: settings
        ),
        .testTarget(
            name: "RacConfigurationTests",
            dependencies: [
                "RacAccess", "RacConfiguration", "RacProtocol", "RacServer", "RacTesting", "RacWeb", logging,
            ],
            swiftSettings: settings
        ),
        .testTarget(
            name: "RacHostTests",
            dependencies: ["RacAccess", "RacHost", "RacProtocol", "RacTesting", nioCore],
            swiftSettings: settings
        ),
        .testTarget(
            name: "RacStoreTests",
            dependencies: ["RacStore", "RacProtocol", "RacTesting", "CSQLite", logging],
            swiftSettings: settings
        ),
        .testTarget(
            name: "RacServerTests",
            dependencies: [
                "RacServer", "RacAccess", "RacHost", "RacProtocol", "RacTesting", "RacWeb", nioCore, nioEmbedded,
                nioSSL, logging,
            ],
            swiftSettings: settings
        ),
        .testTarget(
            name: "RacConnectionTests",
            dependencies: ["RacConnection", "RacProtocol", "RacTesting", nioCore, nioEmbedded, nioPosix],
            swiftSettings: settings
        ),
        .testTarget(
            name: "RacClientTests",
            dependencies: [
                "Rac", "RacAccess", "RacClient", "RacConnection", "RacProtocol", "RacServer", "RacTesting", nioCore,
                nioEmbedded, nioPosix, logging, metricsTestKit,
            ],
            swiftSettings: settings
        ),
        .testTarget(
            name: "RacTestKitTests",
            dependencies: ["RacTestKit", "Rac", "RacClient", "CGlibc", logging],
            swiftSettings: settings
        ),
        .testTarget(
            name: "racctlTests",
            dependencies: ["racctl", "RacConnection", "RacProtocol", argumentParser],
            swiftSettings: settings
        ),
        .testTarget(
            name: "ProcessTests",
            dependencies: [
                "racd", "racctl", "Rac", "RacAccess", "RacClient", "RacServer", "RacTesting", "CSpawn", logging,
            ],
            swiftSettings: settings
        ),
        fuzz,
    ],
    swiftLanguageModes: [.v6]
)

if let chosenTests {
    package.targets.removeAll { $0.type == .test && !chosenTests.contains($0.name) }
}

for test in package.targets where test.type == .test { test.dependencies.append("Expectations") }

// Swift leaves a module's file as it is if its interface is, even if the layout of a type below has changed. So each target
// depends on all modules below it, or an incremental build would leave it with the old layout: such a racd crashed.
// Tests/check-imports holds the imports to the direct dependencies.
func modulesBelow(_ target: Target, among modules: [String: Target]) -> Set<String> {
    target.dependencies.reduce(into: []) { names, dependency in
        guard case .byNameItem(let name, _) = dependency, let module = modules[name] else { return }
        names.formUnion(modulesBelow(module, among: modules).union([name]))
    }
}

let modules = Dictionary(uniqueKeysWithValues: package.targets.filter { $0.type != .system }.map { ($0.name, $0) })
for (target, names) in package.targets.map({ ($0, modulesBelow($0, among: modules)) }) {
    let direct = target.dependencies.compactMap { if case .byNameItem(let name, _) = $0 { name } else { nil } }
    target.dependencies += names.subtracting(direct).sorted().map { .byName(name: $0) }
}
