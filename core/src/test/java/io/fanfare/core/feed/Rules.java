package io.fanfare.core.feed;

import io.fanfare.common.archive.Archive;
import io.fanfare.common.event.EventLog;
import io.fanfare.common.id.Id;
import io.fanfare.common.keyspace.Keys;
import io.fanfare.common.model.Page;
import io.fanfare.common.model.PageRequest;
import io.fanfare.common.model.Status;
import io.fanfare.common.settings.Settings;
import io.fanfare.common.store.Graph;
import io.fanfare.common.store.IdRange;
import io.fanfare.common.store.Statuses;
import io.fanfare.common.store.ViewerRelationshipsReader;
import io.fanfare.common.view.RenderCache;
import io.fanfare.core.archive.ArchivePass;
import io.fanfare.core.graph.Follows;
import io.fanfare.redis.Command;
import io.fanfare.redis.Redis;
import io.fanfare.redis.Script;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import io.vertx.core.Future;
import java.time.Duration;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.random.RandomGenerator;

/**
 * The rules of the protocol: all of them, or all but one. A suite that does not notice that one is missing proves
 * nothing about it.
 */
public enum Rules {
    ALL,
    /** A rebuild clears any mark, not only its own. */
    NO_TOKEN {
        @Override
        public Homes.Scripts scripts() {
            return withMerge("if token == own_token then", "if token ~= '' then");
        }
    },
    /** A rebuild forgets how far down it has read. */
    NO_FLOOR_AT_REBUILD {
        @Override
        public Homes.Scripts scripts() {
            return withMerge("math.max(floor, bound), ''", "floor, ''");
        }
    },
    /** A trim forgets what it has dropped. */
    NO_FLOOR_AT_TRIM {
        @Override
        public Homes.Scripts scripts() {
            Homes.Scripts s = Homes.Scripts.STANDARD;
            Script trim = s.trim().with("home_spell(raised,", "home_spell(floor,");
            return with(s.merge(), trim, s.backfill(), s.clean(), s.takeOut(), s.read());
        }
    },
    /** A backfill forgets that it has merged only the newest posts. */
    NO_FLOOR_AT_BACKFILL {
        @Override
        public Homes.Scripts scripts() {
            return withBackfill("math.max(floor, bound)", "floor");
        }
    },
    /** A backfill completes a home that is being built. */
    BACKFILL_CLEARS_MARK {
        @Override
        public Homes.Scripts scripts() {
            return withBackfill("math.max(floor, bound), token", "math.max(floor, bound), ''");
        }
    },
    /** A trim counts as sorted what it has not sorted. */
    NO_COUNT_AT_TRIM {
        @Override
        public Homes.Scripts scripts() {
            Homes.Scripts s = Homes.Scripts.STANDARD;
            Script trim = s.trim().with("count = count - excess", "count = max");
            return with(s.merge(), trim, s.backfill(), s.clean(), s.takeOut(), s.read());
        }
    },
    /** A removed entry is still counted. */
    NO_COUNT_AT_TAKE_OUT {
        @Override
        public Homes.Scripts scripts() {
            Homes.Scripts s = Homes.Scripts.STANDARD;
            Script takeOut = s.takeOut().with("math.max(0, count - gone)", "count");
            return with(s.merge(), s.trim(), s.backfill(), s.clean(), takeOut, s.read());
        }
    },
    /** The tail of a home is taken for its newest, sorted or not. */
    TAIL_WITHOUT_COUNT {
        @Override
        public Homes.Scripts scripts() {
            return withRead("count + 1 - wanted", "redis.call('LLEN', home) - wanted");
        }
    },
    /** A poll takes a home that does not reach down to its id for one without news. */
    POLL_ABOVE_THE_HOME {
        @Override
        public Homes.Scripts scripts() {
            return withRead("above > 0 and floor <= above", "above > 0");
        }
    },
    /** A poll looks for news in the home alone. */
    POLL_WITHOUT_TAGS {
        @Override
        public Homes.Scripts scripts() {
            return withRead("redis.call('EXISTS', KEYS[7]) == 0", "true");
        }
    },
    /** A reader's followees are read once. */
    NO_VERSION {
        @Override
        public Homes.Scripts scripts() {
            return withRead("said[1] or '0'", "known ~= '' and known or said[1] or '0'");
        }
    },
    /** The walk of a page below the home is gone on with, whoever is followed by now. */
    WALK_OF_OTHER_FOLLOWS {
        @Override
        public HomeWalks walks() {
            return new HomeWalks(OLD) {
                private String first;

                @Override
                Walk from(long reader, String version, long below) {
                    first = first == null ? version : first;
                    return super.from(reader, first, below);
                }
            };
        }
    },
    /** The walk of a page below the home is gone on with from above where it began. */
    WALK_FROM_ANYWHERE {
        @Override
        public HomeWalks walks() {
            return new HomeWalks(OLD) {
                @Override
                Walk from(long reader, String version, long below) {
                    return super.from(reader, version, /* below= */ 0);
                }
            };
        }
    },
    /** The clean-up after an unfollow does not ask whether a new follow has come. */
    CLEAN_WITHOUT_CHECK {
        @Override
        public Homes.Scripts scripts() {
            Homes.Scripts s = Homes.Scripts.STANDARD;
            Script clean = s.clean().with("if redis.call('ZSCORE', following, ARGV[i]) then", "if false then");
            return with(s.merge(), s.trim(), s.backfill(), clean, s.takeOut(), s.read());
        }
    },
    /** The followers entry is not taken back when the follow has ended meanwhile. */
    NO_RECHECK {
        @Override
        public Graph graph(Redis redis, Settings settings) {
            return new Graph(redis, settings) {
                @Override
                public Future<Boolean> stillFollows(long follower, long followee, long edge) {
                    return Future.succeededFuture(true);
                }
            };
        }
    },
    /** The end of a follow is not remembered on the followee's side. */
    NO_FENCE {
        @Override
        public Graph graph(Redis redis, Settings settings) {
            return new Graph(redis, settings) {
                @Override
                public Future<Void> unlink(long follower, long followee, long edge) {
                    return super.unlink(follower, followee, edge)
                            .compose(done -> redis.send(Command.of("DEL", Keys.unlinked(followee))))
                            .mapEmpty();
                }
            };
        }
    },
    /** The end of one follow takes the followers entry of the next. */
    UNLINK_ANY_EDGE {
        @Override
        public Graph graph(Redis redis, Settings settings) {
            return new Graph(redis, settings) {
                @Override
                public Future<Void> unlink(long follower, long followee, long edge) {
                    return followers(followee, PageRequest.newest(100)).compose(page -> page.items().stream()
                            .filter(other -> other.accountId() == follower)
                            .findFirst()
                            .map(other -> super.unlink(follower, followee, other.edgeId()))
                            .orElse(Future.succeededFuture()));
                }
            };
        }
    },
    /** The profile is read before fan-outs know of the new follower. */
    BACKFILL_FIRST {
        @Override
        public Follows follows(Graph graph, Homes homes, Statuses statuses, EventLog events) {
            return new Stores.QuietFollows(graph, homes, statuses, events) {
                @Override
                protected Future<Settled> settle(long follower, long followee, long edge) {
                    return backfill(follower, followee, edge)
                            .compose(done -> graph.link(follower, followee, edge))
                            .compose(done -> graph.stillFollows(follower, followee, edge))
                            .compose(follows -> follows
                                    ? Future.succeededFuture(new Settled(edge, 0))
                                    : graph.unlink(follower, followee, edge).map(Settled.ENDED));
                }
            };
        }
    },
    /** A new follower gets nothing of what was posted before. */
    NO_BACKFILL {
        @Override
        public Follows follows(Graph graph, Homes homes, Statuses statuses, EventLog events) {
            return new Stores.QuietFollows(graph, homes, statuses, events) {
                @Override
                protected Future<Void> backfill(long follower, long followee, long edge) {
                    return Future.succeededFuture();
                }
            };
        }
    },
    /** Deleted statuses are shown while they lie in a home. */
    NO_FILTER_OF_DELETED {
        @Override
        public Statuses statuses(Redis redis, Settings settings, Archive archive) {
            return new HastyStatuses(redis, settings, archive) {
                @Override
                public Future<Reachable> reachable(Collection<Long> ids, long since) {
                    List<Future<Status>> loads = new ArrayList<>();
                    for (long id : ids) {
                        loads.add(find(id).compose(found -> found.isPresent()
                                ? Future.succeededFuture(found.get())
                                : findDeleted(id).map(deleted -> deleted.orElse(null))));
                    }
                    return Future.all(loads).map(done -> {
                        Map<Long, Status> all = new HashMap<>();
                        loads.forEach(load -> all.put(load.result().id(), load.result()));
                        return new Reachable(all, Set.of());
                    });
                }
            };
        }
    },
    /** A page shows all posts of a home, also those of unfollowed authors. */
    NO_FILTER_OF_UNFOLLOWED {
        @Override
        public Timelines timelines(TimelinesParts parts) {
            return new PartedTimelines(parts) {
                @Override
                TimelineFilter homeFilter(HomePolicy homePolicy) {
                    return TimelineFilter.by(parts.statuses(), status -> true);
                }
            };
        }
    },
    /** A follower is shown the followee's reposts as well. */
    NO_FILTER_OF_REPOSTS {
        @Override
        public Timelines timelines(TimelinesParts parts) {
            return new PartedTimelines(parts) {
                @Override
                TimelineFilter homeFilter(HomePolicy homePolicy) {
                    return TimelineFilter.by(
                            parts.statuses(), status -> homePolicy.authors().include(status.authorId()));
                }
            };
        }
    },
    /** Muted and blocked accounts are shown as long as the home holds their posts. */
    NO_FILTER_OF_HIDDEN {
        @Override
        public Timelines timelines(TimelinesParts parts) {
            return new PartedTimelines(parts) {
                @Override
                TimelineFilter homeFilter(HomePolicy homePolicy) {
                    return TimelineFilter.by(parts.statuses(), homePolicy::wants);
                }
            };
        }
    },
    /** Posts made while readers pulled are not delivered when they no longer do. */
    NO_CATCH_UP {
        @Override
        public Homes homes(Redis redis, Settings settings) {
            return new Homes(redis, settings.feeds(), scripts(), Duration.ZERO) {
                @Override
                public Future<Set<Long>> catchUp(List<Long> readers, IdRange pulled) {
                    return Future.succeededFuture(Set.of());
                }
            };
        }
    },
    /** A home that has caught up with only the newest posts does not remember that. */
    NO_FLOOR_AT_CATCH_UP {
        @Override
        public Homes.Scripts scripts() {
            Homes.Scripts s = Homes.Scripts.STANDARD;
            return with(s.pull(), s.raise().with("floor < bound", "false"), s.create());
        }
    },
    /** The end of a catch-up ends a pulling that has begun again. */
    ANY_CATCH_UP_ENDS_PULLING {
        @Override
        public Statuses statuses(Redis redis, Settings settings, Archive archive) {
            return new HastyStatuses(redis, settings, archive) {
                @Override
                public Future<Boolean> endPull(long author, long from, long to) {
                    return redis.pipeline(List.of(
                                    Command.of("HDEL", Keys.user(author), "dial"),
                                    Command.of("ZREM", Keys.pulledAuthors(Id.shard(author)), author)))
                            .map(true);
                }
            };
        }
    },
    /** A home that takes what a read has pulled forgets how far down that reaches. */
    NO_FLOOR_AT_PULL {
        @Override
        public Homes.Scripts scripts() {
            Homes.Scripts s = Homes.Scripts.STANDARD;
            return with(s.pull().with("math.max(floor, bound)", "floor"), s.raise(), s.create());
        }
    },
    /** Posts pulled by a read go into a home that holds less than the read assumed. */
    PULL_INTO_ANY_HOME {
        @Override
        public Homes.Scripts scripts() {
            Homes.Scripts s = Homes.Scripts.STANDARD;
            return with(s.pull().with(" or (tonumber(pulled) or 0) < from", ""), s.raise(), s.create());
        }
    },
    /** A home that takes what a read has pulled is held to have what comes later as well. */
    NO_MARGIN_AT_PULL {
        @Override
        public Homes.Scripts scripts() {
            Homes.Scripts s = Homes.Scripts.STANDARD;
            return with(s.pull().with("tonumber(ARGV[3])", "tonumber(ARGV[3]) + 4096 * 600000"), s.raise(), s.create());
        }
    },
    /** A new home is held to have what comes later as well. */
    NO_MARGIN_AT_CREATE {
        @Override
        public Homes.Scripts scripts() {
            Homes.Scripts s = Homes.Scripts.STANDARD;
            return with(s.pull(), s.raise(), s.create().with("now_ms('') - margin", "now_ms('') + 600000"));
        }
    },
    /** A cut range of a pulled author's posts is taken for all. */
    CUT_PULL_IS_WHOLE {
        @Override
        public Timelines timelines(TimelinesParts parts) {
            return new PartedTimelines(parts) {
                @Override
                Future<Pull> pull(List<Long> authors, long from, PageRequest page) {
                    return super.pull(authors, from, page)
                            .map(pull -> new Pull(
                                    pull.authors(),
                                    from,
                                    pull.ranges().stream()
                                            .map(range -> new IdRange(range.ids(), 0))
                                            .toList(),
                                    pull.limit()));
                }
            };
        }
    },
    /** Pages upward read the home alone. */
    NO_PULL_UPWARD {
        @Override
        public Timelines timelines(TimelinesParts parts) {
            return new PartedTimelines(parts) {
                @Override
                List<Long> newsOf(long reader, List<Long> followees, long held, PageRequest page) {
                    return page.minId() > 0 ? List.of() : super.newsOf(reader, followees, held, page);
                }
            };
        }
    },
    /** Nothing is older than the end of a profile. */
    NO_BORDER {
        @Override
        public Statuses statuses(Redis redis, Settings settings, Archive archive) {
            return new HastyStatuses(redis, settings, archive) {
                @Override
                public Future<List<IdRange>> honest(List<Long> authors, List<IdRange> ranges) {
                    return Future.succeededFuture(ranges);
                }
            };
        }
    },
    /** The border of an author is asked once. */
    OLD_BORDER {
        @Override
        public Statuses statuses(Redis redis, Settings settings, Archive archive) {
            Map<Long, Long> known = new HashMap<>();
            return new HastyStatuses(redis, settings, archive) {
                @Override
                public Future<List<IdRange>> honest(List<Long> authors, List<IdRange> ranges) {
                    return super.honest(authors, ranges).map(honest -> {
                        List<IdRange> old = new ArrayList<>();
                        for (int i = 0; i < authors.size(); i++) {
                            IdRange range = honest.get(i);
                            old.add(
                                    ranges.get(i).bound() > 0
                                            ? range
                                            : new IdRange(
                                                    range.ids(),
                                                    known.computeIfAbsent(authors.get(i), author -> range.bound())));
                        }
                        return old;
                    });
                }
            };
        }
    },
    /** An archive that is away is taken for an empty one. */
    AWAY_IS_EMPTY {
        @Override
        public Archive archive(SwitchedArchive archive) {
            return archive.emptyWhenAway();
        }
    },
    /** Statuses leave Redis before the archive has committed them. */
    MOVE_BEFORE_COMMIT {
        @Override
        public ArchivePass pass(Redis redis, Settings settings, Archive archive) {
            return new ArchivePass(redis, settings, archive) {
                @Override
                protected Future<Void> write(List<Copy> copies) {
                    return Future.succeededFuture();
                }

                @Override
                protected Future<Long> move(Claim claim, List<Copy> copies) {
                    // The pause that a database takes, in which the process may die.
                    return super.move(claim, copies)
                            .compose(moved -> redis.send(Command.of("EXISTS", Keys.profile(claim.author())))
                                    .compose(done -> super.write(copies))
                                    .map(moved));
                }
            };
        }
    },
    /** A page that came up short is taken for the last one. */
    SHORT_PAGE_ENDS {
        @Override
        public Timelines timelines(TimelinesParts parts) {
            return new PartedTimelines(parts) {
                @Override
                public Future<Page<Status>> home(long reader, PageRequest page) {
                    return super.home(reader, PageRequest.newest(1)) // For the rebuild, if one is due.
                            .compose(built -> parts.homes().raw(reader))
                            .compose(raw -> raw == null || page.minId() > 0
                                    ? super.home(reader, page)
                                    : shortPage(parts.statuses(), raw, page));
                }
            };
        }
    };

