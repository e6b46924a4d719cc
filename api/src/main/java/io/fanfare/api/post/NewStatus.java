package io.fanfare.api.post;

import io.fanfare.api.endpoint.ValidationErrors;
import io.fanfare.api.endpoint.VisibleCharacters;
import io.fanfare.api.poll.NewPoll;
import io.fanfare.common.id.Id;
import io.fanfare.common.model.Attachment;
import io.fanfare.common.model.Place;
import io.fanfare.common.model.Post;
import io.fanfare.common.model.PostOptions;
import io.fanfare.common.model.PostWords;
import io.fanfare.common.model.QuotePolicy;
import io.fanfare.common.model.Refusal;
import io.fanfare.common.model.Status;
import io.fanfare.common.model.Visibility;
import io.fanfare.common.store.IdempotentRequest;
import io.fanfare.common.text.TextEntities;
import io.fanfare.server.http.Parameters;
import io.netty.buffer.ByteBufUtil;
import java.util.List;
import java.util.regex.Pattern;

/**
 * The body of {@code POST /api/v1/statuses}, of a comment, or of a repost with words. The constructor refuses
 * ({@code Refusal(INVALID)}) what is not acceptable.
 *
 * @param inReplyToId 0 = no reply; -1 = a reply to a status that cannot exist
 * @param quotedId 0 = no quote; -1 = a quote of a status that cannot exist
 * @param mediaIds uploads, in order; -1 = one that cannot exist
 * @param textMax the most characters of the text
 */
public record NewStatus(PostWords words, long inReplyToId, long quotedId, List<Long> mediaIds, int textMax) {
    /** Characters that a link counts for, whatever its length; the instance documents publish it. */
    public static final int ADDRESS_CHARS = 23;

    /**
     * Bytes (UTF-8) that a text may have for each character of its limit: long addresses, and letters of many parts,
     * take more room than they count for. Whatever shows a page of statuses allocates in proportion to it.
     */
    private static final int BYTES_PER_CHAR = 10;

    private static final String ADDRESS = "x".repeat(ADDRESS_CHARS);

    private static final Pattern LANGUAGE = Pattern.compile("[A-Za-z]{2,3}([-_][A-Za-z0-9]{2,8})*");

    /** Longest code of a language (RFC 5646, 4.4.1). The pattern takes stack for each part of one. */
    private static final int LANGUAGE_CHARS_MAX = 35;

    public NewStatus {
        ValidationErrors errors = new ValidationErrors();
        mediaIds = List.copyOf(mediaIds);
        if (mediaIds.size() > Attachment.MAX) {
            errors.add("media_ids", "ERR_TOO_MANY", "are too many (at most " + Attachment.MAX + ")");
        }
        if (VisibleCharacters.isBlank(words.text()) && quotedId == 0 && mediaIds.isEmpty()) {
            errors.add("text", "ERR_BLANK", "can't be blank");
        } else {
            checkLength(words.text(), words.spoilerText(), textMax, errors);
        }
        String language = words.options().language();
        if (language != null && !isLanguage(language)) {
            errors.add("language", "ERR_INVALID", "must be an ISO 639 code such as en");
        }
        errors.refuseIfAny();
    }

    /** Whether this can be the code of a language. */
    public static boolean isLanguage(String code) {
        return code.length() <= LANGUAGE_CHARS_MAX && LANGUAGE.matcher(code).matches();
    }

    /** As in Mastodon, what cannot be the code of a language says nothing: a post is more than its language. */
    private static String language(Parameters parameters, String absent) {
        String code = parameters.text("language", "").strip();
        return isLanguage(code) ? code : absent;
    }

