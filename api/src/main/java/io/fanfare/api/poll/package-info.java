/** Polls: the request that makes one, and votes. */
package io.fanfare.api.poll;
