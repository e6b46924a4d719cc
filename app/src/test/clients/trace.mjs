/**
 * What the main thread of a page did, out of a trace of Chromium: the time of each kind of event without what it calls, and what the longest tasks are made of. With a profile also the scripts' own
 * functions.
 */
const TIMELINE = [
  "devtools.timeline",
  "disabled-by-default-devtools.timeline",
  "v8",
  "v8.execute",
  "blink",
  "cc",
  "loading",
];
const PROFILE = [...TIMELINE, "disabled-by-default-v8.cpu_profiler"];
const LINES = 24;
const LONG_MICROS = 50_000;

/** What the browser itself does to show a page, by the names of its events. */
const KINDS = {
  style: ["UpdateLayoutTree", "RecalculateStyles", "Document::updateStyle", "ParseAuthorStyleSheet"],
  layout: [
    "Layout",
    "UpdateLayerTree",
    "LocalFrameView::performLayout",
    "IntersectionObserverController::computeIntersections",
  ],
  paint: ["PrePaint", "Paint", "PaintImage", "LocalFrameView::RunPaintLifecyclePhase"],
  layers: ["Layerize", "Commit", "PaintArtifactCompositor::Update", "ProxyMain::BeginMainFrame::commit"],
  script: [
    "FunctionCall",
    "EvaluateScript",
    "v8.callFunction",
    "RunMicrotasks",
    "V8.GC_SCAVENGER",
    "MinorGC",
    "MajorGC",
    "FireAnimationFrame",
    "TimerFire",
    "EventDispatch message",
  ],
};

/** Starts one; what it returns ends it, and answers {tasks, events, longest, functions}. Times of the processor are those of the thread, whatever else the machine does; slowed, they are slowed too. */
export async function trace(browser, page, { profile = false } = {}) {
  await browser.startTracing(page, { categories: profile ? PROFILE : TIMELINE });
  return async () => summary(JSON.parse(await browser.stopTracing()).traceEvents);
}

function summary(events) {
  const threads = events.filter(({ name, args }) => name === "thread_name" && args.name === "CrRendererMain");
  const busiest = threads
    .map(({ pid, tid }) => selves(events.filter((event) => event.pid === pid && event.tid === tid && event.ph === "X")))
    .sort((one, other) => other.total - one.total)[0];
  return { ...busiest, functions: functions(events) };
}

/** The events of a thread lie in each other: each gets its own time alone. */
function selves(events) {
  events.sort((one, other) => one.ts - other.ts || other.dur - one.dur);
  const byName = new Map();
  const tasks = [];
  const open = [];
  let total = 0;
  for (const event of events) {
    while (open.length > 0 && open.at(-1).ts + open.at(-1).dur <= event.ts) {
      open.pop();
    }
    const name = event.name === "EventDispatch" ? `EventDispatch ${event.args.data?.type}` : event.name;
    if (open.length === 0) {
      tasks.push({ ...event, parts: new Map() });
      total += event.dur;
    } else {
      take(byName, open.at(-1).called, -event.dur, 0);
      take(tasks.at(-1).parts, open.at(-1).called, -event.dur, 0);
    }
    event.called = name;
    open.push(event);
    take(byName, name, event.dur, 1);
    take(tasks.at(-1).parts, name, event.dur, 1);
  }
  const long = tasks.filter(({ dur }) => dur > LONG_MICROS).sort((one, other) => other.dur - one.dur);
  const busy = tasks.filter(({ tdur }) => tdur > LONG_MICROS);
  const kinds = Object.entries(KINDS).map(([name, events]) => ({
    name,
    ms: Math.round(events.reduce((sum, one) => sum + (byName.get(one)?.micros ?? 0), 0) / 1000),
  }));
  return {
    total,
    processor: tasks.reduce((sum, { tdur = 0 }) => sum + tdur, 0),
    tasks: tasks.length,
    kinds,
    events: largest(byName),
    long: long.length,
    longProcessor: busy.length,
    longest: long
      .slice(0, 5)
      .map(({ dur, tdur, parts }) => ({ ms: dur / 1000, processorMs: tdur / 1000, parts: largest(parts).slice(0, 8) })),
  };
}

function take(map, name, micros, times) {
  const sum = map.get(name) ?? { micros: 0, times: 0 };
  sum.micros += micros;
  sum.times += times;
  map.set(name, sum);
}

const largest = (map) =>
  [...map]
    .map(([name, { micros, times }]) => ({ name, ms: Math.round(micros / 100) / 10, times }))
    .sort((one, other) => other.ms - one.ms)
    .slice(0, LINES);

function functions(events) {
  const nodes = new Map();
  const sums = new Map();
  for (const { name, pid, id, args } of events) {
    if (name !== "ProfileChunk") {
      continue;
    }
    const { cpuProfile, timeDeltas } = args.data;
    for (const node of cpuProfile?.nodes ?? []) {
      nodes.set(`${pid} ${id} ${node.id}`, node);
    }
    (cpuProfile?.samples ?? []).forEach((sample, i) => {
      const frame = nodes.get(`${pid} ${id} ${sample}`)?.callFrame;
      const label = frame
        ? `${frame.functionName || "(anonymous)"} ${(frame.url ?? "").split("/").at(-1)}:${frame.lineNumber ?? ""}`
        : "?";
      take(sums, label, timeDeltas[i], 1);
    });
  }
  return largest(sums);
}

/** As a table for people. */
export function table({ total, processor, tasks, kinds, events, long, longProcessor, longest, functions }) {
  const lines = [
    `main thread busy ${Math.round(total / 1000)} ms in ${tasks} tasks, ${long} of them over 50 ms; of the processor ${Math.round(processor / 1000)} ms, ${longProcessor} over 50 ms`,
    `  ${kinds.map(({ name, ms }) => `${name} ${ms}`).join(", ")} ms`,
  ];
  const row = ({ name, ms, times }) => `  ${String(ms).padStart(9)} ms ${String(times).padStart(7)} x  ${name}`;
  lines.push(...events.slice(0, LINES).map(row));
  longest.forEach(({ ms, processorMs, parts }) =>
    lines.push(
      `  task of ${Math.round(ms)} ms (of the processor ${Math.round(processorMs)}): ${parts
        .filter((part) => part.ms >= 1)
        .map((part) => `${part.name} ${part.ms}`)
        .join(", ")}`,
    ),
  );
  if (functions.length > 0) {
    lines.push("  functions:", ...functions.map(row));
  }
  return lines.join("\n");
}
