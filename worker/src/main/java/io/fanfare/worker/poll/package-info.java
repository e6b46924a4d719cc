/** The end of a poll: notifications to its author and voters. */
package io.fanfare.worker.poll;
