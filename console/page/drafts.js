// Drafts: edits that are not set yet, kept in the tab while a person signs in again.

const PREFIX = "draft ";
let storage;
try {
  storage = sessionStorage;
} catch {
  // The browser keeps nothing of this page.
}

export function keepDraft(draft) {
  storage.setItem(`${PREFIX}${draft.side} ${draft.edited}`, JSON.stringify(draft));
}

/** Takes the drafts of a principal out of the storage, and those from before anybody signed in. */
export function takeDrafts(principal) {
  return Object.entries(storage ?? {}).flatMap(([key, text]) => {
    const draft = key.startsWith(PREFIX) ? JSON.parse(text) : undefined;
    if (draft === undefined || ![principal, "anonymous"].includes(draft.principal)) return [];
    storage.removeItem(key);
    return [draft];
  });
}