    public Homes.Scripts scripts() {
        return Homes.Scripts.STANDARD;
    }

    public Statuses statuses(Redis redis, Settings settings, Archive archive) {
        return new HastyStatuses(redis, settings, archive);
    }

    /** As processes see it. */
    public Archive archive(SwitchedArchive archive) {
        return archive;
    }

    public ArchivePass pass(Redis redis, Settings settings, Archive archive) {
        return new ArchivePass(redis, settings, archive);
    }

    public Homes homes(Redis redis, Settings settings) {
        return new Homes(redis, settings.feeds(), scripts(), Duration.ZERO);
    }

    public Graph graph(Redis redis, Settings settings) {
        return new Graph(redis, settings);
    }

    public Follows follows(Graph graph, Homes homes, Statuses statuses, EventLog events) {
        return new Stores.QuietFollows(graph, homes, statuses, events);
    }

    public Remembered remembered() {
        return new Remembered(new FolloweeCache(), walks());
    }

    public HomeWalks walks() {
        return new HomeWalks(OLD);
    }

    public Timelines timelines(TimelinesParts parts) {
        return new PartedTimelines(parts);
    }

    /** The posts of an author are left to readers at once: every reading asks who is pulled. */
    private static class HastyStatuses extends Statuses {
        HastyStatuses(Redis redis, Settings settings, Archive archive) {
            super(redis, settings, RenderCache.none(), Duration.ZERO, archive);
        }
    }

