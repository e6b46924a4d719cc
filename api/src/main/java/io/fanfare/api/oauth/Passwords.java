package io.fanfare.api.oauth;

import io.fanfare.common.model.Refusal;
import io.fanfare.common.settings.Settings;
import io.vertx.core.Future;
import io.vertx.core.Vertx;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.SecureRandom;
import java.text.Normalizer;
import java.util.Base64;
import java.util.List;
import java.util.concurrent.ArrayBlockingQueue;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.Semaphore;
import java.util.concurrent.SynchronousQueue;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import java.util.function.BooleanSupplier;
import java.util.function.Supplier;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.bouncycastle.crypto.generators.Argon2BytesGenerator;
import org.bouncycastle.crypto.params.Argon2Parameters;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Argon2id (RFC 9106) with its parameters in the PHC string, on a bounded pool off the event loop:
 * {@code auth.hashes-at-once} run, {@code auth.hashes-waiting} wait, more are refused with {@code OVERLOADED}; so are
 * strangers beyond three quarters of those who may wait. Passwords are compared in Unicode's NFC form, so that the same
 * letters typed on two keyboards are the same password. One per process, shared by its event loops, and another one for
 * an open console; each future completes on the caller's context.
 *
 * <p>{@code $argon2id$v=19$m=19456,t=2,p=1$<salt>$<hash>}, both in Base64 without padding.
 */
public final class Passwords implements AutoCloseable {
    /** Characters that a password may have. */
    public static final int CHARS_MAX = 128;

    /** UTF-16 units of those before they are composed: of a letter and three marks, all outside the basic plane. */
    private static final int UNITS_MAX = CHARS_MAX * 4 * 2;

    /** The part of the places to wait that is kept for those who are known: a quarter. */
    private static final int RESERVED_PART = 4;

    private static final int SALT_BYTES = 16;
    private static final int HASH_BYTES = 32;
    private static final int LANES = 1;
    private static final Pattern PHC = Pattern.compile(
            "\\$argon2id\\$v=19\\$m=(\\d{1,7}),t=(\\d{1,3}),p=(\\d{1,2})\\$([A-Za-z0-9+/]{11,86})\\$([A-Za-z0-9+/]{22,86})");

    /**
     * Memory in KiB by passes over it, 1 to 5, below which OWASP's Password Storage Cheat Sheet does not want Argon2id;
     * all of them cost who guesses the same.
     */
    private static final List<Integer> OWASP_KIB = List.of(47_104, 19_456, 12_288, 9_216, 7_168);

    private static final Logger LOG = LoggerFactory.getLogger(Passwords.class);

    private final Vertx vertx;
    private final SecureRandom random;
    private final int memoryKib;
    private final int passes;
    private final ThreadPoolExecutor pool;

    /**
     * One permit for each of those who are not {@linkplain Caller#known known} that runs or waits: the rest of the
     * places is not for them.
     */
    private final Semaphore strangers;

    private final String nobody;

    public Passwords(Vertx vertx, SecureRandom random, Settings.Auth settings) {
        this.vertx = vertx;
        this.random = random;
        this.memoryKib = settings.argonMemoryKib();
        this.passes = settings.argonPasses();
        this.pool = pool(settings.hashesAtOnce(), settings.hashesWaiting());
        int reserved = settings.hashesWaiting() / RESERVED_PART;
        this.strangers = new Semaphore(settings.hashesAtOnce() + settings.hashesWaiting() - reserved);
        this.nobody = phc(new byte[SALT_BYTES], new byte[HASH_BYTES]);
    }

    /**
     * Whether the text has more characters than a password can have. Looks at its length first: normalising a text
     * costs the square of what it has of combining marks.
     */
    public static boolean isTooLong(String password) {
        if (password.length() > UNITS_MAX) {
            return true;
        }
        String normal = normal(password);
        return normal.codePointCount(0, normal.length()) > CHARS_MAX;
    }

