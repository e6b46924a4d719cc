/**
 * The native stream of the home: one EventSource for the whole page. It resumes at the last event that was received, after a lost network, a sleep and a restart of the server alike.
 */
import { base } from "./dom.js";

const TICK = 5_000; // ms
const ASLEEP = 20_000; // ms that a tick may be late before the machine must have slept
const HIDDEN_MAX = 300_000;
const AGAIN_MIN = 1_000;
const AGAIN_MAX = 30_000;
const SLICE = 8; // ms of handling after which the page answers its reader
const GATHER = 100; // ms in which what comes is handled together
const QUEUED_MAX = 500; // when more wait, all are handled at once, so that the network waits for a page that is too slow
const LATE = 30_000; // ms that a page of a list may lack what has come, since the workers that fill it are behind
const BEFORE = 10_000; // of those, what a stream tells that begins
const LATE_MAX = 500; // of them all, the newest ones
const KINDS = ["status", "status.update", "delete", "notification", "gap", "hello"];

const listeners = new Map();
let source = null;
let path = null;
let begin = ""; // when it begins, as long as there is no cursor
let cursor = "";
let past = 0; // seq up to which it tells what was before it began
let recent = []; // {kind, item, at} of what has come within LATE
let state = "off";
let again = AGAIN_MIN;
let timer = null;
let ticked = Date.now();
let hidden = null;
const queue = []; // [kind, data] of events that have come and are not handled yet
let draining = null;
let drained = 0; // when some were handled last

/** Calls `listener` with the data of each event of the kind; `state` and `gap` are kinds too, and `earlier` is a notification from before the stream began. Returns what ends it. */
export function on(kind, listener) {
  if (!listeners.has(kind)) {
    listeners.set(kind, new Set());
  }
  listeners.get(kind).add(listener);
  return () => listeners.get(kind).delete(listener);
}

/** What has come lately, the oldest first: a page that is read now may lack it. */
export function lately(kind, since = 0) {
  const from = Math.max(since, performance.now() - LATE);
  return recent.filter((one) => one.kind === kind && one.at > from).map(({ item }) => item);
}

/** The reader has chosen anew what to see. */
export function forget() {
  recent = [];
}

function remember(kind, data) {
  if (kind === "status" || kind === "notification") {
    recent.push({ kind, item: data, at: performance.now() });
    if (recent.length > LATE_MAX) {
      recent.shift();
    }
  } else if (kind === "delete" || kind === "status.update") {
    const edited = kind === "delete" ? [] : [data];
    recent = recent.flatMap((one) =>
      one.kind === "status" && one.item.id === data.id ? edited.map((item) => ({ ...one, item })) : [one],
    );
  }
}

function emit(kind, data) {
  for (const listener of [...(listeners.get(kind) ?? [])]) {
    listener(data);
  }
}

/** Many events may come at once: they are handled in their order, some of them at a time. */
function drain(millis = SLICE) {
  clearTimeout(draining);
  draining = null;
  drained = performance.now();
  const until = performance.now() + millis;
  while (queue.length > 0) {
    if (performance.now() > until) {
      draining = setTimeout(drain);
      return;
    }
    const [kind, data] = queue.shift();
    try {
      const said = JSON.parse(data);
      remember(kind, said);
      emit(kind, said);
    } catch (broken) {
      reportError(broken); // as if it were alone
    }
  }
}

function become(next) {
  if (state !== next) {
    state = next;
    emit("state", next);
  }
}

export const current = () => state;

/** @param now what the server's clock says, in milliseconds: what has happened shortly before may not be in its pages yet */
export function open(stream, now) {
  path = stream;
  begin = new Date(now - BEFORE).toISOString();
  connect();
}

export function close() {
  path = null;
  cursor = "";
  forget();
  queue.length = 0;
  clearTimeout(timer);
  source?.close();
  source = null;
  become("off");
}

function connect() {
  clearTimeout(timer);
  source?.close();
  if (!path) {
    return;
  }
  become(state === "live" ? "live" : "connecting");
  const opened = new EventSource(`${base}${path}?${new URLSearchParams(cursor ? { cursor } : { since: begin })}`);
  source = opened;
  for (const kind of KINDS) {
    opened.addEventListener(kind, (event) => {
      const first = cursor === "";
      cursor = event.lastEventId || cursor;
      if (kind === "hello") {
        const { tip, resumed } = JSON.parse(event.data);
        past = first ? tip : resumed ? past : 0;
        again = AGAIN_MIN;
        become("live");
      }
      // What was read before the stream began may have it, or not.
      queue.push([kind === "notification" && seq(event.lastEventId) <= past ? "earlier" : kind, event.data]);
      if (queue.length > QUEUED_MAX) {
        drain(Infinity);
      } else {
        draining ??= setTimeout(drain, drained + GATHER - performance.now());
      }
    });
  }
  // The server says goodbye, and when to come back; the browser does so by itself.
  opened.addEventListener("disconnect", () => become("lost"));
  opened.onerror = () => {
    if (opened !== source) {
      return;
    }
    become("lost");
    // Closed for good by an error status, such as of a proxy without a server behind it.
    if (opened.readyState === EventSource.CLOSED) {
      later();
    }
  };
}

const seq = (id) => Number(id.slice(id.lastIndexOf("-") + 1));

function later() {
  clearTimeout(timer);
  timer = setTimeout(connect, again + Math.random() * again);
  again = Math.min(again * 2, AGAIN_MAX);
}

// A machine that slept has connections that nobody has told to be dead.
setInterval(() => {
  const late = Date.now() - ticked - TICK;
  ticked = Date.now();
  if (path && source && late > ASLEEP) {
    connect();
  }
}, TICK);

// A browser opens six connections to a server, for all of its tabs: one that nobody looks at gives its own back.
document.addEventListener("visibilitychange", () => {
  clearTimeout(hidden);
  if (document.visibilityState === "hidden") {
    hidden = setTimeout(() => {
      clearTimeout(timer);
      source?.close();
      source = null;
    }, HIDDEN_MAX);
  } else if (path && !source) {
    connect();
  }
});
addEventListener("online", () => path && connect());
addEventListener("offline", () => path && become("lost"));
