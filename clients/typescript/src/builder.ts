import { UsageError } from "./errors.js";
import type { Http } from "./http.js";
import { Stream, type StreamOptions } from "./stream.js";

export type StreamKind = "firehose" | "sample" | "filter" | "home";

/** West, south, east, north in degrees. West is greater than east for a box over the date line. */
export type Box = readonly [west: number, south: number, east: number, north: number];

type Parameters = Readonly<Record<string, string>>;

const PUBLIC: StreamKind[] = ["firehose", "sample", "filter"];
const ANY: StreamKind[] = [...PUBLIC, "home"];
const CURSOR = /^([0-9a-f]{8}-)?\d{1,19}(-end)?$/;

function check(holds: unknown, sentence: string): void {
  if (!holds) {
    throw new UsageError(sentence);
  }
}

/** Selects a stream. It is immutable: each method returns a new builder. Without a start the stream begins now. */
export class StreamBuilder {
  readonly kind: StreamKind;
  readonly parameters: Parameters;
  readonly #http: Http;

  constructor(http: Http, kind: StreamKind, parameters: Parameters = {}) {
    this.#http = http;
    this.kind = kind;
    this.parameters = parameters;
  }

  /** The server checks the values. The builder refuses only values that the server would misread. */
  #with(name: string, value: unknown, kinds: StreamKind[] = ["filter"]): StreamBuilder {
    check(kinds.includes(this.kind), `${name} belongs to ${kinds.join("() and ")}() and not to ${this.kind}().`);
    check(String(value).trim(), `${name} is empty.`);
    return new StreamBuilder(this.#http, this.kind, { ...this.parameters, [name]: String(value) });
  }

  #list(name: string, values: readonly string[], kinds?: StreamKind[]): StreamBuilder {
    check(
      values.length && values.every((value) => /^[^,，]*[^\s,，][^,，]*$/.test(value)),
      `${name} takes texts without commas, one an argument.`,
    );
    return this.#more(name, values, kinds);
  }

  #more(name: string, values: readonly unknown[], kinds?: StreamKind[]): StreamBuilder {
    const former = this.parameters[name];
    return this.#with(name, former ? [former, ...values] : values, kinds);
  }

  /** Account ids and user names: their statuses, answers to them and reposts of them. */
  follow(...accounts: string[]): StreamBuilder {
    return this.#list("follow", accounts);
  }

  /** `follow` also matches statuses that name one of its accounts. */
  mentions(on = true): StreamBuilder {
    return this.#with("mentions", on);
  }

  /** Phrases; all words of at least one of them must occur. */
  track(...phrases: string[]): StreamBuilder {
    return this.#list("track", phrases);
  }

  /** Boxes in which a status was written. */
  locations(...boxes: Box[]): StreamBuilder {
    check(
      boxes.length && boxes.every((box) => box.length === 4 && box.every(Number.isFinite)),
      "A box is four numbers: [west, south, east, north].",
    );
    return this.#more("locations", boxes);
  }

  /** Whether one of follow, track and locations must match (`or`, the default), or all that are given. */
  combine(how: "or" | "and"): StreamBuilder {
    return this.#with("combine", how);
  }

  /** Phrases, none of which may occur. */
  exclude(...phrases: string[]): StreamBuilder {
    return this.#list("exclude", phrases);
  }

  /** Languages, one of which the status must have. */
  language(...languages: string[]): StreamBuilder {
    return this.#list("language", languages);
  }

  /** Of a repost, which text is matched. */
  reposts(which: "include" | "comment" | "exclude"): StreamBuilder {
    return this.#with("reposts", which);
  }

  /** `low` leaves out statuses with many names and hashtags, `medium` also answers. */
  filterLevel(level: "none" | "low" | "medium"): StreamBuilder {
    return this.#with("filter_level", level);
  }

  /** `zh`: traditional and simplified Chinese characters match each other. */
  fold(how: "none" | "zh"): StreamBuilder {
    return this.#with("fold", how);
  }

  /** Each status has the field `matched`: the terms of the filter that it matches. */
  explain(on = true): StreamBuilder {
    return this.#with("explain", on);
  }

  /** Percent of the statuses (sample) or of the matches (filter), above 0 to 100. */
  rate(percent: number): StreamBuilder {
    return this.#with("rate", percent, ["filter", "sample"]);
  }

  /** Names another part of the same size. */
  seed(seed: string): StreamBuilder {
    return this.#with("seed", seed, ["filter", "sample"]);
  }

  /** One of `count` parts of the stream, by the author, so that several readers share it; `index` begins at 0. */
  partition(index: number, count: number): StreamBuilder {
    return this.#with("partition", `${index}/${count}`, PUBLIC);
  }

  /** The only fields of each status that are sent, such as `content`; `id` always is. */
  fields(...names: string[]): StreamBuilder {
    return this.#list("fields", names, PUBLIC);
  }

  /** Statuses of yours and of those that you follow (`followings`), or yours alone (`user`). */
  with(whose: "followings" | "user"): StreamBuilder {
    return this.#with("with", whose, ["home"]);
  }

  /** Which answers of those that you follow. */
  replies(which: "all" | "followed"): StreamBuilder {
    return this.#with("replies", which, ["home"]);
  }

  /** Also sends `vote` events. */
  votes(on = true): StreamBuilder {
    return this.#with("votes", on, ANY);
  }

  /** Events of a second that you want at most; `limit` events count the others. */
  maxRate(events: number): StreamBuilder {
    return this.#with("max_rate", events, ANY);
  }

  /** Begins after this cursor, which a batch had; without one (undefined, null or empty) it begins now. */
  after(cursor: string | null | undefined): StreamBuilder {
    check(!cursor || CURSOR.test(cursor), "A cursor is that of a batch, such as 5f3a9c01-42.");
    return cursor ? this.#with("last_event_id", cursor, ANY) : this;
  }

  /** Begins with the events of this moment. A cursor has precedence. */
  since(time: Date | string): StreamBuilder {
    return this.#with("since", time instanceof Date ? time.getTime() : time, ANY);
  }

  /** Begins with the last events that the stream has; with a negative number it ends after them. */
  count(events: number): StreamBuilder {
    return this.#with("count", events, ANY);
  }

  /** Opens the stream: iterate over its batches. Nothing is sent before the first batch is awaited. */
  open(options: StreamOptions = {}): Stream {
    this.filterParameters();
    return new Stream(this.#http, this, options);
  }

  /** The parameters that another filter can replace while the stream is open. */
  filterParameters(): Parameters {
    const { follow, track, locations } = this.parameters;
    check(this.kind !== "filter" || follow || track || locations, "A filter needs follow, track or locations.");
    const { last_event_id, since, count, max_rate, votes, ...filter } = this.parameters;
    return filter;
  }
}

/** The streams of a server. */
export class Streams {
  readonly #http: Http;

  constructor(http: Http) {
    this.#http = http;
  }

  /** All public events: statuses with comments and answers, edits, deletes, follows. */
  firehose(): StreamBuilder {
    return new StreamBuilder(this.#http, "firehose");
  }

  /** A part of all public statuses, in percent; the same for all clients. */
  sample(percent = 1): StreamBuilder {
    return new StreamBuilder(this.#http, "sample").rate(percent);
  }

  /** Public statuses that match: add `track`, `follow` or `locations`. */
  filter(): StreamBuilder {
    return new StreamBuilder(this.#http, "filter");
  }

  /** Your home and your notifications. */
  home(): StreamBuilder {
    return new StreamBuilder(this.#http, "home");
  }
}
