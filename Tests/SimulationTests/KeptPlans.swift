import Foundation
import RacSimulation
import Testing

/// Every plan that ever broke a promise, made as short as it could be, from the folder beside this file.
///
/// `rac-simulate --keep FILE` writes them. A seed would mean another history as soon as the plans are made up otherwise.
enum KeptPlans {
    struct Kept {
        let name: String
        let plan: Plan
    }

    static func all() throws -> [Kept] {
        let folder = URL(filePath: #filePath).deletingLastPathComponent().appending(path: "Plans")
        let files = try FileManager.default.contentsOfDirectory(at: folder, includingPropertiesForKeys: nil)
        return try files.filter { $0.pathExtension == "json" }.sorted { $0.path < $1.path }.map { file in
            let plan = try JSONDecoder().decode(Plan.self, from: Data(contentsOf: file))
            return Kept(name: file.deletingPathExtension().lastPathComponent, plan: plan)
        }
    }
}
