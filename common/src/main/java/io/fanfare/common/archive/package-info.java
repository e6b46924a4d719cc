/**
 * The SQL archive of statuses that have left Redis (docs/archive.md): the only package that sees {@code java.sql}. It
 * knows ids, authors and opaque fields; what moves when, and what a row means, is the business of
 * {@code io.fanfare.common.store}.
 */
package io.fanfare.common.archive;
