package io.fanfare.core.held;

import io.fanfare.common.auth.KeyedDigest;
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
import java.time.Duration;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;

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

    /** UTF-16 units of an address that are compared. */
    private static final int ADDRESS_MAX = 500;

    /** Links of a post that are compared. */
    static final int LINKS_MAX = 3;

    private static final Script SAME_TEXT = Script.load("same_text");
    private static final int DIGEST_BYTES = 16;

    private final Settings.Signals settings;
    private final Redis redis;
    private final ViewerRelationshipsReader relationships;
    private final InstantSource clock;
    private final LocalDomain here;
    private final KeyedDigest digests;

    public Signals(LoopStores stores, SigningKeys keys) {
        this.settings = stores.settings().signals();
        this.redis = stores.redis();
        this.relationships = stores.viewerRelationships();
        this.clock = stores.parts().clock();
        this.here = LocalDomain.of(stores.views().urls().base());
        this.digests = new KeyedDigest(keys.drawn("same-text"), DIGEST_BYTES);
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
        private final Set<String> addresses = new LinkedHashSet<>(); // As they stand in the text.

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
        String text = content.poll() == null
                ? content.text()
                : content.text() + "\n" + String.join("\n", content.poll().options());
        List<Entity> entities = TextEntities.in(text);
        for (Entity entity : entities) {
            if (entity.kind() == TextEntities.Kind.ADDRESS) {
                String address = text.substring(entity.from(), Math.min(entity.to(), entity.from() + ADDRESS_MAX));
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
                traces.digests.add(digests.of("text " + letters));
            }
            traces.addresses.stream()
                    .limit(LINKS_MAX)
                    .forEach(address -> traces.digests.add(digests.of("link " + address)));
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
}
