package io.fanfare.bench.replay;

import java.time.Duration;

/**
 * The parameters of a replay.
 *
 * @param run part of the user names and idempotency keys: another run on the same server has another
 * @param seed draws the authors
 * @param articles how many of the posts are articles: the last ones
 * @param byFollowers users with many followers post more, see {@link Ledger#draw}
 * @param rate posts per second, open loop; 0 = as fast as answers come, closed loop
 * @param atOnce requests under way at most
 * @param patience how long one request may go unanswered before the replay gives up
 * @param settle how long after the last answer homes and stream may take to be complete
 */
record Plan(
        String run,
        long seed,
        int posts,
        int articles,
        boolean byFollowers,
        double rate,
        int atOnce,
        Duration patience,
        Duration settle) {
    Plan {
        if (posts < 1 || articles > posts || rate < 0 || atOnce < 1) {
            throw new IllegalArgumentException(
                    "impossible plan: posts=" + posts + " rate=" + rate + " atOnce=" + atOnce);
        }
    }
}
