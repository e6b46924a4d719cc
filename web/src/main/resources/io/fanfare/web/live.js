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
const KINDS = ["status", "status.update", "delete", "notification", "gap", "hello"];

const listeners = new Map();
let source = null;
let path = null;
let cursor = "";
let state = "off";
let again = AGAIN_MIN;
let timer = null;
let ticked = Date.now();
let hidden = null;
const queue = []; // [kind, data] of events that have come and are not handled yet
let draining = null;
let drained = 0; // when some were handled last

/** Calls `listener` with the data of each event of the kind; `state` and `gap` are kinds too. Returns what ends it. */
export function on(kind, listener) {
  if (!listeners.has(kind)) {
    listeners.set(kind, new Set());
  }
  listeners.get(kind).add(listener);
  return () => listeners.get(kind).delete(listener);
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
      emit(kind, JSON.parse(data));
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

export function open(stream) {
  path = stream;
  connect();
}

export function close() {
  path = null;
  cursor = "";
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
  const from = cursor ? `?cursor=${encodeURIComponent(cursor)}` : "";
  const opened = new EventSource(base + path + from);
  source = opened;
  for (const kind of KINDS) {
    opened.addEventListener(kind, (event) => {
      cursor = event.lastEventId || cursor;
      if (kind === "hello") {
        again = AGAIN_MIN;
        become("live");
      }
      queue.push([kind, event.data]);
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
