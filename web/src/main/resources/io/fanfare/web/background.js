/** The service worker of somebody who is logged in, which is worker.js. */
import { base, workerUrl } from "./dom.js";

const PREFIX = `fanfare:${base}:`; // of the names of its caches
const SCOPE = `${base}/`;

/** Whether this server and this browser have one: browsers only over https and of this machine. */
export const possible = "serviceWorker" in navigator && workerUrl !== null;

/** Registers it. Fails where the browser refuses, as with site data switched off. */
export async function register() {
  const registration = await navigator.serviceWorker.register(workerUrl, { scope: SCOPE, updateViaCache: "none" });
  // After a log-out and a log-in the browser may reuse the worker that was unregistered, whose cache is deleted.
  if (!(await caches.keys()).some((name) => name.startsWith(PREFIX))) {
    registration.active?.postMessage("keep");
  }
}

/** The registration of exactly this site: another program may have one for all paths of the origin. */
export async function registered() {
  const found = await navigator.serviceWorker.getRegistration(SCOPE);
  return found?.scope === new URL(SCOPE, location.origin).href ? found : undefined;
}

/** Registers it for somebody who is logged in; else ends it with all that it keeps and shows. */
export async function background(loggedIn) {
  try {
    await (loggedIn && possible ? register() : end());
  } catch (refused) {
    console.warn(refused); // The page does without.
  }
}

async function end() {
  if (!("serviceWorker" in navigator)) {
    return;
  }
  const registration = await registered();
  if (registration) {
    (await registration.getNotifications()).forEach((one) => one.close());
    await registration.unregister(); // And with it the subscription to pushed notifications.
  }
  for (const name of await caches.keys()) {
    name.startsWith(PREFIX) && (await caches.delete(name));
  }
}

/** Calls a listener with the path of each notification that was clicked. It returns whether the page shows the path. */
export function whenOpened(listener) {
  navigator.serviceWorker?.addEventListener("message", ({ data, ports }) => {
    if (data?.home === SCOPE && typeof data.show === "string" && listener(data.show)) {
      ports[0]?.postMessage(true);
    }
  });
}
