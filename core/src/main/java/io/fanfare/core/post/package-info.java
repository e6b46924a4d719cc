/**
 * The steps that follow a post, an edit or a deletion: mentions, notifications, public timelines, conversations,
 * articles, quotes and events. Each step is idempotent, so that the request and its repair job may both run it.
 */
package io.fanfare.core.post;
