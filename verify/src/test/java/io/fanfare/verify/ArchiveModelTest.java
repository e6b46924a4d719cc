package io.fanfare.verify;

import static org.assertj.core.api.Assertions.assertThat;

import io.fanfare.common.id.Id;
import io.fanfare.common.keyspace.Keys;
import io.fanfare.common.model.Article;
import io.fanfare.common.model.Content;
import io.fanfare.common.model.Post;
import io.fanfare.common.model.Reference;
import io.fanfare.common.model.Status;
import io.fanfare.common.model.Visibility;
import io.fanfare.common.store.Articles;
import io.fanfare.common.store.Steps;
import io.fanfare.core.archive.ArchivePass;
import io.fanfare.core.feed.MemoryArchive;
import io.fanfare.redis.Command;
import io.fanfare.redis.Redis;
import io.fanfare.redis.testing.TestRedis;
import io.fanfare.verify.testing.ArchiveFixture;
import io.vertx.core.Future;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/**
 * Random schedules of an author who posts and deletes, readers who like and take back, and workers that move statuses,
 * one command at a time, at the same time with the same author, and die anywhere. What is read is what a list in memory
 * says, at every moment; at rest Redis and the archive agree. Each rule is left out in turn, which must be noticed.
 */
class ArchiveModelTest {
    private static final int SCHEDULES = 12;
    private static final int ACTS = 150;

    /** How often counting restarts, at another seed: docs/feeds.md has the counts. */
    private static final int STARTS = Integer.getInteger("simulation.starts", 1);

    private static final int APART = 1000;

    /** Seeds up to this one notice nothing of a rule that hardly any schedule needs. */
    private static final int LATE = 95;

    private ArchiveFixture a;

    @AfterEach
    void close() {
        a.close();
    }

    /** A rule that is left out. */
    enum LeftOut {
        NOTHING,
        /** Statuses leave Redis before the archive has them. */
        COMMIT_FIRST,
        /** A status that has changed since it was read leaves Redis all the same. */
        UNCHANGED_ONLY,
        /** A pass that comes late overwrites a later one. */
        LATER_PASS_WINS,
        /** A pass that comes late writes what was deleted. */
        DELETES_ARE_STICKY,
        /** Deletes do not reach the archive. */
        ARCHIVE_APPLIES_DELETES,
        /** The archive loses what it has acknowledged. */
        COMMITS_ARE_DURABLE
    }

    @Test
    void nothingIsLostDoubledOrResurrected() {
        a = fixture(LeftOut.NOTHING);
        for (int seed = 1; seed <= SCHEDULES; seed++) {
            assertThat(new Schedule(a, seed, LeftOut.NOTHING).run())
                    .as("seed %d", seed)
                    .isEmpty();
        }
    }

    @ParameterizedTest
    @EnumSource(mode = EnumSource.Mode.EXCLUDE, names = "NOTHING")
    void leavingOutARuleIsNoticed(LeftOut rule) {
        List<Integer> counts = new ArrayList<>();
        // Where it is noticed late, what comes shortly before is enough, unless it is to be counted.
        int first = STARTS == 1 && rule == LeftOut.LATER_PASS_WINS ? LATE : 0;
        for (int start = 0; start < STARTS; start++) {
            if (start > 0) {
                a.close();
            }
            a = fixture(rule);
            List<String> noticed = List.of();
            int count = 0;
            while (noticed.isEmpty() && count < 10 * SCHEDULES) {
                count++;
                noticed = new Schedule(a, start * APART + first + count, rule).run();
            }
            assertThat(noticed).isNotEmpty();
            counts.add(count);
        }
        System.out.printf("%s: noticed after %s schedules%n", rule, counts);
    }

    private static ArchiveFixture fixture(LeftOut rule) {
        MemoryArchive archive = new MemoryArchive();
        archive.latestPassWins = rule != LeftOut.LATER_PASS_WINS;
        archive.deletesAreSticky = rule != LeftOut.DELETES_ARE_STICKY;
        archive.appliesDeletes = rule != LeftOut.ARCHIVE_APPLIES_DELETES;
        archive.keepsWhatIsWritten = rule != LeftOut.COMMITS_ARE_DURABLE;
        return new ArchiveFixture(TestRedis.Kind.STANDALONE.redis(), archive);
    }

    /** A worker's pass that may do without a rule. */
    private static final class LaxPass extends ArchivePass {
        private final Redis redis;
        private final LeftOut rule;

        LaxPass(ArchiveFixture a, Redis redis, LeftOut rule) {
            super(redis, a.settings, a.archive);
            this.redis = redis;
            this.rule = rule;
        }

        /** The voting is over at once, so that articles leave Redis when they have left the rankings. */
        @Override
        protected boolean canBeVotedOn(long id, long now) {
            return false;
        }

        @Override
        protected Future<Void> write(List<Copy> copies) {
            return rule == LeftOut.COMMIT_FIRST ? Future.succeededFuture() : super.write(copies);
        }

        @Override
        protected Future<Long> move(Claim claim, List<Copy> copies) {
            if (rule == LeftOut.COMMIT_FIRST) {
                // The pause that a database takes, in which the process may die.
                return super.move(claim, copies)
                        .compose(moved -> redis.send(Command.of("EXISTS", Keys.profile(claim.author())))
                                .compose(done -> super.write(copies))
                                .map(moved));
            }
            return rule == LeftOut.UNCHANGED_ONLY
                    ? read(claim).compose(now -> super.move(claim, now))
                    : super.move(claim, copies);
        }
    }

