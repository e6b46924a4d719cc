/** The service worker of somebody who is logged in, which is worker.js. */
import { base, workerUrl } from "./dom.js";

const PREFIX = `fanfare:${base}:`; // of the names of its caches
const SCOPE = `${base}/`;

/** Whether this server and this browser have one: browsers only over https and of this machine. */
export const possible = "serviceWorker" in navigator && workerUrl !== null;

/** Registers it. Fails where the browser refuses, as with site data switched off. */
export const register = () => navigator.serviceWorker.register(workerUrl, { scope: SCOPE, updateViaCache: "none" });

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
  const registration = await navigator.serviceWorker.getRegistration(SCOPE);
  if (registration) {
    (await registration.getNotifications()).forEach((one) => one.close());
    await registration.unregister(); // And with it the subscription to pushed notifications.
  }
  for (const name of await caches.keys()) {
    name.startsWith(PREFIX) && (await caches.delete(name));
  }
}

/** Calls a listener with each path that somebody wants to see who has clicked on a notification. */
export function whenOpened(listener) {
  navigator.serviceWorker?.addEventListener("message", ({ data, ports }) => {
    if (typeof data?.show === "string") {
      ports[0]?.postMessage(true);
      listener(data.show);
    }
  });
}
