import Foundation
import RacSimulation
import rac_simulate

/// Every plan that ever broke a promise, made as short as it could be, from the folder beside this file.
///
/// `rac-simulate --keep FILE` writes them. A seed would mean another history as soon as the plans are made up otherwise.
enum KeptPlans {
    struct Kept {
        let name: String
        let text: String
        let plan: Plan
    }

    static func all() throws -> [Kept] {
        let folder = URL(filePath: #filePath).deletingLastPathComponent().appending(path: "Plans")
        let files = try FileManager.default.contentsOfDirectory(at: folder, includingPropertiesForKeys: nil)
        return try files.filter { $0.pathExtension == "json" }.sorted { $0.path < $1.path }.map { file in
            let text = try String(contentsOf: file, encoding: .utf8)
            return Kept(name: file.deletingPathExtension().lastPathComponent, text: text, plan: try PlanFile.read(file))
        }
    }
}
