package io.fanfare.core.mail;

import io.fanfare.common.auth.Device;
import io.fanfare.common.auth.KeyedDigest;
import io.fanfare.common.auth.SealedTexts;
import io.fanfare.common.auth.SigningKeys;
import io.fanfare.common.id.Id;
import io.fanfare.common.keyspace.Keys;
import io.fanfare.common.queue.Lane;
import io.fanfare.common.queue.WakeTokens;
import io.fanfare.redis.Command;
import io.fanfare.redis.Redis;
import io.fanfare.redis.Reply;
import io.fanfare.redis.Script;
import io.vertx.core.Future;
import java.security.SecureRandom;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.stream.IntStream;
import java.util.stream.Stream;

/**
 * Owns {@code sign-ins} keys: the places of the log-ins to an account, so that its owner gets a mail about a new one. A
 * place is a network with a browser on a system, or with an app that takes the password. Kept are keyed digests, and
 * for a day a sealed description for the mail. One event loop.
 */
public final class SignInPlaces {
    /** Places of an account, those that were used last. */
    public static final int MAX = 20;

    /** How long the places are kept after the last log-in. */
    public static final Duration LIFE = Duration.ofDays(90);

    /** Mails to an account in a day. */
    public static final int MAILS_MAX = 3;

    /** The purpose of the descriptions. */
    public static final String SEALED = "sign-in-place";

    private static final String DIGESTS = "sign-in-digest";
    private static final int DIGEST_BYTES = 12;
    private static final Script NOTE = Script.load("sign_in_note");

    private final Redis redis;
    private final SealedTexts sealed;
    private final List<KeyedDigest> keys;
    private final SecureRandom random;
    private final WakeTokens wake;

    /** For processes that note log-ins. */
    public SignInPlaces(Redis redis, SigningKeys keys, SecureRandom random) {
        this.redis = redis;
        this.sealed = new SealedTexts(keys, SEALED);
        this.keys = keys.drawnOfEach(DIGESTS).stream()
                .map(key -> new KeyedDigest(key, DIGEST_BYTES))
                .toList();
        this.random = random;
        this.wake = new WakeTokens(redis);
    }

    /**
     * A place.
     *
     * @param app name of the app that somebody has logged in to; empty = none
     */
    public record Place(Device device, String app) {
        private String text() {
            return String.join("\t", device.browser(), device.system(), device.network(), app);
        }

        private static Place of(String text) {
            String[] fields = text.split("\t", 4);
            return new Place(new Device(fields[0], fields[1], fields[2]), fields[3]);
        }
    }

    /**
     * Notes a log-in by a page of ours, also one to an app.
     *
     * @param app name of the app; empty = none
     */
    public Future<Boolean> noteBrowser(long account, Device device, String app) {
        return note(account, ofBrowser(device), sealed.seal(new Place(device, app).text(), account, random));
    }

    /**
     * Notes a log-in by an app that takes the password.
     *
     * @param app name of the app
     */
    public Future<Boolean> noteApp(long account, String network, String clientId, String app) {
        Place place = new Place(new Device("", "", network), app);
        return note(account, ofApp(network, clientId), sealed.seal(place.text(), account, random));
    }

    /**
     * Notes the place of a sign-up, of which no mail is sent.
     *
     * @param clientId of the app; empty = our own pages
     */
    public Future<Boolean> noteSignUp(long account, Device device, String clientId) {
        return note(account, clientId.isEmpty() ? ofBrowser(device) : ofApp(device.network(), clientId), "");
    }

    private static String ofBrowser(Device device) {
        return String.join("\t", "browser", device.network(), device.browser(), device.system());
    }

    private static String ofApp(String network, String clientId) {
        return String.join("\t", "app", network, clientId);
    }

    private Future<Boolean> note(long account, String place, String description) {
        int shard = Id.shard(account);
        List<Object> arguments = new ArrayList<>(List.of(
                "",
                account,
                description,
                MAX,
                LIFE.toMillis(),
                MailKind.SIGN_IN.life().toMillis(),
                MAILS_MAX));
        keys.forEach(key -> arguments.add(key.of(place)));
        return redis.send(NOTE.call(
                        List.of(
                                Keys.user(account),
                                Keys.signIns(account),
                                Keys.queueStats(shard),
                                Keys.lane(shard, Lane.LOW.key())),
                        arguments.toArray()))
                .compose(enqueued -> enqueued.asLong() == 1
                        ? wake.wake(shard).otherwiseEmpty().map(true)
                        : Future.succeededFuture(false));
    }

    /**
     * The place of the mail with this subject; empty if it is not kept any more.
     *
     * @param sealed opens descriptions; where it does not, the place has no names
     * @param subject when the first log-in there was, epoch ms
     */
    public static Future<Optional<Place>> find(Redis redis, SealedTexts sealed, long account, long subject) {
        return redis.send(Command.of("HGETALL", Keys.signIns(account))).map(kept -> described(kept)
                .filter(words -> words[0].equals(Long.toString(subject)) && !words[2].equals("-"))
                .findFirst()
                .map(words ->
                        sealed.open(words[2], account).map(Place::of).orElseGet(() -> new Place(Device.UNKNOWN, ""))));
    }

    /** The values of the hash, in words. */
    private static Stream<String[]> described(Reply kept) {
        List<Reply> all = kept.items();
        return IntStream.range(0, all.size() / 2)
                .mapToObj(i -> all.get(2 * i + 1).asString().split(" ", 3));
    }
}
