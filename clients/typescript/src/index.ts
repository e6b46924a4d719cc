import { Streams } from "./builder.js";
import { add, define, Http, unpacked, type CallOptions, type Options } from "./http.js";
import type { Operations } from "./operations.js";
import type { MediaAttachment } from "./types.js";
import { FanfareError, UsageError } from "./errors.js";
import { pause } from "./http.js";

export { ApiError, FanfareError, NetworkError, ProtocolError, UsageError } from "./errors.js";
export { StreamBuilder, Streams, type Box, type StreamKind } from "./builder.js";
export { Stream, type Batch, type Delete, type Event, type FollowChange, type Gap, type Hello, type StreamOptions, type Vote } from "./stream.js";
export type { CallOptions, Options, Page, Pages } from "./http.js";
export type { Operations } from "./operations.js";
export type * from "./types.js";

const READY_MAX = 300_000;

/** What an upload says besides its file. */
export interface UploadOptions extends CallOptions {
  /** The text for people who do not see it. */
  description?: string;
  /** The point that stays visible, such as `0.5,-0.2`. */
  focus?: string;
  /** A preview, as another picture. */
  thumbnail?: Blob;
  /** Whether to wait until a large picture is ready to be posted; true by default. */
  wait?: boolean;
}

// eslint-disable-next-line @typescript-eslint/no-unsafe-declaration-merging
export interface Fanfare extends Operations {}

/** A client of one server. Its methods are the operations of the API; `streams` has the streams. */
// eslint-disable-next-line @typescript-eslint/no-unsafe-declaration-merging
export class Fanfare {
  /** The streams of the server. */
  readonly streams: Streams;
  /** @internal */
  readonly http: Http;

  /** `address` is that of the server, such as `https://social.example`. */
  constructor(address: string | URL, options?: Options) {
    this.http = new Http(address, options);
    this.streams = new Streams(this.http);
  }

  /** Uploads a file, and waits until it can be posted. A file on a disk: `await fs.openAsBlob(path)`. */
  async uploadMedia(file: Blob, options: UploadOptions = {}): Promise<MediaAttachment> {
    if (!(file instanceof Blob)) {
      throw new UsageError("uploadMedia needs a Blob or File.");
    }
    const { description, focus, thumbnail, wait = true, ...call } = options;
    let media = await this.createMedia({ file, description, focus, thumbnail }, call);
    for (let waited = 0, step = 500; wait && !media.url; step = Math.min(step * 2, 5000)) {
      if (waited > READY_MAX || call.signal?.aborted) {
        throw new FanfareError(`The picture ${media.id} is not ready yet: call showMedia later.`);
      }
      await pause(step, call.signal);
      waited += step;
      media = await this.showMedia({ id: media.id }, { signal: call.signal });
    }
    return media;
  }
}

define(add(unpacked), Fanfare.prototype);
