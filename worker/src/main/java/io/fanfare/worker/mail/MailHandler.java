package io.fanfare.worker.mail;

import io.fanfare.common.auth.SealedTexts;
import io.fanfare.common.auth.Secrets;
import io.fanfare.common.keyspace.Keys;
import io.fanfare.common.model.Warning;
import io.fanfare.common.settings.Settings;
import io.fanfare.common.store.Warnings;
import io.fanfare.core.mail.MailKind;
import io.fanfare.core.mail.Mails;
import io.fanfare.core.mail.Mails.Recipient;
import io.fanfare.core.mail.SignInPlaces;
import io.fanfare.core.queue.Job;
import io.fanfare.core.queue.Outcome;
import io.fanfare.redis.Command;
import io.fanfare.redis.Redis;
import io.fanfare.redis.Reply;
import io.fanfare.redis.Script;
import io.fanfare.worker.handler.JobHandler;
import io.fanfare.worker.handler.Lease;
import io.fanfare.worker.handler.Turns;
import io.fanfare.worker.mail.SmtpSender.Result;
import io.fanfare.worker.mail.SmtpSender.Verdict;
import io.micrometer.core.instrument.MeterRegistry;
import io.vertx.core.Future;
import java.security.SecureRandom;
import java.time.Duration;
import java.time.InstantSource;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.function.LongSupplier;

/**
 * Sends mails to accounts, one at a time. A job whose batch has waited {@link #HOLD_MILLIS} is put off, and so are all
 * for a while after the mail server was away, so that mails hold up no other jobs. A mail that cannot be sent is tried
 * with growing pauses until its kind is too old, and then becomes a dead letter; one that the mail server refuses for
 * good becomes one at once.
 *
 * <p>Running twice sends the mail twice, if a worker dies between the acceptance of the mail and the end of its job, or
 * if the reply of the mail server is lost. Both have the same Message-ID, by which many mail servers and readers drop
 * the second. Their links differ, and both are good until one is used. One event loop.
 */
final class MailHandler implements JobHandler<Job.Mail> {
    /** How long a batch may begin further mails. */
    static final long HOLD_MILLIS = 2_000;

    /** How long no mail is tried after the mail server was away. */
    static final long REST_MILLIS = 20_000;

    private static final long AGAIN_MIN_MILLIS = 10_000;
    private static final long AGAIN_MAX_MILLIS = Duration.ofMinutes(15).toMillis();
    private static final long BUSY_MILLIS = 1_000;
    private static final long MINUTE_MILLIS = 60_000;
    private static final int SECRET_BYTES = 32;

    private static final String OFF = "mail.host is not set for this worker";

    private static final Script TAKE = Script.load("mail_take");

    /** The end of a run, for {@code fanfare_mails_total}. */
    private enum End {
        SENT,
        /** The account has no address, or is not active any more. */
        UNWANTED,
        PUT_OFF,
        REFUSED,
        GIVEN_UP
    }

    /** The connection to the mail server, and when it may be used; one for each event loop. */
    static final class Road {
        private final SmtpSender sender;
        private final Turns turns = new Turns(1);
        private final LongSupplier nanos;
        private long restsUntil;
        private String trouble = "";

        Road(SmtpSender sender, LongSupplier nanos) {
            this.sender = sender;
            this.nanos = nanos;
        }

        private long millis() {
            return nanos.getAsLong() / 1_000_000;
        }

        private long restMillis() {
            return trouble.isEmpty() ? 0 : Math.max(0, restsUntil - millis());
        }

        private void note(Result result) {
            boolean away = result.verdict() == Verdict.AWAY;
            trouble = away ? result.reason() : "";
            restsUntil = away ? millis() + REST_MILLIS : 0;
        }
    }

    private final Settings.Mail settings;
    private final Redis redis;
    private final Mails mails;
    private final Warnings warnings;
    private final MailTexts texts;
    private final SealedTexts places;
    private final Road road;
    private final InstantSource clock;
    private final SecureRandom random;
    private final MeterRegistry metrics;

    /**
     * @param places opens the descriptions of log-ins
     * @param road null = this process sends no mails
     */
    MailHandler(
            Settings.Mail settings,
            Redis redis,
            Mails mails,
            Warnings warnings,
            MailTexts texts,
            SealedTexts places,
            Road road,
            InstantSource clock,
            SecureRandom random,
            MeterRegistry metrics) {
        this.settings = settings;
        this.redis = redis;
        this.mails = mails;
        this.warnings = warnings;
        this.texts = texts;
        this.places = places;
        this.road = road;
        this.clock = clock;
        this.random = random;
        this.metrics = metrics;
    }

    @Override
    public List<Future<Outcome>> run(List<Job.Mail> jobs, Lease lease) {
        if (road == null) {
            return jobs.stream()
                    .map(job -> Future.succeededFuture(later(job, OFF, MINUTE_MILLIS)))
                    .toList();
        }
        long until = road.millis() + HOLD_MILLIS;
        return jobs.stream()
                .map(job -> road.turns.run(() -> run(job, lease, until)))
                .toList();
    }

    /** @param until elapsed ms after which no further mail is begun */
    private Future<Outcome> run(Job.Mail job, Lease lease, long until) {
        if (age(job) > job.kind().life().toMillis()) {
            return Future.succeededFuture(givenUp(job, "it waited too long for a worker"));
        }
        if (road.restMillis() > 0) {
            return Future.succeededFuture(later(job, road.trouble, road.restMillis()));
        }
        if (road.millis() >= until) {
            return Future.succeededFuture(later(job, "other mails are on their way", BUSY_MILLIS));
        }
        return lease.ensure()
                .compose(held -> redis.send(TAKE.call(List.of(Keys.MAIL_MINUTE), perMinute(job), MINUTE_MILLIS)))
                .compose(wait -> wait.asLong() > 0
                        ? Future.succeededFuture(
                                later(job, "mail.per-minute is used up", Math.max(wait.asLong(), crowded(job))))
                        : write(job).compose(mail -> mail.isEmpty() ? unwanted() : send(job, mail.get())));
    }

