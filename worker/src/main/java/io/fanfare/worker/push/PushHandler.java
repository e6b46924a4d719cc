package io.fanfare.worker.push;

import io.fanfare.common.id.Id;
import io.fanfare.common.settings.Settings;
import io.fanfare.common.store.PushSubscriptions;
import io.fanfare.common.store.PushSubscriptions.Found;
import io.fanfare.common.store.PushSubscriptions.Verdict;
import io.fanfare.core.queue.Job;
import io.fanfare.core.queue.Outcome;
import io.fanfare.worker.handler.JobHandler;
import io.fanfare.worker.handler.Lease;
import io.vertx.core.Future;
import io.vertx.core.Promise;
import io.vertx.core.Vertx;
import java.time.Duration;
import java.time.InstantSource;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Function;
import java.util.random.RandomGenerator;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Sends word of a notification to one push subscription. A batch waits for a push service {@link #HOLD_MILLIS} at most,
 * so that a slow one holds up no other job: the message goes on without its job, which is put off, and when the job
 * comes again it finds that the message was sent.
 *
 * <p>Running twice is harmless: a message that was sent aside is remembered by its subscription. One that is sent twice
 * all the same, since its worker died in between, has the same topic and notification id, by which push services and
 * apps put it in place of the first.
 */
public final class PushHandler implements JobHandler<Job.Push> {
    /** How long a batch waits for a push service. */
    static final long HOLD_MILLIS = 500;

    /** Older notifications are not pushed: the same time is the TTL of a message at the push service. */
    private static final long AGE_MAX_MILLIS = Duration.ofDays(2).toMillis();

    /** A message that has failed so long after its notification is given up. */
    private static final long TRIED_MILLIS = Duration.ofHours(1).toMillis();

    private static final long AGAIN_MIN_MILLIS = 5_000;
    private static final long AGAIN_MAX_MILLIS = Duration.ofMinutes(15).toMillis();
    private static final long BUSY_MILLIS = 1_000;

    /**
     * A job that was put off has come again when its notification is so old: it was put off in the first hour, by
     * {@link #AGAIN_MAX_MILLIS} and half of it at most. The rest is for jobs that have to wait.
     */
    private static final long REMEMBERED_MILLIS = TRIED_MILLIS + 2 * AGAIN_MAX_MILLIS;

    /** A job whose message is under way comes again when that must have ended: after the time-outs of it together. */
    private static final long ASIDE_MIN_MILLIS = 30_000;

    private static final Logger LOG = LoggerFactory.getLogger(PushHandler.class);

    private final Vertx vertx;
    private final Settings.Push settings;
    private final PushSubscriptions subscriptions;
    private final PushMessages messages;
    private final PushSender sender;
    private final InstantSource clock;
    private final RandomGenerator random;
    private final PushMetrics metrics;
    private final long holdMillis;

    /** Messages that go on without jobs that will come again, by the name of their subscription. */
    private final Map<PushSender.Name, Integer> asides = new HashMap<>();

    public PushHandler(
            Vertx vertx,
            Settings.Push settings,
            PushSubscriptions subscriptions,
            PushMessages messages,
            PushSender sender,
            InstantSource clock,
            RandomGenerator random,
            PushMetrics metrics) {
        this(vertx, settings, subscriptions, messages, sender, clock, random, metrics, HOLD_MILLIS);
    }

    /** One whose batches wait for another time, for tests. */
    PushHandler(
            Vertx vertx,
            Settings.Push settings,
            PushSubscriptions subscriptions,
            PushMessages messages,
            PushSender sender,
            InstantSource clock,
            RandomGenerator random,
            PushMetrics metrics,
            long holdMillis) {
        this.holdMillis = holdMillis;
        this.vertx = vertx;
        this.settings = settings;
        this.subscriptions = subscriptions;
        this.messages = messages;
        this.sender = sender;
        this.clock = clock;
        this.random = random;
        this.metrics = metrics;
    }

    /** The handler of a process that sends no pushes: it drops every job. */
    public static JobHandler<Job.Push> off() {
        return (jobs, lease) ->
                jobs.stream().map(job -> Future.succeededFuture(Outcome.DONE)).toList();
    }

    @Override
    public List<Future<Outcome>> run(List<Job.Push> jobs, Lease lease) {
        return jobs.stream()
                .map(job -> run(job, lease).onSuccess(metrics::putOff))
                .toList();
    }

    private Future<Outcome> run(Job.Push job, Lease lease) {
        if (age(job) > AGE_MAX_MILLIS) {
            return dropped(PushMetrics.Reason.OLD);
        }
        return subscriptions.read(job.account(), job.subscription()).compose(found -> {
            if (found.isEmpty()) {
                return dropped(PushMetrics.Reason.UNSUBSCRIBED);
            }
            boolean sent = found.get().subscription().sent().contains(job.notification());
            return sent ? Future.succeededFuture(Outcome.DONE) : send(job, found.get(), lease);
        });
    }

    private Future<Outcome> dropped(PushMetrics.Reason reason) {
        metrics.dropped(reason);
        return Future.succeededFuture(Outcome.DONE);
    }

    private Future<Outcome> send(Job.Push job, Found found, Lease lease) {
        Optional<PushSender.Target> target = sender.target(name(job), found.subscription());
        if (target.isEmpty()) {
            return noted(job, found, PushSender.Answer.of(PushSender.Verdict.REFUSED), /* aside= */ false);
        }
        Optional<PushSender.Answer> busy = sender.busy(target.get());
        if (busy.isPresent()) {
            return Future.succeededFuture(busy(job, busy.get(), /* aside= */ false));
        }
        return messages.of(job.account(), job.notification(), found.subscription())
                .compose(message -> lease.ensure().map(message))
                .compose(message -> message.isEmpty()
                        ? dropped(PushMetrics.Reason.UNWANTED)
                        : send(job, found, target.get(), message.get()));
    }

    private Future<Outcome> send(Job.Push job, Found found, PushSender.Target target, byte[] message) {
        PushSender.Sending sending = sender.send(target, message, job.notification(), holdMillis);
        if (sending.answer().isComplete()) {
            return sending.answer().compose(answer -> noted(job, found, answer, /* aside= */ false));
        }
        return sending.slow() ? Future.succeededFuture(aside(job, found, sending)) : held(job, found, target, sending);
    }

    /** The answer if it comes soon. */
    private Future<Outcome> held(Job.Push job, Found found, PushSender.Target target, PushSender.Sending sending) {
        Promise<Function<PushSender.Sending, Future<Outcome>>> first = Promise.promise();
        long timer = vertx.setTimer(
                holdMillis,
                late -> first.tryComplete(any -> {
                    sender.noteSlow(target, true);
                    return Future.succeededFuture(aside(job, found, sending));
                }));
        sending.answer().onComplete(end -> {
            if (first.tryComplete(any -> sending.answer().compose(answer -> noted(job, found, answer, false)))) {
                vertx.cancelTimer(timer);
            }
        });
        return first.future().compose(next -> next.apply(sending));
    }

    /**
     * The message goes on without its job, which comes again later and later. It does not come again when this try is
     * the last, or when there is no room to remember that the message was sent: rather not twice than surely.
     */
    private Outcome aside(Job.Push job, Found found, PushSender.Sending sending) {
        boolean last = isGivenUp(job, found) || !isRoom(job, found);
        if (!last) {
            asides.merge(name(job), 1, Integer::sum);
        }
        sending.answer()
                .compose(answer -> noted(job, found, answer, /* aside= */ !last))
                .onSuccess(outcome -> {
                    if (last && outcome instanceof Outcome.Retry) {
                        metrics.dropped(PushMetrics.Reason.FAILED);
                    }
                })
                .onComplete(end -> {
                    if (!last) {
                        Integer unused =
                                asides.computeIfPresent(name(job), (name, count) -> count == 1 ? null : count - 1);
                    }
                })
                .onFailure(cause ->
                        LOG.debug("push not noted cause={}", cause.getClass().getSimpleName()));
        if (last) {
            return Outcome.DONE;
        }
        long ended = Math.max(ASIDE_MIN_MILLIS, 3 * settings.timeout().toMillis());
        return new Outcome.Retry(Math.max(ended, growing(job, AGAIN_MIN_MILLIS)), false, PushMetrics.SLOW);
    }

    /** Whether one more can be remembered as long as its job may come again, besides those that have to be. */
    private boolean isRoom(Job.Push job, Found found) {
        long needed = found.subscription().sent().stream()
                .filter(sent -> clock.millis() - Id.epochMillis(sent) < REMEMBERED_MILLIS)
                .count();
        return needed + asides.getOrDefault(name(job), 0) < PushSubscriptions.SENT_MAX;
    }

    /** @param aside whether the job comes again in any case, and is counted then */
    private Future<Outcome> noted(Job.Push job, Found found, PushSender.Answer answer, boolean aside) {
        boolean noteworthy = aside || found.subscription().failingSince() > 0;
        return switch (answer.verdict()) {
            case SENT -> {
                metrics.sent();
                yield noteworthy
                        ? note(job, found, Verdict.SENT, aside ? job.notification() : 0)
                                .map(Outcome.DONE)
                        : Future.succeededFuture(Outcome.DONE);
            }
            case GONE -> note(job, found, Verdict.GONE, 0).map(ended -> done(aside, PushMetrics.Reason.GONE));
            case REFUSED -> note(job, found, Verdict.FAILED, 0).map(ended -> done(aside, PushMetrics.Reason.REFUSED));
            case AGAIN ->
                note(job, found, Verdict.FAILED, 0).map(ended -> {
                    boolean over = ended || isGivenUp(job, found);
                    return over ? done(aside, PushMetrics.Reason.FAILED) : again(job, answer);
                });
            case BUSY -> Future.succeededFuture(busy(job, answer, aside));
        };
    }

    private Outcome done(boolean aside, PushMetrics.Reason dropped) {
        if (!aside) {
            metrics.dropped(dropped);
        }
        return Outcome.DONE;
    }

    private Future<Boolean> note(Job.Push job, Found found, Verdict verdict, long sentAside) {
        return subscriptions
                .note(job.account(), found, verdict, Duration.ofDays(settings.deadDays()), sentAside)
                .onSuccess(ended -> {
                    if (ended) {
                        metrics.ended(verdict == Verdict.GONE);
                    }
                });
    }

    /** Whether the subscription has failed for long: then each notification is tried once. */
    private boolean isGivenUp(Job.Push job, Found found) {
        long failing = found.subscription().failingSince();
        return age(job) > TRIED_MILLIS || (failing > 0 && clock.millis() - failing > TRIED_MILLIS);
    }

    /** Puts off a push that was not tried. */
    private Outcome busy(Job.Push job, PushSender.Answer answer, boolean aside) {
        if (age(job) > TRIED_MILLIS + PushSender.RETRY_AFTER_MAX_MILLIS) {
            return done(aside, PushMetrics.Reason.BUSY);
        }
        long pause = Math.max(growing(job, BUSY_MILLIS), answer.againMillis() + random.nextLong(2 * BUSY_MILLIS));
        return new Outcome.Retry(pause, false, PushMetrics.BUSY);
    }

    /** Retries a push, never before the time that the push service has set. */
    private Outcome again(Job.Push job, PushSender.Answer answer) {
        long pause = growing(job, AGAIN_MIN_MILLIS);
        return new Outcome.Retry(Math.max(pause, answer.againMillis()), true, PushMetrics.FAILED);
    }

    /** A pause that grows with the age of the notification, scattered. */
    private long growing(Job.Push job, long leastMillis) {
        long pause = Math.max(leastMillis, Math.min(AGAIN_MAX_MILLIS, age(job) / 2));
        return pause + random.nextLong(pause / 2 + 1);
    }

    private static PushSender.Name name(Job.Push job) {
        return new PushSender.Name(job.account(), job.subscription());
    }

    private long age(Job.Push job) {
        return clock.millis() - Id.epochMillis(job.notification());
    }
}
