package io.fanfare.media;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import io.fanfare.redis.testing.TestRedis;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Pictures of several accounts that wait for one thread. */
@Timeout(60)
class PictureQueueTest {
    private static final long BUSY = 9;

    private final ThreadPoolExecutor pool =
            new ThreadPoolExecutor(1, 1, 1, TimeUnit.MINUTES, new LinkedBlockingQueue<>(), PictureQueueTest::thread);
    private final PictureQueue queue = new PictureQueue(pool, /* waitingMax= */ 8);
    private final CountDownLatch begun = new CountDownLatch(1);
    private final CountDownLatch open = new CountDownLatch(1);
    private final List<String> made = Collections.synchronizedList(new ArrayList<>());

    /** A test lets tasks fail. */
    private static Thread thread(Runnable task) {
        Thread thread = new Thread(task, "pictures");
        thread.setUncaughtExceptionHandler((of, failure) -> {});
        return thread;
    }

    @AfterEach
    void close() {
        open.countDown();
        queue.close();
    }

    /** The thread is busy until {@link #open} is. */
    private void occupy() throws InterruptedException {
        queue.execute(BUSY, () -> {
            begun.countDown();
            try {
                open.await();
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
            }
        });
        assertThat(begun.await(30, TimeUnit.SECONDS)).isTrue();
    }

    private void add(long account, String picture) {
        queue.execute(account, () -> made.add(picture));
    }

    @Test
    void accountsTakeTurnsHoweverManyPicturesOneOfThemHas() throws InterruptedException {
        occupy();
        add(1, "1a");
        add(1, "1b");
        add(2, "2a");
        add(3, "3a");
        add(2, "2b");

        open.countDown();

        TestRedis.awaitUntil("all pictures are made", () -> made.size() == 5);
        assertThat(made).containsExactly("1a", "2a", "3a", "1b", "2b");
    }

    @Test
    void anAccountHasAQuarterOfThePlacesAndAnotherStillFindsOne() throws InterruptedException {
        occupy();
        add(1, "1a");
        add(1, "1b");

        assertThatExceptionOfType(RejectedExecutionException.class).isThrownBy(() -> add(1, "1c"));
        add(2, "2a");

        open.countDown();
        TestRedis.awaitUntil("all pictures are made", () -> made.size() == 3);
        add(1, "1d");
        TestRedis.awaitUntil("the account has its places again", () -> made.contains("1d"));
    }

    @Test
    void aPictureTooManyIsRefusedAndAPlaceThatIsFreeIsTaken() throws InterruptedException {
        occupy();
        for (int account = 1; account <= 8; account++) {
            add(account, "a" + account);
        }

        assertThatExceptionOfType(RejectedExecutionException.class).isThrownBy(() -> add(20, "too many"));

        open.countDown();
        TestRedis.awaitUntil("all pictures are made", () -> made.size() == 8);
        add(20, "late");
        TestRedis.awaitUntil("a place is free", () -> made.contains("late"));
    }

    @Test
    void aTaskThatFailsGivesItsPlaceBack() {
        for (int i = 0; i < 20; i++) {
            int number = i;
            TestRedis.awaitUntil("a place for task " + i, () -> {
                try {
                    queue.execute(1, () -> {
                        made.add("failed " + number);
                        throw new IllegalStateException("a decoder that fails");
                    });
                    return true;
                } catch (RejectedExecutionException full) {
                    return false;
                }
            });
        }
        TestRedis.awaitUntil("all tasks have run", () -> made.size() == 20);
    }
}
