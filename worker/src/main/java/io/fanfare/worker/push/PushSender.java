package io.fanfare.worker.push;

import com.github.benmanes.caffeine.cache.Cache;
import com.github.benmanes.caffeine.cache.Caffeine;
import io.fanfare.common.model.PushSubscription;
import io.fanfare.common.model.Refusal;
import io.fanfare.common.push.Vapid;
import io.fanfare.common.settings.Settings;
import io.fanfare.core.push.ClientKeys;
import io.fanfare.core.push.PublicAddresses;
import io.fanfare.core.push.PushEndpoint;
import io.fanfare.worker.push.PushEncryption.Sealed;
import io.vertx.core.Future;
import io.vertx.core.Promise;
import io.vertx.core.Vertx;
import io.vertx.core.WorkerExecutor;
import io.vertx.core.buffer.Buffer;
import io.vertx.core.http.HttpClient;
import io.vertx.core.http.HttpClientOptions;
import io.vertx.core.http.HttpClientRequest;
import io.vertx.core.http.HttpClientResponse;
import io.vertx.core.http.HttpMethod;
import io.vertx.core.http.PoolOptions;
import io.vertx.core.http.RequestOptions;
import io.vertx.core.net.SocketAddress;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.security.SecureRandom;
import java.time.Duration;
import java.time.InstantSource;
import java.time.ZonedDateTime;
import java.time.format.DateTimeFormatter;
import java.time.format.DateTimeParseException;
import java.util.ArrayDeque;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Queue;
import java.util.concurrent.TimeUnit;
import java.util.function.LongSupplier;

/**
 * Sends messages to push services (RFC 8030): a few at once to each, none for a while to one that fails all the time,
 * and never to a private address. The name of an endpoint is looked up here, and the connection goes to the very
 * address that was checked; redirections are not followed, and of an answer no more is read than its head and a little.
 * Messages are encrypted on threads of their own. One event loop.
 */
public final class PushSender {
    /** All push services together. */
    private static final int TOTAL_MAX = 256;

    private static final int WAITING_MAX = 256;

    /** Push services that are kept in mind: with something under way, or while there is room because they fail. */
    private static final int HOSTS_MAX = 1000;

    /** After so many failures in a row nothing is sent for a while. */
    private static final int FAILURES_MAX = 5;

    private static final long REST_MILLIS = 30_000;

    /** Bounds of what a push service may ask for with Retry-After. */
    private static final long RETRY_AFTER_MIN_MILLIS = 1_000;

    static final long RETRY_AFTER_MAX_MILLIS = Duration.ofHours(1).toMillis();

    /**
     * Messages of one account under way to all push services: an account with slow services takes no room from the
     * others.
     */
    private static final int ACCOUNT_MAX = 16;

    private static final int PAUSES_MAX = 10_000;
    private static final long LOOKUP_MILLIS = 5_000;
    private static final int ENCRYPTIONS_AT_ONCE = 2;
    private static final int BODY_BYTES_MAX = 16_384;

    /** How long the rest of an answer may take. */
    private static final long BODY_MILLIS = 1_000;

    private static final int HEADER_BYTES_MAX = 8_192;
    private static final int KEEP_ALIVE_SECONDS = 30;

    /** How long a push service keeps a message for a client that is not there: two days, as Mastodon asks. */
    private static final String TTL_SECONDS = "172800";

    private final Settings.Push settings;
    private final Vapid vapid;
    private final String subject;
    private final InstantSource clock;
    private final LongSupplier nanos;
    private final Lookup lookup;
    private final HttpClient client;
    private final WorkerExecutor cipher;
    private final Vertx vertx;
    private final PushEncryption encryption;
    private final Map<String, Host> hosts = new HashMap<>();
    private final Map<Long, Integer> accounts = new HashMap<>();
    private final Cache<Name, Long> pauses;
    private int total;

    /** Looks up the addresses of a name. Holds up no thread. */
    @FunctionalInterface
    public interface Lookup {
        Future<List<InetAddress>> all(String name);
    }

    /** Which subscription a message is for. */
    public record Name(long account, long subscription) {}

    /** A subscription to which messages can be sent. */
    public record Target(Name name, PushEndpoint endpoint, PushSubscription subscription) {}

    /** The result of a message. */
    public enum Verdict {
        SENT,
        /** The push service does not know the subscription any more: 404 or 410. */
        GONE,
        /** It will not be taken, however often it is sent. */
        REFUSED,
        /** It may be taken later. */
        AGAIN,
        /** It was not tried: too much is under way, or the push service has to rest. */
        BUSY
    }

    /**
     * The result of a message, and when it may be sent again.
     *
     * @param againMillis the shortest pause; 0 = the push service named none
     */
    public record Answer(Verdict verdict, long againMillis) {
        static Answer of(Verdict verdict) {
            return new Answer(verdict, 0);
        }
    }

