import type { StreamBuilder, StreamKind } from "./builder.js";
import { ApiError, FanfareError, NetworkError, ProtocolError, UsageError } from "./errors.js";
import { aborted, drop, isTemporary, jitter, pause, positive, refusal, type Http } from "./http.js";
import { SseParser, type Block } from "./sse.js";
import type { Notification, Status } from "./types.js";

export interface Delete {
  id: string;
  account_id: string;
  deleted: true;
}

export interface FollowChange {
  account_id: string;
  target_account_id: string;
  created_at: string;
}

export interface Vote {
  id: string;
  account_id: string;
  votes: number;
  score: number;
}

/** Events that this client cannot get; an unknown number is null. `missed` counts all events of the server. */
export interface Gap {
  from: number | null;
  to: number | null;
  reason: "expired" | "epoch" | "future" | "invalid";
  missed: number | null;
}

/** The first event of each connection. */
export interface Hello {
  stream: string;
  conn: string;
  epoch: string;
  tip: number;
  floor: number;
  resumed: boolean;
  from: number;
}

interface Kinds {
  status: Status;
  edit: Status;
  delete: Delete;
  follow: FollowChange;
  unfollow: FollowChange;
  notification: Notification;
  vote: Vote;
  limit: { track: number; timestamp_ms: string };
  warning: { code: string; message: string; percent_full: number };
  gap: Gap;
  hello: Hello;
}

/** An event; `type` decides the type of `data`. `id` is absent on control events and votes. */
export type Event = { [K in keyof Kinds]: { type: K; id?: string; data: Kinds[K] } }[keyof Kinds];

/** Events that were received together. Store the cursor with their effects, and start again `after(cursor)`. */
export interface Batch {
  events: Event[];
  /** The position after the last event; empty before the first `hello` with an id. */
  cursor: string;
}

export interface StreamOptions {
  /** Called before each pause of a reconnect. */
  onRetry?: (error: FanfareError, waitMillis: number, attempt: number) => void;
  /** Called, and awaited, before the batch with this gap is handed over. */
  onGap?: (gap: Gap) => void | Promise<void>;
  /** Largest block in characters; 4 Mi by default. */
  maxEventBytes?: number;
  /** Milliseconds without a byte after which a connection counts as cut; 45,000 by default. Without a whole event: four times as long. */
  silence?: number;
}

const EVENTS_MAX = 500;
const WAIT_MIN = 50;
const WAIT_MAX = 600_000;
const FILLED_MAX = 10_000;
const KIND = /^(status(.update)?|delete|(un)?follow|notification|vote|limit|warning|gap|hello|disconnect)$/;
const IDENTIFIER = /^([0-9a-f]{8})-(\d{1,19})(-end)?$/;

/** The server has sent everything that was requested. */
class Finished extends Error {}

/** A final answer: a reconnect would not help. */
class Final extends Error {
  constructor(readonly failure: Error) {
    super();
  }
}

/**
 * A stream that reconnects by itself, right behind the last event. Iterate over its batches; leaving the loop closes
 * it. While a batch is handled, nothing is read, so that a slow consumer needs no more memory.
 */
export class Stream implements AsyncIterableIterator<Batch> {
  readonly #http: Http;
  readonly #options: StreamOptions;
  readonly #batches: AsyncGenerator<Batch, void>;
  readonly #closed = new AbortController();
  readonly #filled = new Set<string>();
  readonly #kind: StreamKind;
  readonly #own: [string, string][];
  #filter: StreamBuilder["parameters"];
  #connection = new AbortController();
  #pending: Promise<unknown> = Promise.resolve();
  #calling = false;
  #conn = "";
  #cursor: string;
  #epoch = "";
  #seq = -1n;
  #greeted = false;
  #failures = 0;
  #refusals = 0;
  #broken = 0;
  #hint: number | undefined;
  #newest = 0n;
  #beforeGap: bigint | undefined;

