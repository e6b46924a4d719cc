/**
 * The contract of handlers. There is one handler for each type of job, in the folder of its feature. It gets all jobs
 * of its type in a batch at once, checks the lease before each side effect, and its Javadoc states why running a job
 * twice is harmless. A {@link io.fanfare.worker.handler.WorkerFeature} names the handlers of its folder. To add one:
 * CONTRIBUTING.md, "A job type".
 */
package io.fanfare.worker.handler;
