/** Handlers of edits, scheduled posts, and steps that a request did not finish. */
package io.fanfare.worker.post;