    /**
     * A message on its way.
     *
     * @param slow whether the push service is known to take its time: nobody should wait for the answer
     */
    public record Sending(Future<Answer> answer, boolean slow) {}

    /**
     * @param subject how to reach who runs this server: a mailto: or https: address; empty = not said
     * @param lookup finds the addresses of a name
     * @param options of the client: which certificates are good; whatever else matters is set here
     */
    public PushSender(
            Vertx vertx,
            Settings.Push settings,
            Vapid vapid,
            String subject,
            InstantSource clock,
            LongSupplier nanos,
            SecureRandom random,
            Lookup lookup,
            HttpClientOptions options) {
        this.vertx = vertx;
        this.settings = settings;
        this.vapid = vapid;
        this.subject = subject;
        this.clock = clock;
        this.nanos = nanos;
        this.lookup = lookup;
        this.encryption = new PushEncryption(random);
        this.pauses = Caffeine.newBuilder()
                .maximumSize(PAUSES_MAX)
                .expireAfterWrite(Duration.ofMillis(RETRY_AFTER_MAX_MILLIS))
                .ticker(nanos::getAsLong)
                .executor(Runnable::run)
                .build();
        this.cipher = vertx.createSharedWorkerExecutor("push-cipher", ENCRYPTIONS_AT_ONCE);
        this.client = vertx.createHttpClient(
                new HttpClientOptions(options)
                        .setSsl(true)
                        .setVerifyHost(true)
                        .setConnectTimeout((int) settings.timeout().toMillis())
                        .setKeepAliveTimeout(KEEP_ALIVE_SECONDS)
                        .setMaxHeaderSize(HEADER_BYTES_MAX)
                        .setDecompressionSupported(false),
                new PoolOptions().setHttp1MaxSize(settings.perHost()).setMaxWaitQueueSize(settings.perHost()));
    }

    /** A push service, with what is under way to it. */
    private static final class Host {
        final Queue<Turn> waiting = new ArrayDeque<>();
        int underWay;
        int failures;
        long restsUntil;
        boolean slow;

        boolean isIdle() {
            return underWay == 0 && waiting.isEmpty();
        }

        boolean isForgettable() {
            return isIdle() && failures == 0 && !slow;
        }
    }

    /** A message that waits for its turn. */
    private static final class Turn {
        final Promise<Boolean> promise = Promise.promise();
    }

    /**
     * The target of a subscription's messages; empty when its address is none to which this server sends.
     *
     * @param name of the subscription, by which a pause that its push service asks for is remembered
     */
    public Optional<Target> target(Name name, PushSubscription to) {
        try {
            return Optional.of(new Target(name, PushEndpoint.of(to.endpoint(), settings.allowPrivate()), to));
        } catch (Refusal e) {
            return Optional.empty();
        }
    }

    /**
     * Sends a message.
     *
     * @param topic a number: of two messages with the same one a push service keeps the later
     * @param patienceMillis how long the message may wait for its turn
     */
    public Sending send(Target target, byte[] message, long topic, long patienceMillis) {
        Name name = target.name();
        PushSubscription to = target.subscription();
        PushEndpoint endpoint = target.endpoint();
        ClientKeys keys = ClientKeys.of(to.p256dh(), to.auth()).orElse(null);
        if (keys == null) {
            return new Sending(Future.succeededFuture(Answer.of(Verdict.REFUSED)), false);
        }
        Optional<Answer> busy = busy(target);
        if (busy.isPresent()) {
            return new Sending(Future.succeededFuture(busy.get()), false);
        }
        Host host = host(endpoint.origin());
        boolean slow = host.slow;
        accounts.merge(name.account(), 1, Integer::sum);
        Future<Answer> answer = turn(host, patienceMillis)
                .compose(mine -> mine
                        ? attempt(endpoint, host, keys, to.standard(), message, topic)
                        : Future.succeededFuture(Answer.of(Verdict.BUSY)))
                .onSuccess(end -> {
                    Integer unused = accounts.computeIfPresent(
                            name.account(), (account, count) -> count == 1 ? null : count - 1);
                    if (end.againMillis() > 0 && end.verdict() == Verdict.AGAIN) {
                        pauses.put(name, nanos.getAsLong() + TimeUnit.MILLISECONDS.toNanos(end.againMillis()));
                    }
                });
        return new Sending(answer, slow);
    }

    /** Notes whether a caller has waited in vain for an answer of a push service. */
    public void noteSlow(Target target, boolean slow) {
        Host host = hosts.get(target.endpoint().origin());
        if (host != null) {
            host.slow = slow;
        }
    }

