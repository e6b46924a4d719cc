/** Texts that have not been sent yet. They end with the tab, when they are sent or discarded, and when their author logs out. */
import { session } from "./api.js";

const PREFIX = "fanfare.draft.";

/** The draft of the user who is logged in, for one form: the home's, or that of an answer to one post. */
export function draft(place) {
  const name = `${PREFIX}${session.account.id}.${place}`;
  return { read, keep, drop: () => stored((storage) => storage.removeItem(name)) };

  /** The fields as they were kept, or null. */
  function read() {
    return stored((storage) => JSON.parse(storage.getItem(name)));
  }

  function keep(fields) {
    stored((storage) => storage.setItem(name, JSON.stringify(fields)));
  }
}

export function forgetDrafts() {
  stored((storage) =>
    Object.keys(storage)
      .filter((name) => name.startsWith(PREFIX))
      .forEach((name) => storage.removeItem(name)),
  );
}

/** A storage that is off or full keeps nothing: the form works without it. */
function stored(action) {
  try {
    return action(sessionStorage) ?? null;
  } catch {
    return null;
  }
}
