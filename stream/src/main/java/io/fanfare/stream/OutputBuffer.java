package io.fanfare.stream;

import io.fanfare.common.redis.Command;
import io.fanfare.common.redis.Keys;
import io.fanfare.common.redis.RedisLink;
import io.fanfare.common.redis.Reply;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * How much Redis keeps for a listener that is slow to read before it cuts the listener off. A relay that is cut off loses nothing, since it reads on in the log, but when each burst
 * cuts it off it lives on reading the log alone. Redis' own default is enough.
 */
final class OutputBuffer {
    private static final Logger LOG = LoggerFactory.getLogger(OutputBuffer.class);

    /** A burst of a few thousand events, each of a few kilobytes. */
    static final long ENOUGH_BYTES = 8 << 20;

    private OutputBuffer() {}

    /** Warns in the log when it is small, and tells when the server does not let us ask, as those of providers do. */
    static void check(RedisLink link) {
        link.send(Command.routed("CONFIG", Keys.BUS_SEQ, "GET", "client-output-buffer-limit"))
                .map(OutputBuffer::pubSubBytes)
                .onSuccess(OutputBuffer::judge)
                .onFailure(unknown -> LOG.info(
                        "redis does not tell its client-output-buffer-limit: make sure that it keeps at least {} MiB for pubsub cause={}",
                        ENOUGH_BYTES >> 20,
                        unknown.getMessage()));
    }

    private static void judge(long bytes) {
        if (bytes < ENOUGH_BYTES) {
            LOG.warn(
                    "redis cuts off listeners early, so that bursts are read late: CONFIG SET client-output-buffer-limit \"pubsub 256mb 64mb 60\", and in its redis.conf bytes={} enough={}",
                    bytes,
                    ENOUGH_BYTES);
        }
    }

    /** The smaller of its limits that are set; {@link Long#MAX_VALUE} when neither is. */
    private static long pubSubBytes(Reply reply) {
        return pubSubBytes(reply.items().get(1).asString());
    }

    /** @param limits {@code normal 0 0 0 slave 268435456 67108864 60 pubsub 33554432 8388608 60}: hard, soft, seconds of each class */
    static long pubSubBytes(String limits) {
        String[] words = limits.split(" ", -1);
        for (int i = 0; i + 2 < words.length; i += 4) {
            if (words[i].equals("pubsub")) {
                return Math.min(limit(words[i + 1]), limit(words[i + 2]));
            }
        }
        return Long.MAX_VALUE;
    }

    /** 0 = none. */
    private static long limit(String word) {
        long bytes = Long.parseLong(word);
        return bytes == 0 ? Long.MAX_VALUE : bytes;
    }
}
