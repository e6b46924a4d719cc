package io.fanfare.core.held;

import io.fanfare.common.auth.SigningKeys;
import io.fanfare.common.id.Id;
import io.fanfare.common.keyspace.Keys;
import io.fanfare.common.model.Content;
import io.fanfare.common.model.Content.Mention;
import io.fanfare.common.model.Post;
import io.fanfare.common.model.Role;
import io.fanfare.common.settings.Settings;
import io.fanfare.common.settings.Settings.Signals.Consequence;
import io.fanfare.common.store.ViewerRelationshipsReader;
import io.fanfare.common.text.FoldedText;
import io.fanfare.common.text.LocalDomain;
import io.fanfare.common.text.TextEntities;
import io.fanfare.common.text.TextEntities.Entity;
import io.fanfare.core.LoopStores;
import io.fanfare.redis.Command;
import io.fanfare.redis.Redis;
import io.fanfare.redis.Reply;
import io.fanfare.redis.Script;
import io.vertx.core.Future;
import java.net.URI;
import java.net.URISyntaxException;
import java.nio.charset.StandardCharsets;
import java.security.InvalidKeyException;
import java.security.NoSuchAlgorithmException;
import java.time.Duration;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Base64;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import javax.crypto.Mac;
import javax.crypto.spec.SecretKeySpec;

/**
 * Looks for signals of abuse in the posts of young accounts. The age of an account is in its id, so that posts of
 * others cost nothing. Of texts only keyed digests are kept, each in a key of its own for {@link #WINDOW}. Confined to
 * the event loop of its stores.
 */
public final class Signals {
    /** The time within which accounts post the same text. */
    static final Duration WINDOW = Duration.ofHours(1);

    /** Fewer letters are no text that could be recognised. */
    static final int LETTERS_MIN = 20;

    /** UTF-16 units of a text that are compared; the rest is not looked at. */
    static final int CHARS_MAX = 5_000;

    /** Links of a post that are compared. */
    static final int LINKS_MAX = 3;

    private static final Script SAME_TEXT = Script.load("same_text");
    private static final String HMAC = "HmacSHA256";
    private static final int DIGEST_BYTES = 16;

    private final Settings.Signals settings;
    private final Redis redis;
    private final ViewerRelationshipsReader relationships;
    private final InstantSource clock;
    private final LocalDomain here;
    private final SecretKeySpec key;

    public Signals(LoopStores stores, SigningKeys keys) {
        this.settings = stores.settings().signals();
        this.redis = stores.redis();
        this.relationships = stores.viewerRelationships();
        this.clock = stores.parts().clock();
        this.here = LocalDomain.of(stores.views().urls().base());
        this.key = new SecretKeySpec(keys.drawn("same-text"), HMAC);
    }

    /** Whether the posts of an account are looked through. Without a command. */
    public boolean cover(long author) {
        return settings.isOn()
                && clock.millis()
                        < Id.epochMillis(author)
                                + Duration.ofHours(settings.accountHours()).toMillis();
    }

    /**
     * The signal of a post of an account that is {@linkplain #cover covered}: one that holds the post, if there is any.
     * Notes the text. Accounts with a role, and those that a moderator trusts, have none.
     *
     * @param before the content of an earlier version, of which nothing counts; {@link Content#NONE} for a new post
     */
    public Future<Optional<Finding>> find(Post post, Content before) {
        Traces traces = traces(post.content());
        traces.remove(traces(before));
        traces.accounts.remove(post.authorId());
        if (traces.isEmpty()) {
            return Future.succeededFuture(Optional.empty());
        }
        long author = post.authorId();
        return isTrusted(author)
                .compose(trusted -> trusted ? Future.succeededFuture(Optional.empty()) : find(author, traces));
    }

    private Future<Boolean> isTrusted(long author) {
        return redis.send(Command.of("HMGET", Keys.user(author), "trusted", "role"))
                .map(Reply::items)
                .map(fields ->
                        !fields.get(0).isNil() || Role.stored(fields.get(1).asString()) != Role.USER);
    }

