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
 * <p>To add a kind of job: a {@link io.fanfare.common.queue.JobType}, a line in the golden file, a handler in the
 * worker; and unless it is a {@link io.fanfare.common.queue.Job.Repair}, a record in
 * {@link io.fanfare.common.queue.Job} and a case in {@link io.fanfare.common.queue.JobCodec}.
 */
package io.fanfare.common.queue;