  /** Use {@link StreamBuilder.open}. */
  constructor(http: Http, builder: StreamBuilder, options: StreamOptions) {
    positive(options, "maxEventBytes", "silence");
    this.#http = http;
    this.#kind = builder.kind;
    const filter = (this.#filter = builder.filterParameters());
    this.#own = Object.entries(builder.parameters).filter(([name]) => !(name in filter));
    this.#options = options;
    this.#cursor = builder.parameters.last_event_id ?? "";
    this.#note(this.#cursor);
    this.#batches = this.#run();
  }

  [Symbol.asyncIterator](): this {
    return this;
  }

  next(): Promise<IteratorResult<Batch, void>> {
    const next = this.#closed.signal.aborted ? Promise.resolve({ done: true as const, value: undefined }) : this.#batches.next();
    this.#pending = next.catch(() => {});
    return next;
  }

  async return(): Promise<IteratorResult<Batch, void>> {
    await this.close();
    return { done: true, value: undefined };
  }

  /** Closes the connection and waits for that. No batch is handed over afterwards. */
  async close(): Promise<void> {
    this.#closed.abort();
    this.#connection.abort();
    if (!this.#calling) {
      await this.#pending;
      await this.#batches.return();
    }
  }

  /**
   * Replaces the filter, on the open connection and on later ones. The new filter applies from the next event on. A
   * client that has only tickets reconnects with it.
   */
  async change(builder: StreamBuilder): Promise<void> {
    if (this.#kind !== "filter" || builder.kind !== "filter") {
      throw new UsageError("Only a filter() can be changed, by another one.");
    }
    const filter = builder.filterParameters();
    const conn = this.#conn;
    const { token, ticket } = this.#http.options;
    let answer: Response | undefined;
    // A ticket opens a stream, but changes none.
    if (token ?? !ticket) {
      answer = await this.#http.send(`/api/v1/streaming/connections/${conn || "none"}/filter`, {
        method: "PUT",
        body: new URLSearchParams(filter),
        signal: this.#closed.signal,
      });
      if (!answer.ok && answer.status !== 404) {
        throw await refusal("changeStreamingFilter", answer);
      }
      drop(answer.body);
    }
    this.#filter = filter;
    // Another process serves the stream, or it has just been cut: the next connection has the new filter.
    if (!answer?.ok || conn !== this.#conn) {
      this.#hint = 0;
      this.#connection.abort();
    }
  }

  /**
   * Reads statuses that a gap has left out over REST, the oldest first: of `home` the home timeline, else the public
   * one, which lacks answers to others and comments, and which no filter restricts. Deletes, edits, follows and
   * notifications cannot be had. It begins after `minId`, or else after the newest status of this stream before its
   * last gap.
   */
  async *fillGap({ minId }: { minId?: string } = {}): AsyncGenerator<Status> {
    let last = minId ?? String((this.#beforeGap ?? this.#newest) || "");
    if (!/^\d{1,16}$/.test(last)) {
      throw new UsageError("fillGap needs minId: this stream has had no status.");
    }
    const home = this.#kind === "home";
    for (;;) {
      const page = (await this.#http.call(home ? "showHome" : "showPublic", { min_id: last, limit: 80 })) as Status[];
      for (const status of [...page].reverse()) {
        this.#filled.add(status.id);
        if (this.#filled.size > FILLED_MAX) {
          this.#filled.delete(this.#filled.values().next().value!);
        }
        yield status;
      }
      if (page.length === 0 || page[0]!.id === last) {
        return;
      }
      last = page[0]!.id;
    }
  }

  async *#run(): AsyncGenerator<Batch, void> {
    while (!this.#closed.signal.aborted) {
      let failure: Error;
      this.#hint = undefined;
      try {
        yield* this.#connect();
        failure = new NetworkError("The server ended the connection.");
      } catch (cause) {
        failure = cause as Error;
      }
      this.#conn = "";
      if (this.#closed.signal.aborted || failure instanceof Finished) {
        return;
      }
      if (failure instanceof Final) {
        throw failure.failure;
      }
      if (!(failure instanceof FanfareError)) {
        failure = new NetworkError(`The connection was cut: ${failure.message}`, failure);
      }
      this.#broken = failure instanceof ProtocolError ? this.#broken + 1 : 0;
      if (this.#broken >= 3) {
        throw failure;
      }
      await this.#pause(failure as FanfareError);
    }
  }

  async #pause(failure: FanfareError): Promise<void> {
    this.#failures++;
    this.#refusals = failure instanceof ApiError ? this.#refusals + 1 : 0;
    const most = this.#refusals ? Math.min(5000 * 2 ** (this.#refusals - 1), 320_000) : Math.min(250 * this.#failures, 16_000);
    const seconds = (failure as ApiError).retryAfter;
    const wait = Math.min(Math.max(this.#hint ?? (seconds ? seconds * 1000 : jitter(most)), WAIT_MIN), WAIT_MAX);
    this.#options.onRetry?.(failure, wait, this.#failures);
    await pause(wait, this.#closed.signal);
  }

  /** One connection, until it ends. */
  async *#connect(): AsyncGenerator<Batch, void> {
    const connection = (this.#connection = new AbortController());
    const dead = (sentence: string) => connection.abort(new NetworkError(sentence));
    const most = this.#options.silence ?? 45_000;
    let silence = setTimeout(dead, most, "The server does not answer.");
    try {
      const response = await this.#open(connection.signal);
      const reader = response.body!.getReader();
      const parser = new SseParser(this.#options.maxEventBytes ?? 1 << 22);
      let whole = Date.now();
      try {
        for (;;) {
          clearTimeout(silence);
          silence = setTimeout(dead, most, "The server is silent.");
          const { done, value } = await reader.read();
          clearTimeout(silence);
          if (done) {
            return;
          }
          const batches: Batch[] = [];
          try {
            for (const block of parser.push(value)) {
              if (block.name === "gap") {
                yield* batches.splice(0); // before onGap
              }
              await this.#take(block, batches);
              whole = Date.now();
            }
          } finally {
            // What came before a broken block is whole, and the cursor is behind it.
            if (batches.length && !aborted(this.#closed.signal)) {
              yield* batches;
              whole = Date.now();
            }
          }
          if (Date.now() - whole > 4 * most) {
            throw new NetworkError("The server sends no whole event.");
          }
        }
      } finally {
        drop(reader);
      }
    } catch (cause) {
      throw connection.signal.reason instanceof FanfareError ? connection.signal.reason : cause;
    } finally {
      clearTimeout(silence);
      connection.abort();
    }
  }

  /** Sends the request, and judges the head of the answer. */
  async #open(signal: AbortSignal): Promise<Response> {
    const query = new URLSearchParams(this.#own);
    const { token, ticket } = this.#http.options;
    const post = this.#kind === "filter" && (token ?? ticket); // with the cookie of a page alone it cannot be one
    if (!post) {
      Object.entries(this.#filter).forEach(([name, value]) => query.set(name, value));
    }
    if (this.#cursor) {
      query.set("last_event_id", this.#cursor);
    }
    if (ticket) {
      query.set("ticket", await ticket());
    }
    const response = await this.#http.send(
      `/api/v1/streaming/${this.#kind}?${query}`,
      { method: post ? "POST" : "GET", body: post ? new URLSearchParams(this.#filter) : null, headers: { Accept: "text/event-stream" }, signal },
      !ticket,
    );
    if (response.status === 204) {
      throw new Finished();
    }
    if (response.status !== 200) {
      const failure = await refusal("stream", response);
      throw isTemporary(response.status) ? failure : new Final(failure);
    }
    if (!/^text\/event-stream\b/.test(response.headers.get("Content-Type") ?? "")) {
      drop(response.body);
      const failure = new ProtocolError("The answer is no event stream: is this a Fanfare server?");
      throw this.#greeted ? failure : new Final(failure);
    }
    return response;
  }

  /** Adds a block to the last batch, if it is new. */
  async #take(block: Block, batches: Batch[]): Promise<void> {
    if (block.retry !== undefined) {
      this.#hint = block.retry;
    }
    let batch = batches.at(-1);
    const data = block.data && KIND.test(block.name) ? json(block) : undefined; // a broken one does not move the cursor
    // The hello of a resumed stream has the cursor itself.
    if (block.id !== undefined && !this.#note(block.id) && block.name !== "hello") {
      return;
    }
    const cursor = this.#cursor;
    if (data && block.name === "disconnect") {
      this.#disconnect(data);
    } else if (data) {
      const event = { type: block.name === "status.update" ? "edit" : block.name, ...(block.id && { id: block.id }), data } as Event;
      if (await this.#wants(event)) {
        if (!batch || batch.events.length >= EVENTS_MAX) {
          batches.push((batch = { events: [], cursor }));
        }
        batch.events.push(event);
      }
    }
    if (batch) {
      batch.cursor = cursor;
    } else if (block.id) {
      batches.push({ events: [], cursor });
    }
  }

  /** Moves the cursor to this id; answers whether it is a new one. */
  #note(id: string): boolean {
    if (!id) {
      return true;
    }
    const [, epoch, seq] = IDENTIFIER.exec(id) ?? [];
    if (!epoch) {
      if (this.#greeted) {
        throw new ProtocolError("The stream has an id that is no position.");
      }
      return true; // a cursor of the caller that is a seq alone
    }
    if (epoch === this.#epoch && BigInt(seq!) <= this.#seq && !id.endsWith("-end")) {
      return false;
    }
    this.#epoch = epoch;
    this.#seq = BigInt(seq!);
    this.#cursor = id;
    return true;
  }

  /** Notes what the event says of the stream; answers whether it is handed over. */
  async #wants(event: Event): Promise<boolean> {
    if (event.type === "hello") {
      this.#greeted = true;
      this.#conn = String(event.data.conn);
      this.#failures = this.#refusals = 0;
      return true;
    }
    this.#broken = 0;
    if (event.type === "gap") {
      if (/^(future|invalid)$/.test(event.data.reason)) {
        this.#epoch = ""; // the next id is the first one
      }
      this.#beforeGap = this.#newest;
      this.#calling = true;
      try {
        await this.#options.onGap?.(event.data);
      } catch (cause) {
        throw new Final(cause as Error); // of the caller
      } finally {
        this.#calling = false;
      }
      if (aborted(this.#closed.signal)) {
        throw new Finished();
      }
      return true;
    }
    if (event.type !== "status") {
      return true;
    }
    const id = BigInt(event.data.id);
    this.#newest = id > this.#newest ? id : this.#newest;
    return !this.#filled.has(event.data.id);
  }

  #disconnect(body: { code?: number; reason?: string; message?: string }): never {
    const failure = new NetworkError(`The server ended the stream: ${body.message ?? body.reason ?? body.code}`);
    if (body.code === 9) {
      throw new Finished();
    }
    throw body.code === 7 ? new Final(failure) : failure;
  }
}

function json(block: Block): never {
  let data: { id?: unknown } | null | undefined;
  try {
    data = JSON.parse(block.data);
  } catch {
    // not an object either
  }
  if (data === null || typeof data !== "object" || Array.isArray(data)) {
    throw new ProtocolError(`The data of an event ${block.name} is no object.`);
  }
  if (block.name === "status" && !/^\d{1,19}$/.test(String(data.id))) {
    throw new ProtocolError("The stream has a status without an id.");
  }
  return data as never;
}