    /** The caches that a process has about readers. */
    public record Remembered(FolloweeCache followees, HomeWalks walks) {}

    /** The parts of {@link Timelines}. */
    public record TimelinesParts(
            Redis redis,
            Homes homes,
            Statuses statuses,
            ViewerRelationshipsReader viewerRelationships,
            Remembered remembered,
            PulledAuthors pulled,
            RandomGenerator random,
            Settings.Feeds settings) {}

    /** By it no new post gets an id as low as those of today. */
    private static final InstantSource OLD = InstantSource.offset(InstantSource.system(), Homes.CLOCKS_APART);

    private static class PartedTimelines extends Timelines {
        PartedTimelines(TimelinesParts parts) {
            super(
                    parts.redis(),
                    parts.homes(),
                    parts.statuses(),
                    parts.viewerRelationships(),
                    parts.remembered().followees(),
                    parts.remembered().walks(),
                    parts.pulled(),
                    parts.random(),
                    parts.settings(),
                    new HomeMetrics(new SimpleMeterRegistry()));
        }
    }

    private static Future<Page<Status>> shortPage(Statuses statuses, List<Long> raw, PageRequest page) {
        List<Long> scanned =
                raw.stream().filter(id -> id < page.maxId()).limit(page.limit()).toList();
        return statuses.load(scanned).map(living -> {
            List<Status> items = scanned.stream()
                    .filter(living::containsKey)
                    .map(living::get)
                    .toList();
            boolean full = items.size() == page.limit();
            return new Page<>(items, full ? items.get(items.size() - 1).id() : 0, 0);
        });
    }

