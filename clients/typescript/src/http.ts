import { ApiError, FanfareError, NetworkError, ProtocolError, UsageError } from "./errors.js";
import { MARKS, TABLE, WORDS } from "./operations.js";

/** What a client needs to know; all of it is optional. */
export interface Options {
  /** Access token, sent as `Authorization: Bearer`. */
  token?: string;
  /** Called before each connection of a stream; its result is sent as `?ticket=` in place of the token. */
  ticket?: () => string | Promise<string>;
  /** Milliseconds for one try of a call; 30,000 by default. Uploads and exports may last while bytes move. */
  timeout?: number;
  /** How often a safe call is repeated; 4 by default, which bridges about 7 s. */
  retries?: number;
  /** Longest pause before a retry in milliseconds; 60,000 by default. A longer one is an error at once. */
  maxWait?: number;
  /** Bytes of an answer; 16 MiB by default. */
  maxAnswerBytes?: number;
  /** Another `fetch`, such as one with a proxy. */
  fetch?: typeof fetch;
}

/** Options of one call. */
export interface CallOptions {
  signal?: AbortSignal;
  /** In place of the random key of calls that take one. The same key gives the same status for an hour. */
  idempotencyKey?: string;
  /** Called while a file is sent, with bytes. */
  onProgress?: (sent: number, total: number) => void;
}

/** One page of a list. */
export interface Page<T> extends Array<T> {
  /** The page after this one, or null. */
  nextPage(): Promise<Page<T> | null>;
}

/** Await it for the first page, or iterate over all entries of all pages. */
export type Pages<T> = Promise<Page<T>> & AsyncIterable<T>;

const EXPORT_BYTES = 1 << 30;
const ERROR_BYTES = 1 << 16;
const IDLE = 45_000;
// Nothing has been sent when one of these is the cause.
const UNSENT = /ECONNREFUSED|ENOTFOUND|EAI_AGAIN|UND_ERR_CONNECT|EHOSTUNREACH|ENETUNREACH/;

const table = new Map<string, [method: string, flags: string, path: string]>();

/** Adds operations, as operations.ts lists them; returns their names. */
export const add = (operations: string) =>
  operations.split(" ").map((line) => {
    const [name, method, flags, path] = line.split(",") as [string, string, string, string];
    table.set(name, [method, flags, path[0] === "/" ? path : `/api/v1/${path}`]);
    return name;
  });

/** Gives a class a method for each of these operations. */
export const define = (names: string[], prototype: object) =>
  names.forEach((name) => {
    (prototype as Record<string, unknown>)[name] = function (this: { http: Http }, args?: Record<string, unknown>, options?: CallOptions) {
      return this.http.call(name, args, options);
    };
  });

export const unpacked = WORDS.split("\n").reduce(
  (text, word, i) =>
    i < MARKS
      ? text.replaceAll(String.fromCharCode(0xad + MARKS - i), word)
      : text.replaceAll(word[0]!, word.slice(1)),
  TABLE,
);
export const isTemporary = (status: number) => [408, 425, 429].includes(status) || status >= 500;
/** A random wait between half of `most` and `most`. */
export const jitter = (most: number) => most * (0.5 + Math.random() / 2);
/** Ends a body that nobody reads. */
export const drop = (body: { cancel(): Promise<void> } | null | undefined) => void body?.cancel().catch(() => {});
export const aborted = (signal?: AbortSignal) => signal?.aborted;

/** Resolves after so many milliseconds, or when the signal is aborted, or when the network is back. */
export function pause(millis: number, signal?: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    const end = () => {
      clearTimeout(timer);
      signal?.removeEventListener("abort", end);
      (globalThis as Partial<typeof globalThis>).removeEventListener?.("online", end);
      resolve();
    };
    const timer = setTimeout(end, millis);
    signal?.addEventListener("abort", end);
    (globalThis as Partial<typeof globalThis>).addEventListener?.("online", end);
    if (aborted(signal)) {
      end();
    }
  });
}

/** Seconds of `Retry-After`; a date, which some proxies write, is left to the usual pause. */
function retryAfter(headers: Headers): number | undefined {
  const seconds = parseInt(headers.get("Retry-After") ?? "");
  return seconds > 0 ? seconds : undefined;
}

