import { TABLE, type AdminOperations } from "./admin-operations.js";
import { add, define, type Http } from "./http.js";
import type { Fanfare } from "./index.js";

export type { AdminOperations } from "./admin-operations.js";

// eslint-disable-next-line @typescript-eslint/no-unsafe-declaration-merging
export interface Admin extends AdminOperations {}

/** The operations of moderators, through a client whose token has their scopes. */
// eslint-disable-next-line @typescript-eslint/no-unsafe-declaration-merging
export class Admin {
  /** @internal */
  readonly http: Http;

  constructor(client: Fanfare) {
    this.http = client.http;
  }
}

define(add(TABLE), Admin.prototype);
