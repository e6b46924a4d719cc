/**
 * The task queue: jobs, their wire form, and the scripts that move them. It promises that an accepted job runs at least
 * once or is found in the dead letters with its reason, and that at every moment it is in exactly one place: a lane,
 * the suspects, a batch, the delayed, the dead.
 *
 * <p>Why it is so:
 *
 * <ul>
 *   <li>Jobs are claimed by script, never by BLMOVE: a blocking move completes on the server even when the client is
 *       gone, and the job would lie where nobody looks.
 *   <li>Leases are per batch, not per job: one key to renew, one to give up, and a whole batch is acknowledged without
 *       an LREM.
 *   <li>Settling is fenced by the lease, so a worker that comes back from the dead changes nothing any more.
 *   <li>After a crash every job of the batch is a suspect and runs alone, so that only the culprit collects strikes.
 * </ul>
 *
 * <p>To add a type of job, follow the recipe in CONTRIBUTING.md.
 */
package io.fanfare.core.queue;
