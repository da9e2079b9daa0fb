// console/embed writes this file.
// swift-format-ignore-file

extension EmbeddedFiles {
    /// The texts of the files, by their paths.
    static let texts: [String: StaticString] = [
        "index.html": ##"""
<!doctype html>
<html lang="en">
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>racd</title>
<link rel="stylesheet" href="/style.css">
<main>
<h1>racd</h1>
<p>This daemon serves named channels by the rac protocol, by WebSocket at <code>/rac</code>, and by HTTP.</p>
<ul>
<li><a href="/v1/channels">/v1/channels</a>: the channels</li>
<li><a href="/openapi.json">/openapi.json</a>: the API, for machines</li>
</ul>
</main>
</html>

"""##,
        "style.css": ##"""
:root {
    color-scheme: light dark;
}

body {
    font: 1rem/1.5 system-ui, sans-serif;
    margin: 2rem auto;
    max-width: 40rem;
    padding: 0 1rem;
}

"""##,
    ]
}