    /** Ends what is under way. */
    public Future<Void> close() {
        return client.close().eventually(cipher::close);
    }

    /**
     * The answer {@link Verdict#BUSY} if a message could not be sent at this moment. Callers check before they make
     * one.
     */
    public Optional<Answer> busy(Target target) {
        Name name = target.name();
        String origin = target.endpoint().origin();
        long now = nanos.getAsLong();
        Long until = pauses.getIfPresent(name);
        if (until != null && until - now > 0) {
            return busy(TimeUnit.NANOSECONDS.toMillis(until - now));
        }
        Host host = hosts.get(origin);
        if (host != null && host.failures >= FAILURES_MAX && host.restsUntil - now > 0) {
            return busy(TimeUnit.NANOSECONDS.toMillis(host.restsUntil - now));
        }
        boolean full = total >= TOTAL_MAX
                || accounts.getOrDefault(name.account(), 0) >= ACCOUNT_MAX
                || (host != null && host.waiting.size() >= WAITING_MAX);
        return full ? busy(0) : Optional.empty();
    }

    private static Optional<Answer> busy(long againMillis) {
        return Optional.of(new Answer(Verdict.BUSY, againMillis));
    }

    private Host host(String origin) {
        if (hosts.size() >= HOSTS_MAX && !hosts.containsKey(origin)) {
            hosts.values().removeIf(Host::isIdle);
        }
        return hosts.computeIfAbsent(origin, added -> new Host());
    }

    /** Whether there was a turn in time. */
    private Future<Boolean> turn(Host host, long patienceMillis) {
        if (host.underWay < settings.perHost()) {
            begin(host);
            return Future.succeededFuture(true);
        }
        Turn turn = new Turn();
        host.waiting.add(turn);
        long timer = vertx.setTimer(Math.max(1, patienceMillis), late -> {
            if (host.waiting.remove(turn)) {
                turn.promise.complete(false);
            }
        });
        return turn.promise.future().onComplete(end -> vertx.cancelTimer(timer));
    }

    private void begin(Host host) {
        host.underWay++;
        total++;
    }

    /** The answer, as soon as it is known; the turn ends with the whole of what is answered. */
    private Future<Answer> attempt(
            PushEndpoint endpoint, Host host, ClientKeys keys, boolean standard, byte[] message, long topic) {
        long began = nanos.getAsLong();
        Promise<Answer> answered = Promise.promise();
        lookUp(endpoint)
                .compose(address -> address == null
                        ? Future.succeededFuture(Answer.of(Verdict.REFUSED))
                        : cipher.executeBlocking(() -> encrypted(endpoint, keys, standard, message), false)
                                .compose(made -> post(endpoint, address, made, topic, answered)))
                .onComplete(end -> {
                    Answer answer = end.succeeded() ? end.result() : Answer.of(Verdict.AGAIN);
                    ended(endpoint.origin(), host, answer, nanos.getAsLong() - began);
                    answered.tryComplete(answer);
                });
        return answered.future();
    }

    /** Null when the name leads to no address that may be connected to. Fails when it leads nowhere. */
    private Future<InetAddress> lookUp(PushEndpoint endpoint) {
        String host = endpoint.host().replaceAll("[\\[\\]]", "");
        return Future.succeededFuture(host)
                .compose(lookup::all)
                .timeout(LOOKUP_MILLIS, TimeUnit.MILLISECONDS)
                .map(all -> {
                    for (InetAddress address : all) {
                        if (settings.allowPrivate() || PublicAddresses.contain(address)) {
                            return address;
                        }
                    }
                    return null;
                });
    }

    /** A message with what its headers say. */
    private record Encrypted(Sealed made, boolean standard, String token) {}

    private Encrypted encrypted(PushEndpoint endpoint, ClientKeys keys, boolean standard, byte[] message) {
        return new Encrypted(
                encryption.seal(message, keys, standard),
                standard,
                vapid.token(endpoint.origin(), subject, clock.instant()));
    }

    private Future<Answer> post(
            PushEndpoint endpoint, InetAddress address, Encrypted message, long topic, Promise<Answer> answered) {
        long millis = settings.timeout().toMillis();
        RequestOptions options = new RequestOptions()
                .setMethod(HttpMethod.POST)
                .setServer(SocketAddress.inetSocketAddress(new InetSocketAddress(address, endpoint.port())))
                .setHost(endpoint.host())
                .setPort(endpoint.port())
                .setSsl(true)
                .setURI(endpoint.path())
                .setFollowRedirects(false)
                .setConnectTimeout(millis);
        HttpClientRequest[] sent = new HttpClientRequest[1];
        Answer[] head = new Answer[1];
        boolean[] late = {false};
        Future<Answer> answer = client.request(options).compose(request -> {
            sent[0] = request;
            if (late[0]) {
                return request.reset().compose(unsent -> Future.failedFuture("connected too late"));
            }
            headers(request, message, topic);
            return request.send(Buffer.buffer(message.made().body())).compose(response -> {
                head[0] = answer(response);
                answered.tryComplete(head[0]);
                return read(request, response).map(head[0]);
            });
        });
        return answer.timeout(millis, TimeUnit.MILLISECONDS)
                .onFailure(cause -> {
                    late[0] = true;
                    if (sent[0] != null) {
                        boolean unused = sent[0].reset().failed();
                    }
                })
                .recover(cause -> head[0] == null ? Future.failedFuture(cause) : Future.succeededFuture(head[0]));
    }