    /** Mails of a selection, of which there may be thousands, leave half of each minute to others. */
    private int perMinute(Job.Mail job) {
        return job.kind() == MailKind.SELECTION_WARNING ? Math.max(1, settings.perMinute() / 2) : settings.perMinute();
    }

    /** The pause of mails that are many, so that they do not all try again each minute. */
    private long crowded(Job.Mail job) {
        return job.kind() == MailKind.SELECTION_WARNING ? pause(job) : 0;
    }

    /** The mails about one subject have one id, also when a job that ran again has requested a second one. */
    private static String id(Job.Mail job) {
        String about = job.kind().wire() + "." + job.account() + "." + job.subject();
        return job.subject() == 0 ? about + "." + job.made() : about;
    }

    private Future<Optional<Mail>> write(Job.Mail job) {
        String id = id(job);
        return switch (job.kind()) {
            case RESET, CONFIRM, NEW_ADDRESS, ADDRESS_CHANGED -> {
                String token = Mails.token(job.account(), Secrets.draw(random, SECRET_BYTES));
                yield mails.link(job.account(), job.kind(), job.made(), token)
                        .map(to -> to.map(found -> mail(job, id, found, token)));
            }
            case PASSWORD_CHANGED ->
                mails.recipient(job.account(), job.kind()).map(to -> to.map(found -> mail(job, id, found, "")));
            case SIGN_IN ->
                SignInPlaces.find(redis, places, job.account(), job.subject())
                        .compose(found -> found.isEmpty()
                                ? Future.succeededFuture(Optional.empty())
                                : mails.recipient(job.account(), job.kind())
                                        .map(to -> to.map(whom ->
                                                texts.signIn(job.language(), id, whom, job.subject(), found.get()))));
            case WARNING, SELECTION_WARNING, APPEAL -> warning(job, id);
        };
    }

    private Future<Optional<Mail>> warning(Job.Mail job, String id) {
        return warnings.find(job.account(), job.subject())
                .compose(found -> found.isEmpty()
                        ? Future.succeededFuture(found)
                        : stands(job, found.get()).map(stands -> found.filter(warning -> stands)))
                .compose(found -> found.isEmpty()
                        ? Future.succeededFuture(Optional.empty())
                        : mails.recipient(job.account(), job.kind())
                                .map(to -> to.flatMap(whom -> job.kind() == MailKind.APPEAL
                                        ? texts.decision(job.language(), id, whom, found.get())
                                        : Optional.of(texts.warning(job.language(), id, whom, found.get())))));
    }

    /** Whether a warning is still due: mails of a selection wait for hours, and its act may be undone meanwhile. */
    private Future<Boolean> stands(Job.Mail job, Warning warning) {
        return job.kind() != MailKind.SELECTION_WARNING
                ? Future.succeededFuture(true)
                : redis.send(Command.of("HMGET", Keys.user(job.account()), "state", "limited", "sensitized"))
                        .map(Reply::items)
                        .map(fields -> switch (warning.action()) {
                            case SUSPEND -> "suspended".equals(fields.get(0).asString());
                            case SILENCE -> !fields.get(1).isNil();
                            case SENSITIVE -> !fields.get(2).isNil();
                            case NONE, MARK_STATUSES_AS_SENSITIVE, DELETE_STATUSES -> true;
                        });
    }

    private Mail mail(Job.Mail job, String id, Recipient to, String token) {
        return texts.of(job.kind(), job.language(), id, to, token);
    }

    private Future<Outcome> unwanted() {
        count(End.UNWANTED);
        return Future.succeededFuture(Outcome.DONE);
    }

    private Future<Outcome> send(Job.Mail job, Mail mail) {
        return road.sender.send(mail).map(result -> {
            road.note(result);
            return switch (result.verdict()) {
                case SENT -> {
                    count(End.SENT);
                    yield Outcome.DONE;
                }
                case REFUSED -> {
                    count(End.REFUSED);
                    yield new Outcome.Dead(result.reason());
                }
                case PUT_OFF, AWAY -> later(job, result.reason(), pause(job));
            };
        });
    }

    private long age(Job.Mail job) {
        return Math.max(0, clock.millis() - job.made());
    }

    /** Half of the age, so that a mail is tried about fifteen times in an hour. */
    private long pause(Job.Mail job) {
        return Math.max(AGAIN_MIN_MILLIS, Math.min(AGAIN_MAX_MILLIS, age(job) / 2));
    }

    /** Again after so long and up to half as long again; given up if it would be too old then. */
    private Outcome later(Job.Mail job, String reason, long millis) {
        long delay = millis + random.nextLong(millis / 2 + 1);
        if (age(job) + delay > job.kind().life().toMillis()) {
            return givenUp(job, reason);
        }
        count(End.PUT_OFF);
        return new Outcome.Retry(delay, /* countsAttempt= */ false, reason);
    }

    private Outcome givenUp(Job.Mail job, String reason) {
        count(End.GIVEN_UP);
        return new Outcome.Dead("not sent within " + job.kind().life().toHours() + " h: " + reason);
    }

    private void count(End end) {
        metrics.counter("fanfare.mails", "result", end.name().toLowerCase(Locale.ROOT))
                .increment();
    }
}
