package io.fanfare.worker.handler;

import io.fanfare.common.keyspace.Keys;
import io.fanfare.redis.Command;
import io.fanfare.redis.Redis;
import io.vertx.core.Future;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.function.Function;
import java.util.function.Supplier;

/** A lease as a test grants it, with the checks that a worker makes when it settles. */
public final class TestLease implements Lease {
    private final Supplier<Future<Void>> ensure;
    private final List<Long> checked = new ArrayList<>();
    private final List<Function<Lease, Future<Void>>> takeBacks = new ArrayList<>();

    /** @param ensure answers {@link #ensure} */
    public TestLease(Supplier<Future<Void>> ensure) {
        this.ensure = ensure;
    }

    /** One that lasts. */
    public static TestLease held() {
        return new TestLease(Future::succeededFuture);
    }

    @Override
    public Future<Void> ensure() {
        return ensure.get();
    }

    @Override
    public void check(Collection<Long> statuses, Function<Lease, Future<Void>> takeBack) {
        checked.addAll(statuses);
        takeBacks.add(takeBack);
    }

    /** Takes back if a status is gone, as the settlement of a batch does. */
    Future<Void> settle(Redis redis) {
        return redis.pipeline(checked.stream()
                        .map(status -> Command.of("HEXISTS", Keys.status(status), "text"))
                        .toList())
                .compose(exist -> exist.stream().allMatch(reply -> reply.asLong() == 1)
                        ? Future.succeededFuture()
                        : Future.join(takeBacks.stream()
                                        .map(each -> each.apply(this))
                                        .toList())
                                .mapEmpty());
    }
}