    private void headers(HttpClientRequest request, Encrypted message, long topic) {
        Sealed made = message.made();
        request.putHeader("Content-Type", "application/octet-stream")
                .putHeader("TTL", TTL_SECONDS)
                .putHeader("Urgency", "normal")
                .putHeader("Topic", Long.toString(topic));
        if (message.standard()) {
            request.putHeader("Content-Encoding", "aes128gcm")
                    .putHeader("Authorization", "vapid t=" + message.token() + ", k=" + vapid.publicKeyUnpadded());
        } else {
            request.putHeader("Content-Encoding", "aesgcm")
                    .putHeader("Encryption", "salt=" + made.salt())
                    .putHeader("Crypto-Key", "dh=" + made.publicKey() + ";p256ecdsa=" + vapid.publicKeyUnpadded())
                    .putHeader("Authorization", "WebPush " + message.token());
        }
    }

    /**
     * The rest of an answer, whose head decides. It is read so that the connection can be used again, unless it is long
     * or takes long. Never fails.
     */
    private Future<Void> read(HttpClientRequest request, HttpClientResponse response) {
        int[] bytes = {0};
        Promise<Void> read = Promise.promise();
        Runnable cut = () -> {
            if (read.tryComplete()) {
                boolean unused = request.reset().failed();
            }
        };
        response.exceptionHandler(cause -> read.tryComplete());
        response.endHandler(end -> read.tryComplete());
        response.handler(part -> {
            bytes[0] += part.length();
            if (bytes[0] > BODY_BYTES_MAX) {
                cut.run();
            }
        });
        long timer = vertx.setTimer(BODY_MILLIS, late -> cut.run());
        return read.future().onComplete(end -> vertx.cancelTimer(timer));
    }

    private Answer answer(HttpClientResponse response) {
        int status = response.statusCode();
        if (status / 100 == 2) {
            return Answer.of(Verdict.SENT);
        }
        if (status == 404 || status == 410) {
            return Answer.of(Verdict.GONE);
        }
        boolean later = status == 408 || status == 429 || status >= 500;
        return later
                ? new Answer(Verdict.AGAIN, retryAfter(response.getHeader("Retry-After")))
                : Answer.of(Verdict.REFUSED);
    }

    /** In ms, within bounds; 0 when it says nothing that can be read. */
    private long retryAfter(String text) {
        if (text == null || text.length() > 64) {
            return 0;
        }
        if (text.strip().matches("\\d{1,9}")) {
            return bounded(Long.parseLong(text.strip()) * 1000);
        }
        try {
            return bounded(ZonedDateTime.parse(text.strip(), DateTimeFormatter.RFC_1123_DATE_TIME)
                            .toInstant()
                            .toEpochMilli()
                    - clock.millis());
        } catch (DateTimeParseException e) {
            return 0;
        }
    }

    private static long bounded(long millis) {
        return Math.max(RETRY_AFTER_MIN_MILLIS, Math.min(RETRY_AFTER_MAX_MILLIS, millis));
    }

    private void ended(String origin, Host host, Answer answer, long tookNanos) {
        host.underWay--;
        total--;
        // A word with a time is an answer of a push service that works.
        if (answer.verdict() == Verdict.AGAIN && answer.againMillis() == 0) {
            host.failures++;
            if (host.failures >= FAILURES_MAX) {
                host.restsUntil = nanos.getAsLong() + TimeUnit.MILLISECONDS.toNanos(REST_MILLIS);
                host.failures = FAILURES_MAX;
            }
        } else {
            host.failures = 0;
        }
        if (tookNanos < TimeUnit.MILLISECONDS.toNanos(PushHandler.HOLD_MILLIS)) {
            host.slow = false;
        }
        if (!host.waiting.isEmpty() && host.underWay < settings.perHost()) {
            // In place of the one that has ended, so that no more are under way than TOTAL_MAX.
            begin(host);
            host.waiting.remove().promise.complete(true);
        }
        forget(origin, host);
    }

    private void forget(String origin, Host host) {
        if (host.isForgettable()) {
            hosts.remove(origin, host);
        }
    }
}