    private static void checkLength(String text, String spoilerText, int textMax, ValidationErrors errors) {
        long bytesMax = (long) BYTES_PER_CHAR * textMax;
        if ((long) ByteBufUtil.utf8Bytes(text) + ByteBufUtil.utf8Bytes(spoilerText) > bytesMax) {
            String most = textMax + " characters, and " + bytesMax + " bytes of UTF-8,";
            errors.add("text", "ERR_TOO_LONG", "is too long: at most " + most + " with its content warning");
            return;
        }
        errors.addUnlessStreamSafe("text", text);
        errors.addUnlessStreamSafe("spoiler_text", spoilerText);
        int points = text.codePointCount(0, text.length()) + spoilerText.codePointCount(0, spoilerText.length());
        if (points <= textMax && !text.contains("://")) {
            return; // Nothing but an address counts for more than it has.
        }
        int length = VisibleCharacters.count(spoilerText + counted(text));
        if (length > textMax) {
            errors.add(
                    "text",
                    "ERR_TOO_LONG",
                    "is too long: at most " + textMax + " characters with its content warning, not " + length);
        }
    }

    /**
     * The text as Mastodon and its clients count it: all addresses are of one length, and of mentions only the name
     * counts.
     */
    private static String counted(String text) {
        StringBuilder counted = new StringBuilder(text.length());
        int done = 0;
        for (TextEntities.Entity entity : TextEntities.in(text)) {
            if (entity.kind() != TextEntities.Kind.TAG) {
                counted.append(text, done, entity.from());
                counted.append(entity.kind() == TextEntities.Kind.ADDRESS ? ADDRESS : "@" + entity.name());
                done = entity.to();
            }
        }
        return counted.append(text, done, text.length()).toString();
    }

    /** A post, which may be a quote: that needs no text. */
    public static NewStatus of(Parameters parameters, int textMax) {
        Visibility visibility = isDirect(parameters) ? Visibility.DIRECT : visibility(parameters);
        return of(
                parameters,
                parameters.text("status", ""),
                visibility,
                parameters.id("quoted_status_id"),
                mediaIds(parameters),
                textMax);
    }

    /**
     * The request as a validated record; refuses ({@code Refusal(INVALID)}) what is not valid.
     *
     * @param text where it stands in the request differs between routes
     */
    public static NewStatus of(Parameters parameters, String text, int textMax) {
        if (!parameters.all("media_ids").isEmpty()) {
            throw notOffered("Pictures cannot be attached here, only to posts: send this without media_ids.");
        }
        if (!parameters.text("scheduled_at", "").isEmpty()) {
            throw notOffered("Only posts can be scheduled: send this without scheduled_at.");
        }
        if (parameters.hasAny("poll")) {
            throw notOffered("Only posts can have a poll: send this without poll.");
        }
        return of(parameters, text, visibility(parameters), /* quotedId= */ 0, List.of(), textMax);
    }

    /**
     * The words that a status is to have from now on. As in Mastodon all are said again; only the language and the
     * pictures stay when none is said. Who sees the status, what it answers and what it quotes stay as they are,
     * whatever is said.
     */
    public static NewStatus ofEdit(Parameters parameters, Status edited, int textMax) {
        Post post = edited.post();
        if (parameters.hasAny("poll")
                && !NewPoll.isLike(parameters, post.content().poll())) {
            throw notOffered("The poll of a published status cannot be changed here: edit without poll.");
        }
        List<Long> now =
                post.content().attachments().stream().map(Attachment::id).toList();
        List<Long> pictures = parameters.hasList("media_ids") ? mediaIds(parameters) : now;
        if (!pictures.isEmpty() && post.content().poll() != null) {
            throw notOffered("A poll cannot have pictures: edit without media_ids.");
        }
        if (post.kind() == Post.Kind.COMMENT && !now.containsAll(pictures)) {
            throw notOffered("Pictures cannot be attached here, only to posts: edit without media_ids.");
        }
        String text = parameters.text("status", "");
        String warning = parameters.text("spoiler_text", "");
        boolean saysAll = VisibleCharacters.isBlank(text) && !post.isQuote() && pictures.isEmpty();
        PostOptions options = new PostOptions(
                edited.visibility(),
                parameters.flag("sensitive", false) || !warning.isEmpty(),
                language(parameters, post.content().language()),
                /* quotePolicy= */ null);
        PostWords words = new PostWords(
                saysAll ? warning : text, saysAll ? "" : warning, post.content().place(), options);
        long quotedId = post.isQuote() ? post.original().statusId() : 0;
        return new NewStatus(words, /* inReplyToId= */ 0, quotedId, pictures, textMax);
    }

