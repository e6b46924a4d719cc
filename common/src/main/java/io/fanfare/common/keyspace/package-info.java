/**
 * The Redis keys of Fanfare and who may use them.
 *
 * <p>{@link io.fanfare.common.keyspace.Keys} builds every key; docs/redis.md lists their types and fields, and a test
 * compares the two. {@link io.fanfare.common.keyspace.ServiceUser} is the access list of the user that servers log in
 * as. To add a key, follow the recipe in CONTRIBUTING.md.
 */
package io.fanfare.common.keyspace;