/** The whole body, but no more than `max` bytes. */
async function whole(response: Response, max: number, alive?: () => void): Promise<Blob> {
  const reader = response.body?.getReader();
  const chunks: Uint8Array<ArrayBuffer>[] = [];
  for (let size = 0; reader; ) {
    const { done, value } = await reader.read();
    if (done) {
      break;
    }
    alive?.();
    chunks.push(value);
    size += value.length;
    if (size > max) {
      drop(reader);
      throw new ProtocolError(`The answer has more than ${max} bytes.`);
    }
  }
  return new Blob(chunks);
}

const redirected = () => new ProtocolError("The server redirects: create the client with its other address.");

/** The error of an answer that has an error status. */
export async function refusal(operation: string, response: Response): Promise<Error> {
  if (response.type === "opaqueredirect" || (response.status >= 300 && response.status < 400)) {
    drop(response.body);
    return redirected();
  }
  let body: Record<string, unknown> = {};
  try {
    const json: unknown = JSON.parse(await (await whole(response, ERROR_BYTES)).text());
    body = json && typeof json === "object" ? (json as Record<string, unknown>) : {};
  } catch {
    // A proxy answers in HTML. The status says enough.
  }
  return new ApiError(operation, response.status, body, retryAfter(response.headers));
}

export function positive<T>(options: T, ...names: (keyof T)[]): void {
  for (const name of names) {
    if (options[name] !== undefined && !(Number(options[name]) > 0)) {
      throw new UsageError(`${String(name)} must be a number above 0.`);
    }
  }
}

/** Sends requests to one server. */
export class Http {
  readonly base: string;
  readonly #options: Options;
  readonly #resets = new Map<string, number>();

  constructor(address: string | URL, options: Options = {}) {
    let url: URL;
    try {
      url = new URL(address);
    } catch (cause) {
      throw new UsageError(`"${address}" is no address: write https://HOST or http://HOST:PORT.`, cause);
    }
    if (!/^https?:$/.test(url.protocol) || url.username || url.password || url.search || url.hash) {
      throw new UsageError("The address is http or https, without user and query.");
    }
    if (options.token !== undefined && !/^[\x21-\x7e]+$/.test(options.token)) {
      throw new UsageError("No access token is empty or has such characters.");
    }
    positive(options, "timeout", "maxWait", "maxAnswerBytes");
    this.base = url.href.replace(/\/+$/, "");
    this.#options = options;
  }

  /** A getter, so that no printed client shows the token. */
  get options(): Options {
    return this.#options;
  }

