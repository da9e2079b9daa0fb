#include "CPage.h"

#include <string.h>

// The directive #embed is a part of C23. Clang has it since version 19, which is the clang of Swift 6.1.
#pragma clang diagnostic ignored "-Wc23-extensions"
// The word __TIME__ keeps ccache from its direct mode, in which it does not notice a change of an embedded file.

// The path of a file below the daemon's address; the text follows, and a null byte ends it.
#define FILE_AT(path) {path, (const unsigned char[]) {
#define END , 0}},

static const struct { const char *path; const unsigned char *text; } files[] = {
    FILE_AT("examples/button.html")
#embed "../../console/examples/button.html"
    END
    FILE_AT("examples/button.js")
#embed "../../console/examples/button.js"
    END
    FILE_AT("examples/contact-form.html")
#embed "../../console/examples/contact-form.html"
    END
    FILE_AT("examples/contact-form.js")
#embed "../../console/examples/contact-form.js"
    END
    FILE_AT("examples/examples.css")
#embed "../../console/examples/examples.css"
    END
    FILE_AT("examples/index.html")
#embed "../../console/examples/index.html"
    END
    FILE_AT("examples/page.js")
#embed "../../console/examples/page.js"
    END
    FILE_AT("examples/text-fields.html")
#embed "../../console/examples/text-fields.html"
    END
    FILE_AT("examples/text-fields.js")
#embed "../../console/examples/text-fields.js"
    END
    FILE_AT("examples/uploads.html")
#embed "../../console/examples/uploads.html"
    END
    FILE_AT("examples/uploads.js")
#embed "../../console/examples/uploads.js"
    END
    FILE_AT("index.html")
#embed "../../console/index.html"
    END
    FILE_AT("page/channels.js")
#embed "../../console/page/channels.js"
    END
    FILE_AT("page/commands.js")
#embed "../../console/page/commands.js"
    END
    FILE_AT("page/detail.js")
#embed "../../console/page/detail.js"
    END
    FILE_AT("page/dialogs.js")
#embed "../../console/page/dialogs.js"
    END
    FILE_AT("page/dom.js")
#embed "../../console/page/dom.js"
    END
    FILE_AT("page/drafts.js")
#embed "../../console/page/drafts.js"
    END
    FILE_AT("page/editor.js")
#embed "../../console/page/editor.js"
    END
    FILE_AT("page/ends.js")
#embed "../../console/page/ends.js"
    END
    FILE_AT("page/history.js")
#embed "../../console/page/history.js"
    END
    FILE_AT("page/json.js")
#embed "../../console/page/json.js"
    END
    FILE_AT("page/main.js")
#embed "../../console/page/main.js"
    END
    FILE_AT("page/names.js")
#embed "../../console/page/names.js"
    END
    FILE_AT("page/overview.js")
#embed "../../console/page/overview.js"
    END
    FILE_AT("page/session.js")
#embed "../../console/page/session.js"
    END
    FILE_AT("page/style.css")
#embed "../../console/page/style.css"
    END
    FILE_AT("page/transfer.js")
#embed "../../console/page/transfer.js"
    END
    FILE_AT("page/tree.js")
#embed "../../console/page/tree.js"
    END
    FILE_AT("rac.js")
#embed "../../clients/javascript/rac.js"
    END
    FILE_AT("rac.d.ts")
#embed "../../clients/javascript/rac.d.ts"
    END
    FILE_AT("rac/agreement.js")
#embed "../../clients/javascript/rac/agreement.js"
    END
    FILE_AT("rac/binding.js")
#embed "../../clients/javascript/rac/binding.js"
    END
    FILE_AT("rac/buttons.js")
#embed "../../clients/javascript/rac/buttons.js"
    END
    FILE_AT("rac/cells.js")
#embed "../../clients/javascript/rac/cells.js"
    END
    FILE_AT("rac/commands.js")
#embed "../../clients/javascript/rac/commands.js"
    END
    FILE_AT("rac/engine.js")
#embed "../../clients/javascript/rac/engine.js"
    END
    FILE_AT("rac/errors.js")
#embed "../../clients/javascript/rac/errors.js"
    END
    FILE_AT("rac/executions.js")
#embed "../../clients/javascript/rac/executions.js"
    END
    FILE_AT("rac/fields.js")
#embed "../../clients/javascript/rac/fields.js"
    END
    FILE_AT("rac/hosting.js")
#embed "../../clients/javascript/rac/hosting.js"
    END
    FILE_AT("rac/links.js")
#embed "../../clients/javascript/rac/links.js"
    END
    FILE_AT("rac/pauses.js")
#embed "../../clients/javascript/rac/pauses.js"
    END
    FILE_AT("rac/session.js")
#embed "../../clients/javascript/rac/session.js"
    END
    FILE_AT("rac/terminals.js")
#embed "../../clients/javascript/rac/terminals.js"
    END
    FILE_AT("rac/values.js")
#embed "../../clients/javascript/rac/values.js"
    END
    FILE_AT("rac/watches.js")
#embed "../../clients/javascript/rac/watches.js"
    END
    FILE_AT("rac/websocket.js")
#embed "../../clients/javascript/rac/websocket.js"
    END
};

struct PageFile pageFile(size_t number) {
    if (number >= sizeof files / sizeof *files) return (struct PageFile) {0};
    return (struct PageFile) {files[number].path, files[number].text, strlen((const char *) files[number].text)};
}
