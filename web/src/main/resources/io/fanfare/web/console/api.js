/** The console's API. The session is a cookie that no script can read; the header says that one of our own pages asks. */
import { t } from "./i18n.js";

let lost = () => {};

/** To be called when the session has ended. */
export function whenLost(action) {
  lost = action;
}

const MILLIS = 30_000;

/** What is refused, or does not get there, fails with a sentence for people. */
async function send(method, path, { query, body } = {}) {
  const address = new URL(`/console/api/${path}`, location.origin);
  for (const [name, value] of Object.entries(query ?? {})) {
    if (value !== undefined && value !== null && value !== "") {
      address.searchParams.set(name, value);
    }
  }
  const headers = {
    "X-Fanfare-Page": "1",
    Accept: "application/json",
    ...(body ? { "Content-Type": "application/json" } : {}),
  };
  let answer;
  try {
    answer = await fetch(address, {
      method,
      headers,
      body: body && JSON.stringify(body),
      signal: AbortSignal.timeout(MILLIS),
      credentials: "same-origin",
    });
  } catch {
    throw new Error(t("error.unreachable"));
  }
  const said = await answer.json().catch(() => ({}));
  if (answer.ok) {
    return said;
  }
  if (answer.status === 401 && path !== "login") {
    lost();
  }
  throw new Error(said.error ?? t("error.unknown"));
}

export const get = (path, query) => send("GET", path, { query });
export const post = (path, body = {}) => send("POST", path, { body });
