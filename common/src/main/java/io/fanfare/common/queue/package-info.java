/** The lanes of the job queue and the tokens that wake workers, for stores that enqueue a job with a change. */
package io.fanfare.common.queue;
