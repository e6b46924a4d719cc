/**
 * Full-text search: an index of this process, what feeds it from the event log, and the language of its queries. The
 * index proposes; whoever shows what it found asks the stores whether it still lives and may be seen.
 */
package io.fanfare.api.search;
