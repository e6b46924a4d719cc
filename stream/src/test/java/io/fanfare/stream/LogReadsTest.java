package io.fanfare.stream;

import static org.assertj.core.api.Assertions.assertThat;

import io.fanfare.common.event.EventLog;
import io.fanfare.common.event.LogPage;
import io.fanfare.common.redis.Command;
import io.fanfare.common.redis.Redis;
import io.fanfare.common.redis.Reply;
import io.fanfare.common.settings.SettingsLoader;
import io.vertx.core.Future;
import io.vertx.core.Promise;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Test;

/** Pages are read a few at a time. */
class LogReadsTest {
    /** Found by the stream oracle: the first failure went down into the second and so on, and the streams that waited never heard anything again. */
    @Test
    void howeverManyWaitAllAreToldWhenRedisGoes() {
        List<Promise<Reply>> asked = new ArrayList<>();
        boolean[] away = {false};
        Redis redis = new Redis() {
            @Override
            public Future<Reply> send(Command command) {
                if (away[0]) {
                    return Future.failedFuture("away");
                }
                asked.add(Promise.promise());
                return asked.get(asked.size() - 1).future();
            }

            @Override
            public Future<List<Reply>> pipeline(List<Command> commands) {
                throw new UnsupportedOperationException();
            }
        };
        LogReads reads = new LogReads(new EventLog(redis, new Random(1), SettingsLoader.defaultsWith().stream()));
        List<Future<LogPage>> pages = new ArrayList<>();
        for (int i = 0; i < 50_000; i++) {
            pages.add(reads.read(i, 10));
        }
        assertThat(asked).hasSizeLessThan(100);

        away[0] = true;
        asked.forEach(question -> question.fail("away"));
        assertThat(pages).allMatch(Future::failed);

        away[0] = false;
        int before = asked.size();
        Future<LogPage> next = reads.read(1, 10);
        assertThat(next.isComplete()).isFalse();
        assertThat(asked).hasSize(before + 1);
    }
}
