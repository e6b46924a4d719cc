/**
 * The SQL archive of statuses that have left Redis (docs/archive.md), in SQLite or PostgreSQL: the only package that
 * sees {@code java.sql}. It implements {@link io.fanfare.common.archive.Archive}.
 */
package io.fanfare.archive;
