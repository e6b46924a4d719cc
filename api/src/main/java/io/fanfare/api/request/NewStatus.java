package io.fanfare.api.request;

import io.fanfare.common.id.Id;
import io.fanfare.common.model.Application;
import io.fanfare.common.model.Attachment;
import io.fanfare.common.model.Content;
import io.fanfare.common.model.Place;
import io.fanfare.common.model.Post;
import io.fanfare.common.model.Preferences;
import io.fanfare.common.model.QuotePolicy;
import io.fanfare.common.model.Reference;
import io.fanfare.common.model.Refusal;
import io.fanfare.common.model.Status;
import io.fanfare.common.model.Visibility;
import io.fanfare.common.store.Composer;
import io.fanfare.common.store.IdempotentRequest;
import io.fanfare.common.text.TextEntities;
import io.fanfare.server.http.Parameters;
import io.netty.buffer.ByteBufUtil;
import io.vertx.core.Future;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * What somebody wants to post: the body of {@code POST /api/v1/statuses}, of a comment, or of a repost with words.
 * Whoever holds one holds acceptable values.
 *
 * @param visibility null = not said; likewise {@code sensitive} and {@code language}
 * @param inReplyToId 0 = no reply; -1 = a reply to what cannot exist
 * @param quotedId 0 = no quote; -1 = a quote of what cannot exist
 * @param place null = not said
 * @param mediaIds pictures that were uploaded, in order; -1 = one that cannot exist
 * @param quotePolicy who may quote it; null = not said
 */
