/** Signals of abuse in new posts, and posts that wait for a moderator. */
package io.fanfare.core.held;