    /** The form in which passwords are compared, of what is not {@linkplain #isTooLong too long}. */
    public static String normal(String password) {
        if (password.length() > UNITS_MAX) {
            throw new IllegalArgumentException("a password of " + password.length() + " UTF-16 units");
        }
        return Normalizer.normalize(password, Normalizer.Form.NFC);
    }

    /**
     * Warns the operator at the start when passwords may be easy to guess, or a stolen hash is guessed faster than
     * OWASP recommends.
     */
    public static void warnIfWeak(Settings.Auth settings) {
        if (settings.weakPasswords()) {
            LOG.warn("auth.weak-passwords is on: anybody may choose a password that everybody tries first");
        }
        if (isWeak(settings.argonMemoryKib(), settings.argonPasses())) {
            LOG.warn(
                    "passwords are hashed with less than OWASP's floor for Argon2id: auth.argon-memory-kib={}"
                            + " auth.argon-passes={}, take at least 19456 and 2",
                    settings.argonMemoryKib(),
                    settings.argonPasses());
        }
    }

    static boolean isWeak(int memoryKib, int passes) {
        return memoryKib < OWASP_KIB.get(Math.min(passes, OWASP_KIB.size()) - 1);
    }

    /**
     * The caller that waits for a hash.
     *
     * @param known whether they have logged in before, from where they are now or with a token: a quarter of the places
     *     to wait is theirs alone
     * @param gone whether nobody waits any more: then the work is skipped. Called from any thread
     */
    public record Caller(boolean known, BooleanSupplier gone) {
        /** Somebody who is not known, and waits for as long as it takes. */
        public static final Caller STRANGER = new Caller(false, () -> false);
    }

    /** {@link #hash(String, Caller)} for somebody who is not known. */
    public Future<String> hash(String password) {
        return hash(password, Caller.STRANGER);
    }

    /** {@link #verify(String, String, Caller)} for somebody who is not known. */
    public Future<Boolean> verify(String password, String phc) {
        return verify(password, phc, Caller.STRANGER);
    }

    /** The PHC string of a password that is not {@linkplain #isTooLong too long}, with a salt of its own. */
    public Future<String> hash(String password, Caller caller) {
        return onPool(caller, () -> {
            byte[] salt = new byte[SALT_BYTES];
            random.nextBytes(salt);
            return phc(salt, argon2id(password, salt, memoryKib, passes, LANES, HASH_BYTES));
        });
    }

    /**
     * Whether the password fits; costs the same work when {@code phc} is null or empty (unknown user, account without a
     * password), and is false then. So it is for a text that is longer than any password.
     */
    public Future<Boolean> verify(String password, String phc, Caller caller) {
        boolean known = phc != null && !phc.isEmpty();
        boolean possible = password.length() <= UNITS_MAX;
        return onPool(caller, () -> fits(possible ? password : "", known ? phc : nobody) && known && possible);
    }

    /** Whether the hash was made with other parameters than today's. */
    public boolean outdated(String phc) {
        Matcher fields = PHC.matcher(phc);
        return !fields.matches()
                || Integer.parseInt(fields.group(1)) != memoryKib
                || Integer.parseInt(fields.group(2)) != passes
                || Integer.parseInt(fields.group(3)) != LANES;
    }

    /** Ends the pool; what waits is not done, its futures fail with {@code OVERLOADED}. */
    @Override
    public void close() {
        pool.shutdownNow().forEach(waiting -> ((Work<?>) waiting).drop());
    }

    private static boolean fits(String password, String phc) {
        Matcher fields = PHC.matcher(phc);
        if (!fields.matches()) {
            // Only our own strings are stored: this is corrupt data, not a wrong password.
            throw new IllegalStateException("a stored password hash is not a PHC string of argon2id");
        }
        byte[] salt = Base64.getDecoder().decode(fields.group(4));
        byte[] expected = Base64.getDecoder().decode(fields.group(5));
        byte[] actual = argon2id(
                password,
                salt,
                Integer.parseInt(fields.group(1)),
                Integer.parseInt(fields.group(2)),
                Integer.parseInt(fields.group(3)),
                expected.length);
        return MessageDigest.isEqual(expected, actual);
    }