public record NewStatus(
        String text,
        Visibility visibility,
        String spoilerText,
        Boolean sensitive,
        String language,
        long inReplyToId,
        long quotedId,
        Place place,
        List<Long> mediaIds,
        QuotePolicy quotePolicy,
        int textMax) {
    /** What an address counts for, however long it is; clients are told so. */
    public static final int ADDRESS_CHARS = 23;

    /**
     * Bytes (UTF-8) that a text may have for each character of its limit: long addresses, and letters of many parts,
     * take more room than they count for. Whatever shows a page of statuses allocates in proportion to it.
     */
    private static final int BYTES_PER_CHAR = 10;

    private static final String ADDRESS = "x".repeat(ADDRESS_CHARS);

    /** What a reader takes for one character, such as a letter with its marks or an emoji of several. */
    private static final Pattern CHARACTER = Pattern.compile("\\X");

    private static final Pattern LANGUAGE = Pattern.compile("[A-Za-z]{2,3}([-_][A-Za-z0-9]{2,8})*");

    /** Longest code of a language (RFC 5646, 4.4.1). The pattern takes stack for each part of one. */
    private static final int LANGUAGE_CHARS_MAX = 35;

    public NewStatus {
        ValidationErrors errors = new ValidationErrors();
        mediaIds = List.copyOf(mediaIds);
        if (mediaIds.size() > Attachment.MAX) {
            errors.add("media_ids", "ERR_TOO_MANY", "are too many (at most " + Attachment.MAX + ")");
        }
        if (blank(text) && quotedId == 0 && mediaIds.isEmpty()) {
            errors.add("text", "ERR_BLANK", "can't be blank");
        } else {
            checkLength(text, spoilerText, textMax, errors);
        }
        if (language != null && !isLanguage(language)) {
            errors.add("language", "ERR_INVALID", "must be an ISO 639 code such as en");
        }
        errors.refuseIfAny();
    }

    /** Whether this can be the code of a language. */
    static boolean isLanguage(String code) {
        return code.length() <= LANGUAGE_CHARS_MAX && LANGUAGE.matcher(code).matches();
    }

    /** As in Mastodon, what cannot be the code of a language says nothing: a post is more than its language. */
    private static String language(Parameters parameters, String absent) {
        String said = parameters.text("language", "").strip();
        return isLanguage(said) ? said : absent;
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
        int length = characters(spoilerText + counted(text));
        if (length > textMax) {
            errors.add(
                    "text",
                    "ERR_TOO_LONG",
                    "is too long: at most " + textMax + " characters with its content warning, not " + length);
        }
    }

    /** How many characters a reader sees in it. Takes time in proportion to its length. */
    static int characters(String text) {
        Matcher character = CHARACTER.matcher(text);
        int count = 0;
        while (character.find()) {
            count++;
        }
        return count;
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
        String said = parameters.text("status", "");
        String warning = parameters.text("spoiler_text", "");
        boolean saysAll = blank(said) && !post.isQuote() && pictures.isEmpty();
        return new NewStatus(
                saysAll ? warning : said,
                edited.visibility(),
                saysAll ? "" : warning,
                parameters.flag("sensitive", false) || !warning.isEmpty(),
                language(parameters, post.content().language()),
                /* inReplyToId= */ 0,
                post.isQuote() ? post.original().statusId() : 0,
                post.content().place(),
                pictures,
                /* quotePolicy= */ null,
                textMax);
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
        boolean said = !parameters.text("sensitive", "").isEmpty();
        // As in Mastodon: what needs a warning is sensitive.
        boolean warned = !spoilerText.isEmpty();
        // As in Mastodon, too: a warning before nothing is all that is said.
        boolean saysAll = blank(text) && quotedId == 0 && mediaIds.isEmpty();
        return new NewStatus(
                saysAll ? spoilerText : text,
                visibility,
                saysAll ? "" : spoilerText,
                (said || warned) ? Boolean.valueOf(sensitive || warned) : null,
                language(parameters, null),
                parameters.id("in_reply_to_id"),
                quotedId,
                NewPlace.of(parameters),
                mediaIds,
                quotePolicy(parameters),
                textMax);
    }

    /** The visibility asked for what is no direct message; null = not said. */
    public static Visibility visibility(Parameters parameters) {
        String said = parameters.text("visibility", "");
        Visibility visibility = Visibility.of(said);
        if (visibility == Visibility.DIRECT || (visibility == null && !said.isEmpty())) {
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
     * The request that says this; null without a key. To be asked of what the client said, not of what is
     * {@linkplain #completed completed}.
     *
     * @param about what else makes the request what it is: its route, and the ids in its path
     */
    public IdempotentRequest once(String key, Object... about) {
        return IdempotentRequest.of(
                key,
                List.of(about),
                text,
                visibility,
                spoilerText,
                sensitive,
                language,
                inReplyToId,
                quotedId,
                // The same as before there were pictures and policies, for requests that need none.
                quotePolicy != null && quotePolicy != QuotePolicy.PUBLIC
                        ? List.of(String.valueOf(place), mediaIds, quotePolicy)
                        : mediaIds.isEmpty() ? place : List.of(String.valueOf(place), mediaIds));
    }

    /** The same for everybody, to be quoted by everybody. */
    NewStatus inPublic() {
        return new NewStatus(
                text,
                Visibility.PUBLIC,
                spoilerText,
                sensitive,
                language,
                /* inReplyToId= */ 0,
                /* quotedId= */ 0,
                place,
                mediaIds,
                QuotePolicy.PUBLIC,
                textMax);
    }

    /** Whether everything was said for which authors have preferences. */
    public boolean isComplete() {
        return visibility != null && sensitive != null && language != null && quotePolicy != null;
    }

    /** The same, with these for what was not said. */
    public NewStatus completed(Preferences preferences) {
        return new NewStatus(
                text,
                visibility == null ? preferences.visibility() : visibility,
                spoilerText,
                sensitive == null ? preferences.sensitive() : sensitive,
                language == null ? preferences.language() : language,
                inReplyToId,
                quotedId,
                place,
                mediaIds,
                quotePolicy == null ? preferences.quotePolicy() : quotePolicy,
                textMax);
    }

    /**
     * What is published of the words, when they are {@linkplain #completed complete}: with the accounts and tags that
     * they name.
     */
    public Future<Content> content(Composer composer) {
        return composer.content(text, spoilerText, sensitive, language, place);
    }

    /**
     * The same as a direct message when it answers one and nobody has said for whom it is: what somebody else wrote to
     * a few must not be answered in public by mistake.
     *
     * @param asked the request before it was {@linkplain #completed completed}
     * @param repliedTo null = no reply
     */
    public NewStatus answering(NewStatus asked, Status repliedTo) {
        return asked.visibility == null && repliedTo != null && repliedTo.visibility() == Visibility.DIRECT
                ? new NewStatus(
                        text,
                        Visibility.DIRECT,
                        spoilerText,
                        sensitive,
                        language,
                        inReplyToId,
                        quotedId,
                        place,
                        mediaIds,
                        quotePolicy,
                        textMax)
                : this;
    }

    /** The same, unless it is a direct message: whom that is for is settled when it is sent. */
    public NewStatus schedulable(Status repliedTo) {
        if (answering(this, repliedTo).visibility == Visibility.DIRECT) {
            throw notOffered("A direct message cannot be scheduled: send it without scheduled_at.");
        }
        return this;
    }

    /**
     * A post. A direct message is for nobody else so far, see {@link Post#to}. What answers a direct message and is for
     * others too does not say so, since nobody makes another's status known to more people than may see it.
     *
     * @param content see {@link #content}
     * @param repliedTo what it answers; null = no reply
     * @param quoted what it shows, which sets how widely it may be seen; null = no quote
     * @param application what it is posted with; null = unknown
     */
    public Post post(long author, Content content, Status repliedTo, Status quoted, Application application) {
        boolean direct = visibility == Visibility.DIRECT;
        boolean toDirect = repliedTo != null && repliedTo.visibility() == Visibility.DIRECT;
        if (direct) {
            if (quoted != null) {
                throw notOffered("A direct message cannot quote a post: write the post's address into its text.");
            }
            Reference root = toDirect ? Reference.to(repliedTo) : null;
            Reference above = repliedTo == null ? null : Reference.to(repliedTo);
            Post message = composed(author, visibility, Post.Kind.DIRECT, content, above, root, null, application);
            return repliedTo == null ? message : message.in(repliedTo.conversationId());
        }
        if (toDirect) {
            return post(author, content, null, quoted, application);
        }
        return Post.of(author, visibility, content, repliedTo, quoted, application)
                .quotedBy(quotePolicy);
    }

    /**
     * A comment. It is for whom the status is that it answers, whatever was asked for.
     *
     * @param subject what it stands under
     * @param parent what it answers: the subject, or what stands under it
     */
    public Post comment(long author, Content content, Status subject, Status parent, Application application) {
        if (parent.visibility() == Visibility.DIRECT || subject.visibility() == Visibility.DIRECT) {
            throw notOffered("A direct message has no comments: answer it with a status of the visibility direct.");
        }
        return composed(
                        author,
                        parent.visibility(),
                        Post.Kind.COMMENT,
                        content,
                        Reference.to(parent),
                        root(subject, parent),
                        null,
                        application)
                .in(parent.conversationId())
                .quotedBy(quotePolicy);
    }

    /**
     * What the comment is listed with beside its parent: a comment on a comment stands under the same status as that
     * one. One on a reply for followers is for those of the reply's author, not of the subject's.
     */
    private static Reference root(Status subject, Status parent) {
        Post above = parent.post();
        if (parent.kind() == Post.Kind.COMMENT) {
            return above.root() != null ? above.root() : above.replyTo();
        }
        boolean apart = parent.id() == subject.id() || parent.visibility() == Visibility.PRIVATE;
        return apart ? null : Reference.to(subject);
    }

    private static Post composed(
            long author,
            Visibility seenBy,
            Post.Kind kind,
            Content content,
            Reference replyTo,
            Reference root,
            Reference original,
            Application application) {
        return new Post(author, seenBy, kind, content, replyTo, root, original, null).postedWith(application);
    }

    /** Who is to be let quote; null = not said. */
    public static QuotePolicy quotePolicy(Parameters parameters) {
        String said = parameters.text("quote_approval_policy", "");
        QuotePolicy policy = QuotePolicy.of(said);
        if (policy == null && !said.isEmpty()) {
            ValidationErrors errors = new ValidationErrors();
            errors.add("quote_approval_policy", "ERR_INCLUSION", "must be public, followers or nobody");
            errors.refuseIfAny();
        }
        return policy;
    }

    private static Refusal notOffered(String sentence) {
        return new Refusal(Refusal.Reason.INVALID, sentence);
    }

    /** Nothing that anybody could see: white space of any script, and characters without a shape. */
    public static boolean blank(String text) {
        int i = 0;
        while (i < text.length() && invisible(text.codePointAt(i))) {
            i += Character.charCount(text.codePointAt(i));
        }
        return i == text.length();
    }

    private static boolean invisible(int c) {
        int type = Character.getType(c);
        return Character.isWhitespace(c)
                || Character.isSpaceChar(c)
                || type == Character.FORMAT
                || type == Character.CONTROL
                // Looks like nothing, though Unicode calls it a letter.
                || c == 0x3164;
    }
}
