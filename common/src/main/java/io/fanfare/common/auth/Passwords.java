package io.fanfare.common.auth;

import io.fanfare.common.model.Refusal;
import io.fanfare.common.settings.Settings;
import io.vertx.core.Future;
import io.vertx.core.Vertx;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.SecureRandom;
import java.text.Normalizer;
import java.util.Base64;
import java.util.concurrent.ArrayBlockingQueue;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.SynchronousQueue;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import java.util.function.Supplier;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.bouncycastle.crypto.generators.Argon2BytesGenerator;
import org.bouncycastle.crypto.params.Argon2Parameters;

/**
 * Argon2id (RFC 9106) with its parameters in the PHC string, on a bounded pool off the event loop: {@code auth.hashes-at-once} run, {@code auth.hashes-waiting} wait, more are
 * refused with {@code OVERLOADED}. Passwords are compared in Unicode's NFC form, so that the same letters typed on two keyboards are the same password. One per process,
 * shared by its event loops; each future completes on the context that asked.
 *
 * <p>{@code $argon2id$v=19$m=19456,t=2,p=1$<salt>$<hash>}, both in Base64 without padding.
 */
public final class Passwords implements AutoCloseable {
    private static final int SALT_BYTES = 16;
    private static final int HASH_BYTES = 32;
    private static final int LANES = 1;
    private static final Pattern PHC = Pattern.compile(
            "\\$argon2id\\$v=19\\$m=(\\d{1,7}),t=(\\d{1,3}),p=(\\d{1,2})\\$([A-Za-z0-9+/]{11,86})\\$([A-Za-z0-9+/]{22,86})");

    private final Vertx vertx;
    private final SecureRandom random;
    private final int memoryKib;
    private final int passes;
    private final ThreadPoolExecutor pool;
    private final String nobody;

    public Passwords(Vertx vertx, SecureRandom random, Settings.Auth settings) {
        this.vertx = vertx;
        this.random = random;
        this.memoryKib = settings.argonMemoryKib();
        this.passes = settings.argonPasses();
        this.pool = pool(settings.hashesAtOnce(), settings.hashesWaiting());
        this.nobody = phc(new byte[SALT_BYTES], new byte[HASH_BYTES]);
    }

    /** The PHC string of a password, with a salt of its own. */
    public Future<String> hash(String password) {
        return onPool(() -> {
            byte[] salt = new byte[SALT_BYTES];
            random.nextBytes(salt);
            return phc(salt, argon2id(password, salt, memoryKib, passes, LANES, HASH_BYTES));
        });
    }

    /** Whether the password fits; costs the same work when {@code phc} is null or empty (unknown user, account without a password), and is false then. */
    public Future<Boolean> verify(String password, String phc) {
        boolean known = phc != null && !phc.isEmpty();
        return onPool(() -> fits(password, known ? phc : nobody) && known);
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
        pool.shutdownNow().forEach(waiting -> ((Work<?>) waiting).result.completeExceptionally(overloaded()));
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
        String normal = Normalizer.normalize(password, Normalizer.Form.NFC);
        generator.generateBytes(normal.getBytes(StandardCharsets.UTF_8), hash);
        return hash;
    }

    private String phc(byte[] salt, byte[] hash) {
        Base64.Encoder base64 = Base64.getEncoder().withoutPadding();
        return "$argon2id$v=19$m=" + memoryKib + ",t=" + passes + ",p=" + LANES + "$" + base64.encodeToString(salt)
                + "$" + base64.encodeToString(hash);
    }

    private <T> Future<T> onPool(Supplier<T> work) {
        Work<T> queued = new Work<>(work, new CompletableFuture<>());
        try {
            pool.execute(queued);
        } catch (RejectedExecutionException fullOrClosed) {
            return Future.failedFuture(overloaded());
        }
        return Future.fromCompletionStage(queued.result, vertx.getOrCreateContext());
    }

    private static Refusal overloaded() {
        return new Refusal(Refusal.Reason.OVERLOADED, "Too many people are logging in: try again in a few seconds.");
    }

    /** What lies in the pool's queue: it knows its future, so that {@link #close} can fail it. */
    private record Work<T>(Supplier<T> supplier, CompletableFuture<T> result) implements Runnable {
        @Override
        public void run() {
            try {
                result.complete(supplier.get());
            } catch (RuntimeException | Error e) {
                result.completeExceptionally(e);
            }
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