    private Future<Optional<Finding>> find(long author, Traces traces) {
        Future<Boolean> mentions = traces.accounts.size() <= settings.mentionsMax()
                ? Future.succeededFuture(false)
                : relationships
                        .of(author, traces.accounts)
                        .map(found -> traces.accounts.stream()
                                        .filter(account -> !found.isFollowedBy(account))
                                        .count()
                                > settings.mentionsMax());
        List<Future<Long>> same =
                traces.digests.stream().map(digest -> posters(author, digest)).toList();
        return Future.all(mentions, Future.all(same)).map(done -> {
            List<Finding> found = new ArrayList<>();
            add(found, Signal.LINKS, settings.links(), traces.links);
            add(found, Signal.MENTIONS, settings.mentions(), mentions.result());
            boolean spread = same.stream().anyMatch(posters -> posters.result() > settings.sameTextAccounts());
            add(found, Signal.SAME_TEXT, settings.sameText(), spread);
            return found.stream().filter(Finding::holds).findFirst().or(() -> found.stream()
                    .findFirst());
        });
    }

    private static void add(List<Finding> found, Signal signal, Consequence consequence, boolean has) {
        if (has) {
            found.add(new Finding(signal, consequence == Consequence.HOLD));
        }
    }

    private Future<Long> posters(long author, String digest) {
        return redis.send(SAME_TEXT.call(
                        List.of(Keys.sameText(digest)), "", author, WINDOW.toMillis(), settings.sameTextAccounts() + 1))
                .map(Reply::asLong);
    }

    /** The parts of a text in which signals are looked for; empty where a signal is not looked for. */
    private static final class Traces {
        private boolean links;
        private final Set<Long> accounts = new HashSet<>();
        private final Set<String> digests = new TreeSet<>();
        private final Set<String> addresses = new HashSet<>();

        private void remove(Traces others) {
            addresses.removeAll(others.addresses);
            links &= !addresses.isEmpty();
            accounts.removeAll(others.accounts);
            digests.removeAll(others.digests);
        }

        private boolean isEmpty() {
            return !links && accounts.isEmpty() && digests.isEmpty();
        }
    }

    private Traces traces(Content content) {
        Traces traces = new Traces();
        String text = content.text();
        List<Entity> entities = TextEntities.in(text);
        for (Entity entity : entities) {
            if (entity.kind() == TextEntities.Kind.ADDRESS) {
                String address = text.substring(entity.from(), entity.to());
                if (!isHere(address)) {
                    traces.addresses.add(FoldedText.of(address.replaceFirst("#.*", "")));
                }
            }
        }
        traces.links = settings.links() != Consequence.NONE && !traces.addresses.isEmpty();
        if (settings.mentions() != Consequence.NONE) {
            content.mentions().stream().map(Mention::accountId).forEach(traces.accounts::add);
        }
        if (settings.sameText() != Consequence.NONE) {
            String letters = letters(text, entities);
            if (letters.codePointCount(0, letters.length()) >= LETTERS_MIN) {
                traces.digests.add(digest("text " + letters));
            }
            traces.addresses.stream()
                    .sorted()
                    .limit(LINKS_MAX)
                    .forEach(address -> traces.digests.add(digest("link " + address)));
        }
        return traces;
    }

    /** A host that cannot be read is another one. */
    private boolean isHere(String address) {
        try {
            URI uri = new URI(address);
            return uri.getHost() != null && here.is(uri.getHost());
        } catch (URISyntaxException e) {
            return false;
        }
    }

    /** The letters of a text without its mentions, in lower case: spaces, signs, digits and names are easy to vary. */
    static String letters(String text, List<Entity> entities) {
        StringBuilder plain = new StringBuilder();
        int done = 0;
        for (Entity entity : entities) {
            if (entity.kind() == TextEntities.Kind.MENTION) {
                plain.append(text, done, entity.from());
                done = entity.to();
            }
        }
        plain.append(text, done, text.length());
        String folded = FoldedText.of(plain.substring(0, Math.min(plain.length(), CHARS_MAX)));
        return folded.codePoints()
                .filter(Character::isLetter)
                .collect(StringBuilder::new, StringBuilder::appendCodePoint, StringBuilder::append)
                .toString();
    }

    private String digest(String text) {
        try {
            Mac mac = Mac.getInstance(HMAC);
            mac.init(key);
            byte[] whole = mac.doFinal(text.getBytes(StandardCharsets.UTF_8));
            return Base64.getUrlEncoder().withoutPadding().encodeToString(Arrays.copyOf(whole, DIGEST_BYTES));
        } catch (NoSuchAlgorithmException | InvalidKeyException e) {
            // Every JDK has it, and the key is one of its kind.
            throw new IllegalStateException(e);
        }
    }
}