    private static byte[] argon2id(String password, byte[] salt, int memoryKib, int passes, int lanes, int length) {
        Argon2BytesGenerator generator = new Argon2BytesGenerator();
        generator.init(new Argon2Parameters.Builder(Argon2Parameters.ARGON2_id)
                .withVersion(Argon2Parameters.ARGON2_VERSION_13)
                .withMemoryAsKB(memoryKib)
                .withIterations(passes)
                .withParallelism(lanes)
                .withSalt(salt)
                .build());
        byte[] hash = new byte[length];
        generator.generateBytes(normal(password).getBytes(StandardCharsets.UTF_8), hash);
        return hash;
    }

    private String phc(byte[] salt, byte[] hash) {
        Base64.Encoder base64 = Base64.getEncoder().withoutPadding();
        return "$argon2id$v=19$m=" + memoryKib + ",t=" + passes + ",p=" + LANES + "$" + base64.encodeToString(salt)
                + "$" + base64.encodeToString(hash);
    }

    private <T> Future<T> onPool(Caller caller, Supplier<T> task) {
        Work<T> work = new Work<>(task, caller, () -> release(caller));
        if (!isAccepted(work)) {
            return Future.failedFuture(overloaded());
        }
        return Future.fromCompletionStage(work.result, vertx.getOrCreateContext());
    }

    /** A full queue is looked through for those who do not wait any more. */
    private boolean isAccepted(Work<?> work) {
        if (isQueued(work)) {
            return true;
        }
        dropTheGone();
        return isQueued(work);
    }

    private boolean isQueued(Work<?> work) {
        if (!work.caller.known() && !strangers.tryAcquire()) {
            return false;
        }
        try {
            pool.execute(work);
        } catch (RejectedExecutionException fullOrClosed) {
            release(work.caller);
            return false;
        }
        return true;
    }

    private void release(Caller caller) {
        if (!caller.known()) {
            strangers.release();
        }
    }

    private void dropTheGone() {
        for (Runnable waiting : pool.getQueue()) {
            Work<?> work = (Work<?>) waiting;
            if (work.caller.gone().getAsBoolean() && pool.remove(work)) {
                work.drop();
            }
        }
    }

    private static Refusal overloaded() {
        return new Refusal(Refusal.Reason.OVERLOADED, "Too many people are logging in: try again in a few seconds.");
    }

    /** A task in the pool's queue: it knows its future, so that it can be failed. It is either run or dropped, once. */
    private static final class Work<T> implements Runnable {
        private final Supplier<T> task;
        private final Caller caller;
        private final Runnable release;
        private final CompletableFuture<T> result = new CompletableFuture<>();

        /** @param release of the place that it takes; called before the result is known */
        Work(Supplier<T> task, Caller caller, Runnable release) {
            this.task = task;
            this.caller = caller;
            this.release = release;
        }

        void drop() {
            release.run();
            result.completeExceptionally(overloaded());
        }

        @Override
        public void run() {
            if (caller.gone().getAsBoolean()) {
                drop();
                return;
            }
            T done;
            try {
                done = task.get();
            } catch (RuntimeException | Error e) {
                release.run();
                result.completeExceptionally(e);
                return;
            }
            release.run();
            result.complete(done);
        }
    }

    private static ThreadPoolExecutor pool(int atOnce, int waiting) {
        BlockingQueue<Runnable> queue = waiting == 0 ? new SynchronousQueue<>() : new ArrayBlockingQueue<>(waiting);
        return new ThreadPoolExecutor(atOnce, atOnce, 1, TimeUnit.MINUTES, queue, work -> {
            Thread thread = new Thread(work, "fanfare-passwords");
            thread.setDaemon(true);
            return thread;
        });
    }
}
