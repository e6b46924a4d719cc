import { ProtocolError } from "./errors.js";

/** One block of an event stream; `id` is absent when the block has none. */
export interface Block {
  id?: string;
  name: string;
  data: string;
  retry?: number;
}

/** Reads blocks out of the bytes of one connection (WHATWG HTML, section 9.2.6). Lines end with LF or CR LF. */
export class SseParser {
  readonly #max: number;
  readonly #decoder = new TextDecoder();
  #rest: string[] = [];
  #size = 0;
  #block: Block = { name: "", data: "" };

  /** `max` is the number of characters of a block. */
  constructor(max: number) {
    this.#max = max;
  }

  /** The blocks that end in this chunk. An incomplete one waits for the next chunk; a cut drops it. */
  *push(chunk: Uint8Array): Generator<Block> {
    const text = this.#decoder.decode(chunk, { stream: true });
    for (let from = 0; from < text.length; ) {
      const end = text.indexOf("\n", from);
      const piece = text.slice(from, end < 0 ? undefined : end);
      this.#size += piece.length + 1;
      if (this.#size > this.#max) {
        throw new ProtocolError(`The stream has a block of more than ${this.#max} characters.`);
      }
      this.#rest.push(piece);
      if (end < 0) {
        return;
      }
      from = end + 1;
      const line = this.#rest.join("").replace(/\r$/, "");
      this.#rest = [];
      if (line) {
        this.#line(line);
        continue;
      }
      const block = this.#block;
      this.#block = { name: "", data: "" };
      this.#size = 0;
      yield block;
    }
  }

  #line(line: string): void {
    const colon = line.indexOf(":");
    const field = colon < 0 ? line : line.slice(0, colon);
    const value = colon < 0 ? "" : line.slice(colon + (line[colon + 1] === " " ? 2 : 1));
    const block = this.#block;
    if (field === "data") {
      block.data += block.data && "\n";
      block.data += value;
    } else if (field === "event") {
      block.name = value;
    } else if (field === "id") {
      block.id = value;
    } else if (field === "retry" && /^\d{1,9}$/.test(value)) {
      block.retry = Number(value);
    }
  }
}
