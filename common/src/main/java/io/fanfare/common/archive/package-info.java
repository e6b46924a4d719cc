/**
 * The archive of statuses that have left Redis, as its callers see it (docs/archive.md). It knows ids, authors and
 * opaque fields; {@code io.fanfare.common.store} decides when a status moves and defines what a row means. The module
 * {@code archive} implements it with SQL.
 */
package io.fanfare.common.archive;
