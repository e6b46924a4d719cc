/** Notifications that this browser shows while no page is open: Web Push, for the session of this browser. */
import { h, labelled, once, toast, tried } from "./dom.js";
import * as api from "./api.js";
import { possible, register, registered } from "./background.js";
import { t } from "./i18n.js";

const PATH = "/api/v1/push/subscription";
const KINDS = ["mention", "follow", "follow_request", "favourite", "reblog", "quote", "status", "poll", "update"];
const AT_FIRST = new Set(["mention", "follow", "follow_request", "favourite", "reblog", "quote"]);
const SENDERS = ["all", "followed", "follower"];
const PATIENCE = 10_000; // ms for the service worker to begin

/** @param key by which the push service knows the server */
export function push(key) {
  const box = h("div", { class: "fields-form push" }, h("p", { class: "loading-line" }, t("loading")));
  const parts = [h("h3", {}, t("push.title")), box];
  if (!possible || !("PushManager" in globalThis)) {
    box.replaceChildren(h("p", { class: "hint" }, t("push.unsupported")));
    return parts;
  }
  const on = h("input", { type: "checkbox", name: "push", on: { change: turn } });
  const kinds = KINDS.map((kind) =>
    h("input", { type: "checkbox", name: kind, checked: AT_FIRST.has(kind), on: { change } }),
  );
  const from = h(
    "select",
    { name: "from", on: { change } },
    SENDERS.map((one) => h("option", { value: one }, t(`push.from.${one}`))),
  );
  const choices = h(
    "fieldset",
    {},
    h("legend", {}, t("push.kinds")),
    kinds.map((kind) => h("label", { class: "check" }, kind, h("span", {}, t(`push.kind.${kind.name}`)))),
    labelled("push.from", from),
  );
  begin();
  return parts;

  async function begin() {
    try {
      const [here, there] = await Promise.all([subscribed(), known()]);
      show(here?.endpoint === there?.endpoint ? there : null);
    } catch (refused) {
      box.replaceChildren(h("p", { class: "problem" }, refused.message));
      return;
    }
    box.replaceChildren(
      h("p", { class: "hint" }, t("push.hint")),
      h("label", { class: "check" }, on, h("span", {}, t("push.switch"))),
      choices,
    );
  }

  function show(subscription) {
    on.checked = Boolean(subscription);
    choices.disabled = !on.checked;
    if (subscription) {
      kinds.forEach((kind) => (kind.checked = subscription.alerts[kind.name]));
      from.value = subscription.policy;
    }
  }

  function wanted() {
    return { alerts: Object.fromEntries(kinds.map(({ name, checked }) => [name, checked])), policy: from.value };
  }

  async function turn() {
    const begins = on.checked;
    const done = await once(on, () => tried(begins ? subscribe : end));
    on.checked = done ? begins : !begins;
    choices.disabled = !on.checked;
    done && toast(t(begins ? "push.on" : "push.off"));
  }

  /** The browser asks its user, once. */
  async function subscribe() {
    if ((await Notification.requestPermission()) !== "granted") {
      throw new Error(t("push.blocked"));
    }
    let subscription;
    try {
      const { pushManager } = await begun();
      // One for another key of the server, or of a session before this, is in the way.
      await (await pushManager.getSubscription())?.unsubscribe();
      subscription = await pushManager.subscribe({ userVisibleOnly: true, applicationServerKey: key });
    } catch (cause) {
      throw new Error(t("push.failed"), { cause });
    }
    try {
      await api.post(PATH, { subscription: { ...subscription.toJSON(), standard: true }, data: wanted() });
    } catch (refused) {
      await subscription.unsubscribe();
      throw refused;
    }
  }

  async function end() {
    await api.remove(PATH);
    await (await subscribed())?.unsubscribe();
  }

  async function change() {
    (await tried(() => api.put(PATH, { data: wanted() }))) && toast(t("settings.saved"));
  }
}

/** The registration, once its worker is there. */
async function begun() {
  await register();
  const late = new Promise((unused, refuse) => setTimeout(refuse, PATIENCE, new Error("no service worker")));
  return Promise.race([navigator.serviceWorker.ready, late]);
}

/** The browser's subscription; null = none. */
async function subscribed() {
  const registration = await registered();
  return (await registration?.pushManager.getSubscription()) ?? null;
}

/** The server's subscription of this session; null = none. */
async function known() {
  try {
    return await api.get(PATH);
  } catch (refused) {
    if (refused.status === 404) {
      return null;
    }
    throw refused;
  }
}
