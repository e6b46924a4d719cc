/** The public API, as every other client sees it. The session is a cookie that no script can read. */
import { base, lazily, publicUrl, unreachable } from "./dom.js";
import { t } from "./i18n.js";

/** What the server refuses, or what did not get there; `message` is a sentence for people, `again` how many seconds to wait. */
export class ApiError extends Error {
  constructor(status, message, details = {}, again = 0) {
    super(message);
    this.status = status;
    this.details = details;
    this.again = again;
  }
}

/** Who is logged in; account is null for nobody. */
export const session = { account: null, role: null, needsFactor: false, unconfirmed: false, passwordReset: false };
let lost = () => {};
let chosen = () => {};
let ahead = 0; // ms by which the server's clock is ahead of this one

/** What a reader sees depends on these. */
const CHOICES = /^\/api\/v\d\/(accounts|filters|follow_requests|lists|notifications|tags)\b/;

/** To be called when the session has ended elsewhere. */
export function whenLost(action) {
  lost = action;
}

/** To be called when the reader has chosen anew what to see. */
export function whenChosen(action) {
  chosen = action;
}

/** Milliseconds since 1970 by the server's clock. */
export const serverNow = () => Date.now() + ahead;

const MILLIS = 20_000;

async function send(method, path, { body, query, key, keepalive = false } = {}) {
  const headers = { "X-Fanfare-Page": "1", Accept: "application/json" };
  if (key) {
    headers["Idempotency-Key"] = key;
  }
  let sent = body;
  if (body && !(body instanceof FormData)) {
    headers["Content-Type"] = "application/json";
    sent = JSON.stringify(body);
  }
  const address = new URL(base + path, location.origin);
  for (const [name, value] of Object.entries(query ?? {})) {
    for (const one of Array.isArray(value) ? value : [value]) {
      if (one !== undefined && one !== null && one !== "") {
        address.searchParams.append(name, one);
      }
    }
  }
  let answer;
  try {
    answer = await fetch(address, {
      method,
      headers,
      body: sent,
      signal: AbortSignal.timeout(MILLIS),
      credentials: "same-origin",
      keepalive,
    });
  } catch {
    throw unanswered();
  }
  const said = await answer.json().catch(() => ({}));
  ahead = Date.parse(answer.headers.get("Date")) - Date.now() || 0;
  if (answer.ok) {
    if (method === "DELETE" || (method !== "GET" && CHOICES.test(path))) {
      chosen();
    }
    return { said, answer };
  }
  if (answer.status === 401 && session.account && !path.startsWith("/api/v1/session")) {
    lost();
  }
  throw refusal(answer.status, answer.headers.get("Retry-After"), said);
}

const unanswered = () => new ApiError(0, unreachable());

/** @param after the header Retry-After; null without one */
function refusal(status, after, said) {
  const again = Number(after) || 0;
  const sentence =
    status === 429
      ? t("error.toomany", { n: Math.ceil((again || 60) / 60) })
      : status >= 500
        ? t("error.busy")
        : (said.error ?? t("error.unknown"));
  return new ApiError(status, sentence, said.details, again);
}

export const get = async (path, query) => (await send("GET", path, { query })).said;
export const post = async (path, body, key) => (await send("POST", path, { body: body ?? {}, key })).said;
export const put = async (path, body) => (await send("PUT", path, { body: body ?? {} })).said;
export const patch = async (path, body) => (await send("PATCH", path, { body })).said;
export const remove = async (path) => (await send("DELETE", path)).said;
/** The same, also when the page goes away meanwhile. */
export const removeAtLast = async (path) => (await send("DELETE", path, { keepalive: true })).said;

