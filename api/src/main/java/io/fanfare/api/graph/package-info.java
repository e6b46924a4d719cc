/** Follows, requests to follow, blocks and mutes. */
package io.fanfare.api.graph;
