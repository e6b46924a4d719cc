package io.fanfare.media;

import io.fanfare.common.settings.Settings;
import io.vertx.core.Future;
import io.vertx.core.Vertx;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.InstantSource;
import java.util.HexFormat;
import java.util.Map;
import java.util.Optional;
import java.util.random.RandomGenerator;

/**
 * Tries a bucket: stores a small object, reads it, deletes it, and asks for it once more. So everything that pictures
 * need is known to work. What a try leaves behind, if it is cut off, lies under {@value #FOLDER}.
 */
public final class BucketCheck {
    private static final String FOLDER = "fanfare-check/";
    private static final int BYTES = 64;

    private final Vertx vertx;
    private final Settings.S3 settings;
    private final S3Client bucket;
    private final RandomGenerator random;

    /**
     * @param random names the object and spreads retries
     * @param clock signs the requests
     */
    public BucketCheck(Vertx vertx, Settings.S3 settings, RandomGenerator random, InstantSource clock) {
        this.vertx = vertx;
        this.settings = settings;
        this.bucket = new S3Client(vertx, settings, random, clock);
        this.random = random;
    }

    /**
     * A fault of a bucket.
     *
     * @param what is the case, as a part of a sentence
     * @param remedy what to do
     * @param passing whether it may work later as it is
     */
    public record Trouble(String what, String remedy, boolean passing) {
        /** Both as one sentence. */
        public String sentence() {
            return what + ": " + remedy;
        }
    }

    /** Empty when all is well. Fails only when this machine cannot write a temporary file. To be called once. */
    public Future<Optional<Trouble>> run() {
        byte[] bytes = new byte[BYTES];
        random.nextBytes(bytes);
        String key = FOLDER + HexFormat.of().formatHex(bytes, 0, 16);
        return vertx.executeBlocking(() -> Files.write(Files.createTempFile("fanfare", null), bytes), false)
                .compose(file -> tried(key, file)
                        .eventually(() -> vertx.executeBlocking(() -> Files.deleteIfExists(file), false)))
                .eventually(bucket::close);
    }

    private Future<Optional<Trouble>> tried(String key, Path file) {
        return step("s3:PutObject", bucket.put(key, file, BYTES, Map.of("Content-Type", "application/octet-stream")))
                .compose(stored -> step("s3:GetObject", bucket.get(key, 0, BYTES)))
                .compose(body -> {
                    body.ifPresent(exchange -> S3Client.reset(exchange.request()));
                    return body.isPresent()
                            ? step("s3:DeleteObject", bucket.delete(key))
                            : Future.failedFuture(new Refused(new Trouble(
                                    named() + " does not return what was just stored in it",
                                    "use one that is consistent, as S3 is",
                                    /* passing= */ false)));
                })
                // Who may not list gets 403 for what is not there, instead of 404.
                .compose(deleted -> step("s3:ListBucket", bucket.size(key)))
                .map(gone -> Optional.<Trouble>empty())
                .recover(cause -> cause instanceof Refused refused
                        ? Future.succeededFuture(Optional.of(refused.trouble))
                        : Future.failedFuture(cause));
    }

    private <T> Future<T> step(String right, Future<T> request) {
        return request.recover(cause -> Future.failedFuture(new Refused(trouble(S3Failure.silent(cause), right))));
    }

    private String named() {
        return "the bucket " + settings.bucket() + " at " + settings.endpoint();
    }

    private Trouble trouble(S3Failure failure, String right) {
        String what = named() + " cannot be used (" + failure.getMessage() + ")";
        return new Trouble(what, remedy(failure, right), failure.isPassing());
    }

    private static String remedy(S3Failure failure, String right) {
        if (!failure.region().isEmpty() && failure.status() != 403) {
            return "set media.s3.region to " + failure.region();
        }
        if (failure.isPassing()) {
            return "start it, or correct media.s3.endpoint; behind https the machine must trust its certificate";
        }
        return switch (failure.code()) {
            case "InvalidAccessKeyId" -> "correct media.s3.access-key, which is not known there";
            case "SignatureDoesNotMatch" -> "correct media.s3.secret-key, which does not fit media.s3.access-key";
            case "RequestTimeTooSkewed" -> "set the clock of this machine, best by NTP";
            case "NoSuchBucket" -> "make the bucket, or correct media.s3.bucket";
            case "AuthorizationHeaderMalformed" -> "correct media.s3.region";
            default -> otherwise(failure.status(), right);
        };
    }

    private static String otherwise(int status, String right) {
        if (status == 403) {
            return "give the access key the right " + right;
        }
        return status / 100 == 3
                ? "correct media.s3.region or media.s3.endpoint"
                : "correct media.s3.endpoint, media.s3.bucket and media.s3.path-style";
    }

    /** Ends the steps. */
    private static final class Refused extends RuntimeException {
        private static final long serialVersionUID = 1L;
        private final transient Trouble trouble;

        private Refused(Trouble trouble) {
            super(trouble.what(), null, /* enableSuppression= */ false, /* writableStackTrace= */ false);
            this.trouble = trouble;
        }
    }
}
