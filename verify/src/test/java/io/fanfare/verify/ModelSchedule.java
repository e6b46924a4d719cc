package io.fanfare.verify;

import static org.assertj.core.api.Assertions.assertThat;

import com.google.errorprone.annotations.CanIgnoreReturnValue;
import io.fanfare.common.id.Id;
import io.fanfare.common.model.Page;
import io.fanfare.common.model.PageRequest;
import io.fanfare.common.model.Status;
import io.fanfare.core.feed.Stores;
import io.fanfare.core.graph.Blocks;
import io.fanfare.core.testing.StoreFixture;
import io.fanfare.verify.testing.ArchiveFixture;
import io.vertx.core.Future;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashSet;
import java.util.List;
import java.util.Random;
import java.util.Set;
import java.util.TreeMap;
import java.util.function.Function;
import java.util.function.Supplier;
import java.util.stream.LongStream;

/**
 * A random schedule of changes by accounts, one of which owns the timelines that are compared with a model. This part
 * has the follows, blocks and mutes of the owner, and compares pages; subclasses add statuses and what else they
 * change.
 *
 * @param <S> a status as the model has it
 */
abstract class ModelSchedule<S> {
    final ArchiveFixture a;
    final int seed;
    final Random random;
    final Stores stores;
    final Blocks blocks;
    final List<Long> people;
    final long owner;

    /** By id, the newest first. */
    final TreeMap<Long, S> model = new TreeMap<>(Collections.reverseOrder());

    final Set<Long> followed = new HashSet<>();
    final Set<Long> withoutReposts = new HashSet<>();
    final Set<Long> blocked = new HashSet<>();
    final Set<Long> blockedBy = new HashSet<>();
    final Set<Long> muted = new HashSet<>();

    /** @param names of the accounts; the first is the owner */
    ModelSchedule(ArchiveFixture a, int seed, List<String> names) {
        this.a = a;
        this.seed = seed;
        this.random = new Random(seed);
        a.foldWindow = 1 + seed % 4;
        this.stores = Stores.on(a.f.link, a.settings, seed);
        this.blocks = new Blocks(a.f.link, a.settings, stores.graph(), stores.follows());
        this.people = a.f.get(() -> stores.accounts().signUpAll(names));
        this.owner = people.get(0);
    }

    /** One random change of the data and of the model. */
    abstract void act();

    /** Compares the data with the model. */
    abstract void look();

    /** The owner and the account do not follow each other any more. */
    abstract void end(long account);

    final void run(int acts) {
        for (int act = 0; act < acts; act++) {
            act();
            if (random.nextInt(4) == 0) {
                look();
            }
        }
        look();
    }

    final <T> T any(List<T> choices) {
        return choices.get(random.nextInt(choices.size()));
    }

    /** Any account but the owner. */
    final long other() {
        return people.get(1 + random.nextInt(people.size() - 1));
    }

    @CanIgnoreReturnValue
    final <T> T get(Supplier<Future<T>> call) {
        return a.f.get(call);
    }

    final void unfollow() {
        long whom = other();
        get(() -> stores.follows().unfollow(owner, whom));
        end(whom);
    }

    final void block() {
        long whom = other();
        boolean own = random.nextBoolean();
        Set<Long> side = own ? blocked : blockedBy;
        if (own && !side.contains(whom) && side.size() >= a.settings.limits().blocksMax()) {
            return;
        }
        get(() -> own ? blocks.block(owner, whom) : blocks.block(whom, owner));
        side.add(whom);
        end(whom);
    }

    final void unblock() {
        long whom = other();
        get(() -> blocks.unblock(owner, whom));
        get(() -> blocks.unblock(whom, owner));
        blocked.remove(whom);
        blockedBy.remove(whom);
    }

    final void mute() {
        long whom = other();
        if (muted.remove(whom)) {
            get(() -> blocks.unmute(owner, whom));
        } else if (muted.size() < a.settings.limits().mutesMax()) {
            get(() -> blocks.mute(owner, whom, true));
            muted.add(whom);
        }
    }

    /** Whether a block or a mute hides statuses of these accounts from the owner. */
    final boolean isHidden(long... accounts) {
        return LongStream.of(accounts)
                .anyMatch(who -> blocked.contains(who) || blockedBy.contains(who) || muted.contains(who));
    }

    /**
     * Reads all pages of the timeline down and up, and single pages at a random cursor.
     *
     * @param expected its ids, the newest first
     */
    final void assertTimeline(Function<PageRequest, Future<Page<Status>>> timeline, List<Long> expected, int limit) {
        assertThat(walkDown(timeline, limit))
                .as("seed %d down by %d", seed, limit)
                .isEqualTo(expected);
        assertThat(walkUp(timeline, limit)).as("seed %d up by %d", seed, limit).isEqualTo(expected);
        if (!model.isEmpty()) {
            assertPagesAt(any(List.copyOf(model.keySet())) + random.nextInt(3) - 1, timeline, expected, limit);
        }
    }

    private void assertPagesAt(
            long at, Function<PageRequest, Future<Page<Status>>> timeline, List<Long> expected, int limit) {
        List<Long> below = expected.stream().filter(id -> id < at).toList();
        List<Long> above = expected.stream().filter(id -> id > at).toList();
        Page<Status> older = get(() -> timeline.apply(PageRequest.olderThan(at, limit)));
        List<Long> shown = StoreFixture.ids(older);
        assertThat(shown)
                .as("seed %d older", seed)
                .hasSizeLessThanOrEqualTo(limit)
                .isEqualTo(below.subList(0, Math.min(shown.size(), below.size())));
        if (shown.size() < limit) {
            assertThat(older.next() > 0 || shown.equals(below))
                    .as("seed %d: a short page is the last or has a next", seed)
                    .isTrue();
        }
        List<Long> just = StoreFixture.ids(get(() -> timeline.apply(PageRequest.justAbove(at, limit))));
        assertThat(just)
                .as("seed %d above", seed)
                .hasSizeLessThanOrEqualTo(limit)
                .isEqualTo(above.subList(Math.max(0, above.size() - just.size()), above.size()));
        assertThat(StoreFixture.ids(get(() -> timeline.apply(new PageRequest(Id.MAX, at, 0, limit)))))
                .as("seed %d since", seed)
                .isEqualTo(above.subList(0, Math.min(limit, above.size())));
    }

    private List<Long> walkDown(Function<PageRequest, Future<Page<Status>>> timeline, int limit) {
        List<Long> walk = new ArrayList<>();
        PageRequest next = PageRequest.newest(limit);
        while (true) {
            PageRequest request = next;
            Page<Status> page = get(() -> timeline.apply(request));
            assertThat(page.items()).hasSizeLessThanOrEqualTo(limit);
            walk.addAll(StoreFixture.ids(page));
            if (page.next() == 0) {
                return walk;
            }
            next = PageRequest.olderThan(page.next(), limit);
        }
    }

    private List<Long> walkUp(Function<PageRequest, Future<Page<Status>>> timeline, int limit) {
        List<Long> walk = new ArrayList<>();
        long above = PageRequest.BOTTOM;
        while (true) {
            PageRequest request = PageRequest.justAbove(above, limit);
            Page<Status> page = get(() -> timeline.apply(request));
            walk.addAll(0, StoreFixture.ids(page));
            if (page.prev() == 0) {
                return walk;
            }
            above = page.prev();
        }
    }
}
