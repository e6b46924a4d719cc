package io.fanfare.api.search;

import static org.assertj.core.api.Assertions.assertThat;

import io.fanfare.api.search.SearchIndex.Position;
import io.fanfare.api.search.SearchIndex.Request;
import io.fanfare.common.id.Id;
import io.fanfare.common.model.Content;
import io.fanfare.common.model.Counters;
import io.fanfare.common.model.Poll;
import io.fanfare.common.model.Post;
import io.fanfare.common.model.Refusal;
import io.fanfare.common.model.Status;
import io.fanfare.common.model.Visibility;
import io.fanfare.common.settings.Settings;
import io.fanfare.common.settings.SettingsLoader;
import io.fanfare.redis.testing.TestRedis;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import io.vertx.core.Future;
import io.vertx.core.Promise;
import io.vertx.core.Vertx;
import io.vertx.core.WorkerExecutor;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.apache.lucene.index.DirectoryReader;
import org.apache.lucene.index.IndexWriter;
import org.apache.lucene.store.Directory;
import org.apache.lucene.store.FSDirectory;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class SearchIndexTest {
    private static final long VIEWER = Id.of(Id.EPOCH_MILLIS + 1, 0, 0);
    private static final long NOW = 1_790_000_000_000L;
    private static final long AUTHOR = Id.of(Id.EPOCH_MILLIS + 2, 0, 0);

    @TempDir
    Path folder;

    private Vertx vertx;

    @BeforeEach
    void start() {
        vertx = Vertx.vertx();
    }

    @AfterEach
    void stop() {
        TestRedis.await(vertx.close());
    }

    @Tag("slow")
    @Test
    void aFullIndexLosesItsOldestStatusesBeforeItIsKeptAndTheyDoNotComeBack() throws IOException {
        SearchIndex index = index("search.bytes-max=1048576");
        Random random = new Random(1);
        // Far from the others: the time that the statuses span says nothing of their number.
        long first = Id.of(Id.EPOCH_MILLIS + 1000, 0, 0);
        TestRedis.await(index.apply(List.of(first), Map.of(first, status(first, "all first"))));
        long last = 0;
        for (int batch = 0; batch < 15; batch++) {
            Map<Long, Status> statuses = new HashMap<>();
            for (int i = 0; i < 1000; i++) {
                last = Id.of(Id.EPOCH_MILLIS + 1_000_000_000_000L + batch * 1000L + i, 0, 0);
                StringBuilder words = new StringBuilder("all");
                for (int word = 0; word < 20; word++) {
                    words.append(' ').append(Long.toString(random.nextLong(), 36));
                }
                put(statuses, status(last, words.toString()));
            }
            TestRedis.await(index.apply(statuses.keySet(), statuses));
        }

        assertThat(TestRedis.await(index.size())).isBetween(1000, 14_000);
        assertThat(TestRedis.await(index.search(request("all"), 1))).containsExactly(last);
        TestRedis.await(index.apply(List.of(first), Map.of(first, status(first, "all first"))));
        assertThat(TestRedis.await(index.search(request("first"), 1))).isEmpty();
        TestRedis.await(index.commit(new Position("0000000a", 7), NOW));
        assertThat(TestRedis.await(index.size())).isGreaterThan(1000);
        long bytes = 0;
        try (Stream<Path> files = Files.list(folder.resolve("1"))) {
            for (Path file : files.toList()) {
                bytes += Files.size(file);
            }
        }
        assertThat(bytes).isBetween(200_000L, 1_100_000L);
        TestRedis.await(index.close());
    }

    @Test
    void wordsOfDeletedStatusesLeaveTheDiskWithinADay() throws IOException {
        SearchIndex index = index();
        // So many that Lucene does not tidy up by itself.
        Map<Long, Status> statuses = new HashMap<>();
        for (int i = 0; i < 50; i++) {
            long id = Id.of(Id.EPOCH_MILLIS + 1000 + i, 0, 0);
            put(statuses, status(id, "word" + i));
        }
        long goes = Id.of(Id.EPOCH_MILLIS + 1000, 0, 0);
        TestRedis.await(index.apply(statuses.keySet(), statuses));
        TestRedis.await(index.commit(new Position("0000000a", 1), NOW));
        TestRedis.await(index.apply(List.of(goes), Map.of()));
        TestRedis.await(index.commit(new Position("0000000a", 2), NOW + 3_600_000));
        assertThat(deletedOnDisk()).isOne();
        TestRedis.await(index.close());

        SearchIndex again = SearchIndex.of(vertx, settings(), new SimpleMeterRegistry());
        assertThat(TestRedis.await(again.open())).isEqualTo(new Position("0000000a", 2));
        TestRedis.await(again.commit(new Position("0000000a", 2), NOW + 86_399_999));
        assertThat(deletedOnDisk()).isOne();
        TestRedis.await(again.commit(new Position("0000000a", 2), NOW + 86_400_000));
        assertThat(deletedOnDisk()).isZero();
        assertThat(TestRedis.await(again.size())).isEqualTo(49);
        TestRedis.await(again.close());
    }

    private int deletedOnDisk() throws IOException {
        try (Directory directory = FSDirectory.open(folder.resolve("1"));
                DirectoryReader reader = DirectoryReader.open(directory)) {
            return reader.numDeletedDocs();
        }
    }

    @Test
    void committedStatusesRemainAfterProcessesThatShareAFolderHaveEnded() throws IOException {
        SearchIndex first = index();
        SearchIndex second = index();
        long id = Id.of(Id.EPOCH_MILLIS + 1000, 0, 0);
        TestRedis.await(first.apply(List.of(id), Map.of(id, status(id, "kept"))));
        TestRedis.await(first.commit(new Position("0000000a", 7), NOW));
        TestRedis.await(first.apply(List.of(id), Map.of()));
        assertThat(TestRedis.await(first.search(request("kept"), 10))).isEmpty();
        TestRedis.await(first.close());
        TestRedis.await(second.close());

        SearchIndex again = SearchIndex.of(vertx, settings(), new SimpleMeterRegistry());
        assertThat(TestRedis.await(again.open())).isEqualTo(new Position("0000000a", 7));
        assertThat(TestRedis.await(again.search(request("kept"), 10))).containsExactly(id);
        TestRedis.await(again.close());
    }

    @Test
    void anIndexWithDamagedOrMissingFilesIsRebuilt() throws IOException {
        damage("segments.*", file -> Files.write(file, new byte[] {1, 2, 3}));
        damage("_.*[.]si", file -> Files.write(file, new byte[] {1, 2, 3}));
        damage("_.*[.]cfs", file -> Files.write(file, new byte[0]));
        damage("_.*[.]cfs", Files::delete);
    }

    private interface Damage {
        void to(Path file) throws IOException;
    }

    private void damage(String names, Damage damage) throws IOException {
        long id = Id.of(Id.EPOCH_MILLIS + 1000, 0, 0);
        SearchIndex index = index();
        TestRedis.await(index.apply(List.of(id), Map.of(id, status(id, "kept"))));
        TestRedis.await(index.commit(new Position("0000000a", 7), NOW));
        TestRedis.await(index.close());
        List<Path> files;
        try (Stream<Path> all = Files.list(folder.resolve("1"))) {
            files = all.filter(name -> name.getFileName().toString().matches(names))
                    .toList();
        }
        assertThat(files).isNotEmpty();
        for (Path file : files) {
            damage.to(file);
        }

        SearchIndex rebuilt = index();
        assertThat(rebuilt.isOpen()).isTrue();
        assertThat(folder.resolve("2")).doesNotExist();
        assertThat(TestRedis.await(rebuilt.search(request("kept"), 10))).isEmpty();
        TestRedis.await(rebuilt.apply(List.of(id), Map.of(id, status(id, "again"))));
        assertThat(TestRedis.await(rebuilt.search(request("again"), 10))).containsExactly(id);
        TestRedis.await(rebuilt.clear());
        TestRedis.await(rebuilt.close());
    }

    @Test
    void anIndexThatCannotBeWrittenIsSearchedAndOpenedAgainWithWhatItHasKept() throws IOException {
        SearchIndex index = index();
        long kept = Id.of(Id.EPOCH_MILLIS + 1000, 0, 0);
        long lost = Id.of(Id.EPOCH_MILLIS + 1001, 0, 0);
        TestRedis.await(index.apply(List.of(kept), Map.of(kept, status(kept, "a word"))));
        TestRedis.await(index.commit(new Position("0000000a", 7), NOW));
        Files.delete(folder.resolve("1").resolve(IndexWriter.WRITE_LOCK_NAME));

        Future<String> applied = index.apply(List.of(lost), Map.of(lost, status(lost, "a word")))
                .map(done -> "applied")
                .otherwise("not written");
        assertThat(TestRedis.await(applied)).isEqualTo("not written");
        assertThat(index.isOpen()).isFalse();
        assertThat(TestRedis.await(index.search(request("word"), 10))).containsExactly(kept);

        assertThat(TestRedis.await(index.open())).isEqualTo(new Position("0000000a", 7));
        assertThat(index.isOpen()).isTrue();
        assertThat(TestRedis.await(index.search(request("word"), 10))).containsExactly(kept);
        TestRedis.await(index.apply(List.of(lost), Map.of(lost, status(lost, "a word"))));
        TestRedis.await(index.commit(new Position("0000000a", 8), NOW));
        assertThat(TestRedis.await(index.search(request("word"), 10))).containsExactly(lost, kept);
        TestRedis.await(index.close());
    }

    @Test
    void aRequestedRebuildIsForgottenWhenTheIndexIsCleared() throws IOException {
        SearchIndex index = index();
        assertThat(TestRedis.await(index.rebuildRequested())).isFalse();
        Files.write(folder.resolve("1").resolve(SearchIndex.REBUILD), new byte[0]);

        assertThat(TestRedis.await(index.rebuildRequested())).isTrue();
        assertThat(TestRedis.await(index.rebuildRequested())).isTrue();
        TestRedis.await(index.clear());
        assertThat(TestRedis.await(index.rebuildRequested())).isFalse();
        TestRedis.await(index.close());
    }

    @Test
    void moreSearchesThanMayWaitAreRefused() {
        SearchIndex index = index("search.queries-at-once=1", "search.queries-waiting=0");
        CountDownLatch busy = new CountDownLatch(1);
        // The pool of the searches, by its name: so the first one has the only place until the second has come.
        WorkerExecutor pool = vertx.createSharedWorkerExecutor("search", 1);
        Future<Boolean> blocked = pool.executeBlocking(() -> busy.await(30, TimeUnit.SECONDS));
        Promise<Throwable> refused = Promise.promise();
        vertx.runOnContext(turn -> {
            Future<List<Long>> one = index.search(request("a"), 1);
            Future<List<Long>> other = index.search(request("a"), 1);
            busy.countDown();
            one.eventually(() -> other).onComplete(done -> refused.complete(other.cause()));
        });

        assertThat(TestRedis.await(refused.future()))
                .isInstanceOfSatisfying(
                        Refusal.class, refusal -> assertThat(refusal.reason()).isEqualTo(Refusal.Reason.OVERLOADED));
        assertThat(TestRedis.await(blocked)).isTrue();
        assertThat(TestRedis.await(index.search(request("a"), 1))).isEmpty();
        TestRedis.await(pool.close());
        TestRedis.await(index.close());
    }

    @Test
    void optionsOfPollsAreFound() {
        SearchIndex index = index();
        long asks = Id.of(Id.EPOCH_MILLIS + 1000, 0, 0);
        long says = Id.of(Id.EPOCH_MILLIS + 1001, 0, 0);
        Poll poll = new Poll(List.of("By Train", "by bus"), Id.EPOCH_MILLIS + 1_000_000, false, false);
        Map<Long, Status> statuses =
                Map.of(asks, status(asks, Content.of("how do you come").with(poll)), says, status(says, "by train"));
        TestRedis.await(index.apply(statuses.keySet(), statuses));

        assertThat(TestRedis.await(index.search(request("train"), 10))).containsExactly(says, asks);
        assertThat(TestRedis.await(index.search(request("\"by bus\""), 10))).containsExactly(asks);
        assertThat(TestRedis.await(index.search(request("\"train by\""), 10))).isEmpty();
        assertThat(TestRedis.await(index.search(request("has:poll"), 10))).containsExactly(asks);
        assertThat(TestRedis.await(index.search(request("train -has:poll"), 10)))
                .containsExactly(says);
        TestRedis.await(index.close());
    }

    @Test
    void aQueryWithoutAWordFindsNothing() {
        SearchIndex index = index();
        long id = Id.of(Id.EPOCH_MILLIS + 1000, 0, 0);
        TestRedis.await(index.apply(List.of(id), Map.of(id, status(id, "late train"))));

        for (String nothing : List.of("-", "...", "!!!", "\"?\"", "-...", "- ... !!!")) {
            assertThat(TestRedis.await(index.search(request(nothing), 10)))
                    .as(nothing)
                    .isEmpty();
        }
        assertThat(TestRedis.await(index.search(request("late ... train"), 10))).containsExactly(id);
        assertThat(TestRedis.await(index.search(request("-early"), 10))).containsExactly(id);
        TestRedis.await(index.close());
    }

    private SearchIndex index(String... assignments) {
        SearchIndex index = SearchIndex.of(vertx, settings(assignments), new SimpleMeterRegistry());
        assertThat(TestRedis.await(index.open())).isNull();
        return index;
    }

    private Settings.Search settings(String... assignments) {
        String[] all = Stream.concat(Stream.of("search.directory=" + folder), Stream.of(assignments))
                .toArray(String[]::new);
        return SettingsLoader.defaultsWith(all).search();
    }

    private static Request request(String text) {
        return new Request(SearchQuery.parse(text), VIEWER, Map.of(), 0, 0, Id.MAX);
    }

    private static Status status(long id, String text) {
        return status(id, Content.of(text));
    }

    private static Status status(long id, Content content) {
        Post post =
                new Post(AUTHOR, Visibility.PUBLIC, Post.Kind.POST, content, null, null, null, /* clientName= */ null);
        return new Status(id, post, Counters.NONE);
    }

    private static void put(Map<Long, Status> statuses, Status status) {
        Status unused = statuses.put(status.id(), status);
    }
}
