package io.fanfare.core.post;

import io.fanfare.common.model.Content;
import io.fanfare.common.model.Content.Mention;
import io.fanfare.common.model.Place;
import io.fanfare.common.model.PostOptions;
import io.fanfare.common.model.PostWords;
import io.fanfare.common.store.Accounts;
import io.fanfare.common.text.LocalDomain;
import io.fanfare.common.text.TextEntities;
import io.fanfare.common.text.TextEntities.Entity;
import io.fanfare.common.text.TextEntities.Kind;
import io.fanfare.core.language.LanguageGuess;
import io.vertx.core.Future;
import java.util.List;
import java.util.Map;

/**
 * Makes of what an author typed what is published: with the accounts and the tags that the text names. Asks Redis only
 * when it names somebody.
 */
public final class Composer {
    /** Accounts that one status can mention; further names are plain text. */
    public static final int MENTIONS_MAX = 50;

    /** Tags that one status can have; further ones are plain text. */
    public static final int TAGS_MAX = 30;

    private final Accounts accounts;
    private final LocalDomain here;

    /** @param publicUrl base of absolute URLs: {@code @name@host} means an account here when that is its host */
    public Composer(Accounts accounts, String publicUrl) {
        this.accounts = accounts;
        this.here = LocalDomain.of(publicUrl);
    }

    /**
     * Reads a text; see {@link Content} for the other parts, which are taken as they are.
     *
     * @param languageOrNull its language; null = none, unless {@link LanguageGuess} finds one
     */
    public Future<Content> content(
            String text, String spoilerText, boolean sensitive, String languageOrNull, Place placeOrNull) {
        List<Entity> entities = TextEntities.in(text);
        String language = languageOrNull == null ? LanguageGuess.of(text, entities) : languageOrNull;
        List<String> tags = names(entities, Kind.TAG, TAGS_MAX);
        List<String> names = names(entities, Kind.MENTION, MENTIONS_MAX);
        if (names.isEmpty()) {
            return Future.succeededFuture(
                    new Content(text, spoilerText, sensitive, language, List.of(), tags, placeOrNull));
        }
        return accounts.idsByUsername(names)
                .map(ids ->
                        new Content(text, spoilerText, sensitive, language, mentions(names, ids), tags, placeOrNull));
    }

    /** The same for words whose options are complete. */
    public Future<Content> content(PostWords words) {
        PostOptions options = words.options();
        return content(words.text(), words.spoilerText(), options.sensitive(), options.language(), words.place());
    }

    private List<String> names(List<Entity> entities, Kind kind, int max) {
        if (entities.isEmpty()) {
            return List.of();
        }
        return entities.stream()
                .filter(entity -> entity.kind() == kind)
                .filter(entity -> entity.host().isEmpty() || here.is(entity.host()))
                .map(Entity::name)
                .distinct()
                .limit(max)
                .toList();
    }

    private static List<Mention> mentions(List<String> names, Map<String, Long> ids) {
        return names.stream()
                .filter(ids::containsKey)
                .map(name -> new Mention(ids.get(name), name))
                .toList();
    }
}
