/** The base of all errors of this library. No message contains a token. */
export class FanfareError extends Error {
  // Written out, since minifiers rename classes.
  override name = "FanfareError";

  constructor(message: string, cause?: unknown) {
    super(message, cause === undefined ? undefined : { cause });
  }
}

/** The server answers with an error status; the message is its sentence. */
export class ApiError extends FanfareError {
  override name = "ApiError";
  /** HTTP status. */
  readonly status: number;
  /** The operation that failed, such as `createStatus`. */
  readonly operation: string;
  /** By field, all that is wrong with it. */
  readonly details?: Record<string, { error: string; description: string }[]>;
  /** The parameter of a stream that the server refuses. */
  readonly param?: string;
  /** Seconds that the server wants the client to wait. */
  readonly retryAfter?: number;

  constructor(operation: string, status: number, body: Record<string, unknown>, retryAfter?: number) {
    const sentence = body.error_description ?? body.message ?? body.error;
    super(`${typeof sentence === "string" && sentence ? sentence : "The server gives no reason."} (${operation}: ${status})`);
    this.operation = operation;
    this.status = status;
    this.details = body.details as ApiError["details"];
    this.param = body.param as string | undefined;
    this.retryAfter = retryAfter;
  }
}

/** No answer came: no connection, a cut, or a time-out. */
export class NetworkError extends FanfareError {
  override name = "NetworkError";
}

/** An answer breaks the rules: a wrong type, too many bytes, a redirect, malformed JSON. */
export class ProtocolError extends FanfareError {
  override name = "ProtocolError";
}

/** An argument cannot be right. Nothing was sent. */
export class UsageError extends FanfareError {
  override name = "UsageError";
}