/** A page of a list: its items, what brings the next one, null at the end, and which part of the requests that the server allows is left. */
export async function list(path, query) {
  const { said, answer } = await send("GET", path, { query });
  const room = Number(answer.headers.get("X-RateLimit-Remaining")) / Number(answer.headers.get("X-RateLimit-Limit"));
  const next = /<([^>]+)>;\s*rel="next"/.exec(answer.headers.get("Link") ?? "");
  const address = next && next[1].startsWith(publicUrl) ? next[1].slice(publicUrl.length) : null;
  return { items: said, more: address === null ? null : () => list(address), room: Number.isFinite(room) ? room : 1 };
}

/** A file with the name that the server gives it. It may take as long as it likes to come. */
export async function download(path) {
  let answer;
  try {
    answer = await fetch(base + path, { headers: { "X-Fanfare-Page": "1" }, credentials: "same-origin" });
    if (answer.ok) {
      const name = /filename="([^"]+)"/.exec(answer.headers.get("Content-Disposition") ?? "")?.[1] ?? "";
      return { blob: await answer.blob(), name };
    }
  } catch {
    throw unanswered();
  }
  throw refusal(answer.status, answer.headers.get("Retry-After"), await answer.json().catch(() => ({})));
}

const STALLED = 60_000; // ms without a byte sent, after which an upload has failed

/** Sends a form with a file, and tells from time to time which part of it is sent; it may take as long as it goes on. */
export function upload(path, body, tell) {
  return new Promise((resolve, reject) => {
    const request = new XMLHttpRequest();
    let watch = setTimeout(() => request.abort(), STALLED);
    const goesOn = () => (clearTimeout(watch), (watch = setTimeout(() => request.abort(), STALLED)));
    request.open("POST", base + path);
    request.setRequestHeader("X-Fanfare-Page", "1");
    request.setRequestHeader("Accept", "application/json");
    request.responseType = "json";
    request.upload.onprogress = ({ loaded, total }) => (goesOn(), tell(total > 0 ? loaded / total : 0));
    request.onloadend = () => {
      clearTimeout(watch);
      const said = request.response ?? {};
      if (request.status >= 200 && request.status < 300) {
        resolve(said);
      } else if (request.status === 0) {
        reject(unanswered());
      } else {
        request.status === 401 && session.account && lost();
        reject(refusal(request.status, request.getResponseHeader("Retry-After"), said));
      }
    };
    request.send(body);
  });
}

let emojis = null;

/** The custom emojis of the server, read once; none as long as they cannot be read. */
export function customEmojis() {
  emojis ??= get("/api/v1/custom_emojis").catch(() => ((emojis = null), []));
  return emojis;
}

function keep({ account, role = null, needs_factor = false, unconfirmed = false, password_reset }) {
  session.account = account;
  session.role = role;
  session.needsFactor = needs_factor;
  session.unconfirmed = unconfirmed;
  session.passwordReset = password_reset ?? session.passwordReset;
}

const MANAGE_REPORTS = 0x10; // of Mastodon's permissions

/** Whether the account has a role that reads reports. */
export const moderates = () => (Number(session.role?.permissions) & MANAGE_REPORTS) !== 0;

export async function begin() {
  keep(await get("/api/v1/session"));
}

/** Whether the account has a second factor, whose code completes the log-in. */
export async function logIn(username, password) {
  const said = await post("/api/v1/session", { username, password });
  keep(said);
  return said.needs_code === true;
}

export async function logInByCode(code) {
  keep(await post("/api/v1/session/code", { code }));
}

/** Does what the server may want a code of the second factor for, after it has asked for one. */
export async function withCode(act) {
  try {
    return await act();
  } catch (refused) {
    if (refused.details?.code?.[0].error !== "ERR_CODE_NEEDED") {
      throw refused;
    }
    const { confirmSession } = await lazily(import("./factor.js"));
    if (!(await confirmSession())) {
      throw new Error(t("factor.unconfirmed"), { cause: refused });
    }
    return act();
  }
}

export async function signUp(fields, key) {
  keep(await post("/api/v1/session/sign_up", fields, key));
}

export async function logOut() {
  await remove("/api/v1/session");
  session.account = null;
}
