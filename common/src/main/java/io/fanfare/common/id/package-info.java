/** Ids and shards: how the Redis slot of anything is known from its id alone. */
package io.fanfare.common.id;
