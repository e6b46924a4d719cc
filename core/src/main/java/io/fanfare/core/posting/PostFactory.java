package io.fanfare.core.posting;

import io.fanfare.common.model.Application;
import io.fanfare.common.model.Content;
import io.fanfare.common.model.Poll;
import io.fanfare.common.model.Post;
import io.fanfare.common.model.PostOptions;
import io.fanfare.common.model.Reference;
import io.fanfare.common.model.Refusal;
import io.fanfare.common.model.Status;
import io.fanfare.common.model.Visibility;
import java.util.List;
import java.util.Set;

/** Makes the post of a request whose options are complete and whose references are read. */
final class PostFactory {
    private PostFactory() {}

    /**
     * The post of a request. A direct message has no recipients yet, see {@link Post#to}.
     *
     * @param options complete, see {@link PostOptions#completed}
     * @param content of the request's words
     */
    static Post post(NewPost request, PostOptions options, Content content, References references, long nowMillis) {
        if (request.form() instanceof NewPost.Comment) {
            return comment(request, options, content, references);
        }
        if (request.form() instanceof NewPost.AsArticle article) {
            Content titled = content.with(article.article());
            PostOptions open = options.inPublic();
            return Post.of(request.author(), open.visibility(), titled, null, null, request.application())
                    .quotedBy(open.quotePolicy());
        }
        return plain(request, (NewPost.Plain) request.form(), options, content, references, nowMillis);
    }

    private static Post plain(
            NewPost request,
            NewPost.Plain form,
            PostOptions options,
            Content words,
            References references,
            long nowMillis) {
        requireAllowed(request.author(), form.allowedMentions(), words);
        Content content = whole(words, references, form.poll(), nowMillis);
        Status repliedTo = references.repliedTo();
        if (visibility(request, options, repliedTo) == Visibility.DIRECT) {
            return direct(request.author(), content, references, request.application());
        }
        // Nobody makes a direct message known to more people than may see it.
        Status named = isDirect(repliedTo) ? null : repliedTo;
        return Post.of(
                        request.author(),
                        options.visibility(),
                        content,
                        named,
                        references.quoted(),
                        request.application())
                .quotedBy(options.quotePolicy());
    }

    /** Direct for a reply to a direct message, unless the client chose another visibility. */
    static Visibility visibility(NewPost request, PostOptions options, Status repliedTo) {
        Visibility chosen = request.words().options().visibility();
        return chosen == null && isDirect(repliedTo) ? Visibility.DIRECT : options.visibility();
    }

    private static boolean isDirect(Status status) {
        return status != null && status.visibility() == Visibility.DIRECT;
    }

    private static void requireAllowed(long author, Set<Long> allowedOrNull, Content content) {
        if (allowedOrNull == null) {
            return;
        }
        List<Content.Mention> others = content.mentions().stream()
                .filter(mention -> mention.accountId() != author && !allowedOrNull.contains(mention.accountId()))
                .toList();
        if (!others.isEmpty()) {
            throw new UnexpectedMentions(others);
        }
    }

    /** The content with its poll or its pictures; people can vote for as long as the poll says, from now on. */
    private static Content whole(Content words, References references, Poll poll, long nowMillis) {
        if (poll != null) {
            return words.with(
                    new Poll(poll.options(), nowMillis + poll.endsMillis(), poll.multiple(), poll.hidesTotals()));
        }
        return references.attachments().isEmpty() ? words : words.with(references.attachments());
    }

    private static Post direct(long author, Content content, References references, Application application) {
        if (references.quoted() != null) {
            throw notOffered("A direct message cannot quote a post: write the post's address into its text.");
        }
        Status repliedTo = references.repliedTo();
        Reference above = repliedTo == null ? null : Reference.to(repliedTo);
        Reference root = isDirect(repliedTo) ? above : null;
        Post message = new Post(author, Visibility.DIRECT, Post.Kind.DIRECT, content, above, root, null, null)
                .postedWith(application);
        return repliedTo == null ? message : message.in(repliedTo.conversationId());
    }

    /** A comment has the visibility of the status that it answers, whatever the client chose. */
    private static Post comment(NewPost request, PostOptions options, Content content, References references) {
        Status subject = references.subject();
        Status parent = references.repliedTo();
        if (parent.visibility() == Visibility.DIRECT || subject.visibility() == Visibility.DIRECT) {
            throw notOffered("A direct message has no comments: answer it with a status of the visibility direct.");
        }
        return new Post(
                        request.author(),
                        parent.visibility(),
                        Post.Kind.COMMENT,
                        content,
                        Reference.to(parent),
                        root(subject, parent),
                        null,
                        null)
                .postedWith(request.application())
                .in(parent.conversationId())
                .quotedBy(options.quotePolicy());
    }

    /**
     * The second status that lists a comment: a comment on a comment stands under the same status as that comment. A
     * comment on a reply for followers has the audience of the reply's author, not of the subject's, so the subject
     * does not list it.
     */
    private static Reference root(Status subject, Status parent) {
        Post above = parent.post();
        if (parent.kind() == Post.Kind.COMMENT) {
            return above.root() != null ? above.root() : above.replyTo();
        }
        boolean apart = parent.id() == subject.id() || parent.visibility() == Visibility.PRIVATE;
        return apart ? null : Reference.to(subject);
    }

    static Post repost(NewPost.Repost request, Visibility visibility, Status original) {
        return new Post(
                        request.author(),
                        visibility,
                        Post.Kind.REPOST,
                        Content.NONE,
                        null,
                        null,
                        Reference.to(original),
                        null)
                .postedWith(request.application())
                .noWiderThan(original.visibility());
    }

    private static Refusal notOffered(String sentence) {
        return new Refusal(Refusal.Reason.INVALID, sentence);
    }
}
