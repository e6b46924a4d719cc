/**
 * What each type of job does. A handler gets all jobs of its type in a batch at once, checks the lease before each side
 * effect, and says in its Javadoc why running a job twice is harmless. To add one: see
 * {@link io.fanfare.common.queue.Job}, then a {@link io.fanfare.worker.handler.JobHandler} here and a line in
 * {@code JobHandlers}.
 */
package io.fanfare.worker.handler;