    /** One random run with an author of its own. */
    private static final class Schedule {
        private final ArchiveFixture a;
        private final Random random;
        private final LeftOut rule;
        private final long author;
        private final boolean hasArticles;
        private final Articles articles;
        private final List<Long> fans = new ArrayList<>();
        private final List<Long> living = new ArrayList<>(); // Newest first.
        private final Map<Long, Set<Long>> likes = new HashMap<>();
        private final Set<Long> ranked = new LinkedHashSet<>();
        private final List<Steps> workers = new ArrayList<>();
        private Steps busy;

        Schedule(ArchiveFixture a, int seed, LeftOut rule) {
            this.a = a;
            this.random = new Random(seed);
            this.rule = rule;
            long[] users =
                    a.f.get(() -> a.f.stores.accounts().signUpAll(List.of("a" + seed, "b" + seed, "c" + seed))).stream()
                            .mapToLong(id -> id)
                            .toArray();
            author = users[0];
            fans.addAll(List.of(users[1], users[2]));
            hasArticles = seed % 4 == 0;
            articles = new Articles(a.f.link, a.settings, InstantSource.system());
        }

        /** The faults that were found. */
        List<String> run() {
            List<String> wrong = new ArrayList<>();
            for (int act = 0; act < ACTS && wrong.isEmpty(); act++) {
                act();
                if (random.nextInt(6) == 0) {
                    wrong.addAll(look());
                }
            }
            rest();
            wrong.addAll(look());
            wrong.addAll(a.differences());
            return wrong;
        }

        private void act() {
            int die = random.nextInt(20);
            if (die < 5) {
                long id = hasArticles && die < 2 ? article() : a.post(author);
                living.add(0, id);
                likes.put(id, new HashSet<>());
            } else if (die == 5 && !living.isEmpty()) {
                long id = living.remove(random.nextInt(living.size()));
                a.delete(author, id);
                if (hasArticles) {
                    ranked.remove(id);
                    // As the job of the delete does, which knows whether it was an article.
                    a.f.get(() -> articles.remove(id));
                }
            } else if (die < 9 && !living.isEmpty()) {
                like(living.get(random.nextInt(living.size())), fans.get(random.nextInt(fans.size())));
            } else if (die == 9 && workers.size() < 3) {
                hire();
            } else {
                work();
            }
        }

        private long article() {
            Content content = Content.of("A title").with(new Article("A title", null, List.of()));
            Status article = a.f.get(() -> a.statuses.post(Post.of(author, Visibility.PUBLIC, content), null))
                    .status();
            a.f.get(() -> articles.add(article));
            ranked.add(article.id());
            return article.id();
        }

        /** Newer articles push one out of the rankings. */
        private void pushOut() {
            if (!ranked.isEmpty()) {
                String id = Long.toString(ranked.iterator().next());
                ranked.remove(Long.parseLong(id));
                String key = Keys.article(Long.parseLong(id));
                a.f.redis.askAt(key, "HSET", key, "votes", "1");
                a.f.redis.askAt(key, "ZREM", Keys.ARTICLES_BY_SCORE, id);
                a.f.redis.askAt(key, "ZREM", Keys.ARTICLES_BY_TIME, id);
            }
        }

        /** As if the time had come to look at the author again, and at what is in Redis again or still. */
        private void due() {
            String due = Keys.archiveDue(Id.shard(author));
            a.f.redis.askAt(due, "ZADD", due, "0", Long.toString(author));
            if (hasArticles) {
                String thawed = Keys.thawed(author);
                a.f.members(thawed).forEach(id -> a.f.redis.askAt(thawed, "ZADD", thawed, "XX", "0", id));
            }
        }

        private void like(long id, long fan) {
            if (likes.get(id).add(fan)) {
                a.f.get(() -> a.favourites.like(fan, new Reference(id, author)));
            } else {
                likes.get(id).remove(fan);
                a.f.get(() -> a.favourites.unlike(fan, id));
            }
        }

        /** One more worker on the same author, as if the lease of the others had ended. */
        private void hire() {
            due();
            pushOut();
            Steps steps = new Steps(a.f.link, (command, reply) -> {});
            workers.add(steps);
            LaxPass pass = new LaxPass(a, steps, rule);
            a.f.get(() -> {
                pass.run(Id.shard(author)).onFailure(dead -> {});
                return Future.succeededFuture();
            });
        }

        private void work() {
            workers.removeIf(worker -> !worker.canStep());
            if (workers.isEmpty()) {
                return;
            }
            // Mostly the same one, so that whole passes fit between two steps of another.
            if (!workers.contains(busy) || random.nextInt(8) == 0) {
                busy = workers.get(random.nextInt(workers.size()));
            }
            Steps worker = busy;
            int fate = random.nextInt(30);
            if (fate == 0) {
                worker.kill();
            } else {
                a.f.get(fate == 1 ? worker::stepAndDie : worker::step);
            }
        }

        private void rest() {
            while (workers.stream().anyMatch(Steps::canStep)) {
                work();
            }
            due();
            a.archive(author);
        }

        private List<String> look() {
            List<String> wrong = new ArrayList<>();
            int limit = 1 + random.nextInt(7);
            List<Long> down = a.walk(author, limit);
            if (!down.equals(living)) {
                wrong.add("down by " + limit + " shows " + down + " instead of " + living);
            }
            List<Long> up = a.walkUp(author, limit);
            if (!up.equals(living)) {
                wrong.add("up by " + limit + " shows " + up + " instead of " + living);
            }
            for (Status status : a.f.get(() -> a.statuses.load(living)).values()) {
                int liked = likes.get(status.id()).size();
                if (status.counters().likes() != liked) {
                    wrong.add(status.id() + " counts " + status.counters().likes() + " likes instead of " + liked);
                }
            }
            return wrong;
        }
    }
}