    private static List<Long> mediaIds(Parameters parameters) {
        // A form has no other way to name an empty list.
        return parameters.all("media_ids").stream()
                .filter(id -> !id.isEmpty())
                .map(Id::parse)
                .distinct()
                .toList();
    }

    private static boolean isDirect(Parameters parameters) {
        return parameters.text("visibility", "").equals(Visibility.DIRECT.wire());
    }

    private static NewStatus of(
            Parameters parameters,
            String text,
            Visibility visibility,
            long quotedId,
            List<Long> mediaIds,
            int textMax) {
        String spoilerText = parameters.text("spoiler_text", "");
        boolean sensitive = parameters.flag("sensitive", false);
        boolean present = !parameters.text("sensitive", "").isEmpty();
        // As in Mastodon: what needs a warning is sensitive.
        boolean warned = !spoilerText.isEmpty();
        // As in Mastodon, too: a warning before nothing is all that is said.
        boolean saysAll = VisibleCharacters.isBlank(text) && quotedId == 0 && mediaIds.isEmpty();
        PostOptions options = new PostOptions(
                visibility,
                (present || warned) ? Boolean.valueOf(sensitive || warned) : null,
                language(parameters, null),
                quotePolicy(parameters));
        PostWords words = new PostWords(
                saysAll ? spoilerText : text, saysAll ? "" : spoilerText, NewPlace.of(parameters), options);
        return new NewStatus(words, parameters.id("in_reply_to_id"), quotedId, mediaIds, textMax);
    }

    /** The visibility of a status that cannot be a direct message; null = not given. */
    public static Visibility visibility(Parameters parameters) {
        String name = parameters.text("visibility", "");
        Visibility visibility = Visibility.of(name);
        if (visibility == Visibility.DIRECT || (visibility == null && !name.isEmpty())) {
            ValidationErrors errors = new ValidationErrors();
            errors.add(
                    "visibility",
                    "ERR_INCLUSION",
                    "must be public, unlisted or private; only a post of its own can be direct");
            errors.refuseIfAny();
        }
        return visibility;
    }

    /**
     * The request that has this body; null without a key. Of the options that the client chose, not of those that are
     * {@linkplain PostOptions#completed completed}.
     *
     * @param about the rest of the request: its route, and the ids in its path
     */
    public IdempotentRequest once(String key, Object... about) {
        PostOptions options = words.options();
        QuotePolicy quotePolicy = options.quotePolicy();
        Place place = words.place();
        return IdempotentRequest.of(
                key,
                List.of(about),
                words.text(),
                options.visibility(),
                words.spoilerText(),
                options.sensitive(),
                options.language(),
                inReplyToId,
                quotedId,
                // The same as before there were pictures and policies, for requests that need none.
                quotePolicy != null && quotePolicy != QuotePolicy.PUBLIC
                        ? List.of(String.valueOf(place), mediaIds, quotePolicy)
                        : mediaIds.isEmpty() ? place : List.of(String.valueOf(place), mediaIds));
    }

    /** The same for everybody, who all may quote it, and no reply or quote itself. */
    public NewStatus inPublic() {
        PostWords open = words.with(words.options().inPublic());
        return new NewStatus(open, /* inReplyToId= */ 0, /* quotedId= */ 0, mediaIds, textMax);
    }

    /** The accounts that may quote the status; null = not given. */
    public static QuotePolicy quotePolicy(Parameters parameters) {
        String name = parameters.text("quote_approval_policy", "");
        QuotePolicy policy = QuotePolicy.of(name);
        if (policy == null && !name.isEmpty()) {
            ValidationErrors errors = new ValidationErrors();
            errors.add("quote_approval_policy", "ERR_INCLUSION", "must be public, followers or nobody");
            errors.refuseIfAny();
        }
        return policy;
    }

    private static Refusal notOffered(String sentence) {
        return new Refusal(Refusal.Reason.INVALID, sentence);
    }
}
