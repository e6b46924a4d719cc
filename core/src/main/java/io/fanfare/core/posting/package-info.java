/**
 * Posting, editing and deleting a status.
 *
 * <p>Read {@link io.fanfare.core.posting.Posting} first: it checks a request, resolves what the post refers to, stores
 * it and announces it. What follows a post, at once or in a job, is in {@code io.fanfare.core.post}.
 */
package io.fanfare.core.posting;
