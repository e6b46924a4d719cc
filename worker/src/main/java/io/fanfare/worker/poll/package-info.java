/** The end of a poll: its handler, and the notifications to its author and voters. */
package io.fanfare.worker.poll;