  /** One request. Redirects are not followed, because the token would go elsewhere. */
  async send(path: string, init: RequestInit, withToken = true, onSent?: (sent: number) => void): Promise<Response> {
    const headers = new Headers(init.headers);
    if (withToken && this.#options.token !== undefined) {
      headers.set("Authorization", `Bearer ${this.#options.token}`);
    }
    try {
      if (onSent && init.body && typeof XMLHttpRequest === "function" && !this.#options.fetch) {
        return await byXhr(this.base + path, init, headers, onSent);
      }
      return await (this.#options.fetch ?? fetch)(this.base + path, { ...init, headers, redirect: "manual", cache: "no-store" });
    } catch (cause) {
      throw unreachable(cause);
    }
  }

  /** A call by its name in the table. */
  call(name: string, args: Record<string, unknown> = {}, options: CallOptions = {}): Promise<unknown> {
    const first = this.#try(name, args, options, undefined);
    if (!table.get(name)![1].includes("l")) {
      return first;
    }
    return Object.assign(first, {
      async *[Symbol.asyncIterator]() {
        let former: unknown;
        for (let page = (await first) as (Page<unknown> & { query?: string }) | null; page; page = await page.nextPage()) {
          yield* page;
          if (page.query && page.query === former) {
            throw new ProtocolError(`The pages of ${name} do not end: an address repeats.`);
          }
          former = page.query;
        }
      },
    });
  }

  async #try(name: string, args: Record<string, unknown>, options: CallOptions, next: string | undefined): Promise<unknown> {
    const [method, flags, template] = table.get(name)!;
    const request = build(name, method, template, args, next);
    const headers: Record<string, string> = request.type ? { "Content-Type": request.type } : {};
    if (flags.includes("k")) {
      headers["Idempotency-Key"] = options.idempotencyKey ?? crypto.randomUUID();
    } else if (options.idempotencyKey !== undefined) {
      throw new UsageError(`${name} takes no idempotencyKey.`);
    }
    const maxWait = this.#options.maxWait ?? 60_000;
    for (let tries = 1; ; tries++) {
      const held = (this.#resets.get(name) ?? 0) - Date.now();
      if (held > maxWait) {
        throw new ApiError(name, 429, { error: "The rate limit is used up." }, Math.ceil(held / 1000));
      }
      if (held > 0) {
        await pause(held, options.signal);
      }
      let failure: Error;
      let safe = /[ks]/.test(flags);
      try {
        return await this.#once(name, flags, method, headers, request, args, options);
      } catch (cause) {
        failure = cause as Error;
        if (aborted(options.signal)) {
          throw new NetworkError(`${name} was aborted.`, options.signal!.reason);
        }
        if (failure instanceof ApiError && isTemporary(failure.status)) {
          safe ||= failure.status === 429;
        } else if (failure instanceof NetworkError) {
          safe ||= UNSENT.test(String((failure.cause as { code?: string })?.code));
        } else {
          safe = false;
        }
      }
      const wait = ((failure as ApiError).retryAfter ?? jitter(Math.min(0.5 * 2 ** (tries - 1), 16))) * 1000;
      if (!safe || tries > (this.#options.retries ?? 4) || wait > maxWait) {
        throw failure;
      }
      await pause(wait, options.signal);
    }
  }

  async #once(
    name: string,
    flags: string,
    method: string,
    headers: Record<string, string>,
    request: Request,
    args: Record<string, unknown>,
    options: CallOptions,
  ): Promise<unknown> {
    const late = new AbortController();
    const lasting = request.body instanceof Blob || flags.includes("b");
    const expire = () => late.abort(new NetworkError(`${name} has no answer in time.`));
    let timer = setTimeout(expire, lasting ? IDLE : (this.#options.timeout ?? 30_000));
    const alive = () => {
      if (lasting) {
        clearTimeout(timer);
        timer = setTimeout(expire, IDLE);
      }
    };
    const signal = options.signal ? AbortSignal.any([late.signal, options.signal]) : late.signal;
    try {
      const init = { method, headers, ...upload(request.body, alive, options.onProgress), signal };
      const response = await this.send(request.path, init, true, lasting ? (sent) => (alive(), options.onProgress?.(sent, (request.body as Blob).size)) : undefined);
      if (response.headers.get("X-RateLimit-Remaining") === "0") {
        this.#resets.set(name, Date.parse(response.headers.get("X-RateLimit-Reset") ?? "") || 0);
      }
      if (!response.ok) {
        throw await refusal(name, response);
      }
      const body = await whole(response, flags.includes("b") ? EXPORT_BYTES : (this.#options.maxAnswerBytes ?? 1 << 24), alive);
      if (flags.includes("b")) {
        return new Uint8Array(await body.arrayBuffer());
      }
      const text = await body.text();
      if (flags.includes("t")) {
        return text;
      }
      let answer: unknown;
      try {
        answer = JSON.parse(text);
      } catch (cause) {
        throw new ProtocolError(`The answer to ${name} is no JSON.`, cause);
      }
      return flags.includes("l") && Array.isArray(answer) ? this.#page(name, answer, args, options, response) : answer;
    } catch (cause) {
      throw cause instanceof ApiError || cause instanceof ProtocolError ? cause : unreachable(late.signal.reason ?? cause);
    } finally {
      clearTimeout(timer);
    }
  }

  /** Only the query of the next address is used: the token stays here, whatever the server names. */
  #page(name: string, entries: unknown[], args: Record<string, unknown>, options: CallOptions, response: Response): unknown {
    const query = /<[^<>?]*\?([^<>]*)>\s*;\s*rel="?next/.exec(response.headers.get("Link") ?? "")?.[1];
    const nextPage = async () => (query === undefined ? null : this.#try(name, args, options, query));
    return Object.defineProperties(entries, { nextPage: { value: nextPage }, query: { value: query } });
  }
}

function unreachable(cause: unknown): Error {
  if (cause instanceof FanfareError) {
    return cause;
  }
  const inner = (cause as Error)?.cause ?? cause;
  const reason = (inner as Error)?.message || (inner as { code?: string })?.code || inner;
  return new NetworkError(`The server cannot be reached: ${reason}`, inner);
}

interface Request {
  path: string;
  body?: string | Blob;
  type?: string;
}

/** Puts the arguments where they belong: into the path, the query, JSON, or a form when there are files. */
function build(name: string, method: string, template: string, args: Record<string, unknown>, next?: string): Request {
  if (args === null || typeof args !== "object") {
    throw new UsageError(`${name} takes its arguments as one object.`);
  }
  const rest = { ...args };
  let path = template.replace(/\{(\w+)\}/g, (_, key: string) => {
    const value = rest[key];
    delete rest[key];
    if (!/^(string|number)$/.test(typeof value) || /^\.{0,2}$/.test(String(value))) {
      throw new UsageError(`${name} needs ${key}: a text that is not empty.`);
    }
    return encodeURIComponent(String(value));
  });
  const fields: [string, unknown][] = [];
  flatten(name, rest, "", fields);
  if (method === "GET") {
    const query = next ?? new URLSearchParams(fields.map(([key, value]) => [key, String(value)])).toString();
    path += query && `?${query}`;
    return { path };
  }
  if (fields.some(([, value]) => value instanceof Blob)) {
    return { path, ...multipart(fields) };
  }
  return fields.length || Object.keys(rest).length ? { path, body: JSON.stringify(rest), type: "application/json" } : { path };
}

/** Names of a form, such as `id[]` and `source[privacy]`; refuses values that no request can have. */
function flatten(name: string, value: unknown, key: string, into: [string, unknown][]): void {
  if (Array.isArray(value)) {
    value.forEach((one, at) => flatten(name, one, one !== null && typeof one === "object" && !(one instanceof Blob) ? `${key}[${at}]` : `${key}[]`, into));
  } else if (value !== null && typeof value === "object" && !(value instanceof Blob)) {
    for (const [inner, one] of Object.entries(value)) {
      flatten(name, one, key ? `${key}[${inner}]` : inner, into);
    }
  } else if (/^(function|symbol)$/.test(typeof value) || (typeof value === "number" && !Number.isFinite(value))) {
    throw new UsageError(`${key} of ${name} cannot be ${String(value)}.`);
  } else if (value !== undefined) {
    into.push([key, value ?? ""]);
  }
}

function multipart(fields: [string, unknown][]): { body: Blob; type: string } {
  const boundary = `fanfare-${crypto.randomUUID()}`;
  const quoted = (text: string) => text.replace(/["\r\n]/g, encodeURIComponent);
  const parts: BlobPart[] = [];
  for (const [key, value] of fields) {
    parts.push(`--${boundary}\r\nContent-Disposition: form-data; name="${quoted(key)}"`);
    if (value instanceof Blob) {
      parts.push(`; filename="${quoted((value as File).name ?? "file")}"\r\nContent-Type: ${value.type || "application/octet-stream"}\r\n\r\n`, value);
    } else {
      parts.push(`\r\n\r\n${value}`);
    }
    parts.push("\r\n");
  }
  parts.push(`--${boundary}--\r\n`);
  return { body: new Blob(parts), type: `multipart/form-data; boundary=${boundary}` };
}

/** In browsers only this reports the progress of an upload. */
function byXhr(url: string, init: RequestInit, headers: Headers, onSent: (sent: number) => void): Promise<Response> {
  return new Promise((resolve, reject) => {
    const xhr = new XMLHttpRequest();
    xhr.open(init.method!, url);
    headers.forEach((value, name) => xhr.setRequestHeader(name, value));
    xhr.responseType = "blob";
    xhr.upload.onprogress = (event) => onSent(event.loaded);
    xhr.onload = () => {
      // XMLHttpRequest follows redirects: one is detected only afterwards.
      if (xhr.responseURL !== new URL(url).href) {
        reject(redirected());
        return;
      }
      const answered = xhr.getAllResponseHeaders().trim().split("\r\n");
      resolve(new Response(xhr.response as Blob, { status: xhr.status, headers: answered.map((line) => line.split(": ", 2) as [string, string]) }));
    };
    xhr.onerror = xhr.onabort = () => reject(new NetworkError("The upload was cut."));
    init.signal!.addEventListener("abort", () => xhr.abort());
    xhr.send(init.body as Blob);
  });
}

/** Where fetch can send a stream (node), the bytes are counted as they leave. */
function upload(body: string | Blob | undefined, alive: () => void, onProgress: CallOptions["onProgress"]): RequestInit {
  if (!(body instanceof Blob) || typeof XMLHttpRequest === "function") {
    return { body };
  }
  let sent = 0;
  const counted = new TransformStream<Uint8Array, Uint8Array>({
    transform(chunk, out) {
      sent += chunk.length;
      alive();
      onProgress?.(sent, body.size);
      out.enqueue(chunk);
    },
  });
  return { body: body.stream().pipeThrough(counted), duplex: "half" } as RequestInit;
}
