/**
 * The service worker of somebody who is logged in. It shows a page of its own when the server cannot be reached, and
 * notifications that the server pushes. It keeps that page and its files, and no answer of the API and no other page.
 *
 * The server writes the constant SERVED before it: `on`, whether there should be one; `prefix` and `cache`, names of
 * caches of every version and of this one; `home`, the path of the web client; `offline`, that of the page; `files`,
 * those of its files.
 */
/* global SERVED */

const MILLIS = 5000; // for an answer about a notification that somebody has clicked on
const REPLY = 2000; // ms for an open page to take over, which may be drawing a list

addEventListener("install", (event) => event.waitUntil(SERVED.on ? keep(event) : skipWaiting()));
addEventListener("activate", (event) => event.waitUntil(SERVED.on ? begin() : end()));
if (SERVED.on) {
  addEventListener("fetch", answer);
  addEventListener("message", (event) => event.data === "keep" && event.waitUntil(fill()));
  addEventListener("push", (event) => event.waitUntil(show(event.data)));
  addEventListener("notificationclick", (event) => event.waitUntil(open(event.notification)));
  addEventListener("pushsubscriptionchange", (event) => event.waitUntil(renew()));
}

async function keep(event) {
  // Requests of the API do not wait for this script. One that a page sends as it closes would be lost here.
  await event.addRoutes?.({ condition: { urlPattern: `${SERVED.home}api/*` }, source: "network" });
  await fill();
  await skipWaiting();
}

/** During an upgrade a process of another version may answer: its page names other files, and its files must not be kept. */
async function fill() {
  // Without the session: the page is the same for everybody. Most of its files have come with the page before.
  const requests = [
    new Request(SERVED.offline, { credentials: "omit", cache: "no-cache" }),
    ...SERVED.files.map((path) => new Request(path, { credentials: "omit" })),
  ];
  const answers = await Promise.all(requests.map((request) => fetch(request)));
  const isOurs = (await answers[0].clone().text()).includes(SERVED.files[0]);
  const isKept = ({ ok, headers }) => ok && !headers.get("Cache-Control")?.includes("no-store");
  if (!isOurs || !answers[0].ok || !answers.slice(1).every(isKept)) {
    throw new Error("The server has another version: the browser tries again at the next visit.");
  }
  const cache = await caches.open(SERVED.cache);
  await Promise.all(requests.map((request, i) => cache.put(request, answers[i])));
}

/** Forgets what versions before this one have kept. */
async function begin() {
  await forget((name) => name !== SERVED.cache);
  await registration.navigationPreload?.enable();
}

/** The server has switched it off. */
async function end() {
  await forget(() => true);
  await registration.unregister();
}

async function forget(which) {
  for (const name of await caches.keys()) {
    if (name.startsWith(SERVED.prefix) && which(name)) {
      await caches.delete(name);
    }
  }
}

function answer(event) {
  const { request } = event;
  const { origin, pathname } = new URL(request.url);
  if (request.method !== "GET" || origin !== location.origin) {
    return;
  }
  if (request.mode === "navigate") {
    event.respondWith(page(event));
  } else if (SERVED.files.includes(pathname)) {
    // Their paths name their version, so that a copy is never out of date.
    event.respondWith(kept(pathname).then((copy) => copy ?? fetch(request)));
  }
}

const kept = async (path) => (await caches.open(SERVED.cache)).match(path);

async function page(event) {
  try {
    return (await event.preloadResponse) ?? (await fetch(event.request));
  } catch {
    return (await kept(SERVED.offline)) ?? Response.error();
  }
}

/** The browser has decrypted the message. What it holds is shown as plain text. */
async function show(data) {
  let message = {};
  try {
    message = data.json();
  } catch {
    // A push must show something.
  }
  const { title, body, icon, notification_id: id } = message;
  await registration.showNotification(String(title ?? new URL(registration.scope).host), {
    body: String(body ?? ""),
    icon: typeof icon === "string" ? icon : undefined,
    tag: id === undefined ? undefined : String(id),
    data: { id: id === undefined ? null : String(id) },
  });
}

/** Shows what a notification is about, in a page that is open, else in a new one. */
async function open(notification) {
  notification.close();
  const path = await about(notification.data?.id).catch(() => "/notifications");
  for (const page of await clients.matchAll({ type: "window", includeUncontrolled: true })) {
    if (page.url.startsWith(registration.scope) && (await takes(page, path))) {
      return page.focus();
    }
  }
  return clients.openWindow(SERVED.home.slice(0, -1) + path);
}

/** The path of the post, or of the account, that a notification is about. */
async function about(id) {
  const answer = await fetch(`${SERVED.home}api/v1/notifications/${encodeURIComponent(id)}`, {
    headers: { "X-Fanfare-Page": "1" },
    signal: AbortSignal.timeout(MILLIS),
  });
  const { type, account, status } = answer.ok ? await answer.json() : {};
  return status
    ? `/@${status.account.acct}/${status.id}`
    : type === "follow" && account
      ? `/@${account.acct}`
      : "/notifications";
}

/** Whether a page shows a path: one of the web client answers, another one of this server does not. */
function takes(page, path) {
  return new Promise((resolve) => {
    const { port1, port2 } = new MessageChannel();
    port1.onmessage = () => resolve(true);
    setTimeout(resolve, REPLY, false);
    page.postMessage({ show: path, home: SERVED.home }, [port2]);
  });
}

/** The browser has ended a subscription: another one takes its place, for the same kinds. */
async function renew() {
  const path = `${SERVED.home}api/v1/push/subscription`;
  const headers = { "X-Fanfare-Page": "1", "Content-Type": "application/json" };
  const known = await fetch(path, { headers });
  if (!known.ok) {
    return;
  }
  const { alerts, policy, server_key: key } = await known.json();
  const subscription = await registration.pushManager.subscribe({ userVisibleOnly: true, applicationServerKey: key });
  await fetch(path, {
    method: "POST",
    headers,
    body: JSON.stringify({
      subscription: { ...subscription.toJSON(), standard: true },
      data: { alerts, policy },
    }),
  });
}
