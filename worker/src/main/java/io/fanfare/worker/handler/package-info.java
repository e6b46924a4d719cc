/**
 * Handlers, one for each type of job. A handler gets all jobs of its type in a batch at once, checks the lease before
 * each side effect, and says in its Javadoc why running a job twice is harmless. To add one: CONTRIBUTING.md, "A job
 * type".
 */
package io.fanfare.worker.handler;