    private static Homes.Scripts withMerge(String part, String replacement) {
        Homes.Scripts s = Homes.Scripts.STANDARD;
        return with(s.merge().with(part, replacement), s.trim(), s.backfill(), s.clean(), s.takeOut(), s.read());
    }

    private static Homes.Scripts withBackfill(String part, String replacement) {
        Homes.Scripts s = Homes.Scripts.STANDARD;
        return with(s.merge(), s.trim(), s.backfill().with(part, replacement), s.clean(), s.takeOut(), s.read());
    }

    private static Homes.Scripts withRead(String part, String replacement) {
        Homes.Scripts s = Homes.Scripts.STANDARD;
        return with(
                s.merge(),
                s.trim(),
                s.backfill(),
                s.clean(),
                s.takeOut(),
                s.read().with(part, replacement));
    }

    private static Homes.Scripts with(Script pull, Script raise, Script create) {
        Homes.Scripts s = Homes.Scripts.STANDARD;
        return new Homes.Scripts(
                create, s.merge(), s.trim(), s.sort(), s.backfill(), s.clean(), s.takeOut(), s.read(), pull, raise);
    }

    private static Homes.Scripts with(
            Script merge, Script trim, Script backfill, Script clean, Script takeOut, Script read) {
        Homes.Scripts s = Homes.Scripts.STANDARD;
        return new Homes.Scripts(
                s.create(), merge, trim, s.sort(), backfill, clean, takeOut, read, s.pull(), s.raise());
    }
}
