package io.fanfare.common.view;

import io.fanfare.common.model.CustomEmojis;
import java.util.function.Supplier;

/**
 * The JSON of all entities of the Mastodon client API for one server: a class an entity, each of which writes fields
 * straight to bytes. Every documented field that is never null in Mastodon is there, even when Fanfare has nothing to
 * say in it: clients rely on it. Immutable but for the cache and the custom emojis.
 */
public final class Views {
    private final PublicUrls urls;
    private final EmojiJson emojis;
    private final AccountJson accounts;
    private final AttachmentJson attachments;
    private final PollJson polls;
    private final TagJson tags;
    private final StatusJson statuses;
    private final WarningJson warnings;
    private final NotificationJson notifications;
    private final ConversationJson conversations;

    /** @param publicUrl base of absolute URLs, without a trailing slash */
    public Views(String publicUrl) {
        this(publicUrl, RenderCache.none(), () -> CustomEmojis.NONE);
    }

    /**
     * Views of a server with custom emojis.
     *
     * @param cache keeps rendered fields; all views that share it have the same {@code publicUrl}
     * @param emojis the current custom emojis
     */
    public Views(String publicUrl, RenderCache cache, Supplier<CustomEmojis> emojis) {
        this.urls = new PublicUrls(publicUrl);
        this.emojis = new EmojiJson(urls, emojis);
        this.accounts = new AccountJson(urls, this.emojis, cache);
        this.attachments = new AttachmentJson(urls);
        this.polls = new PollJson(this.emojis);
        this.tags = new TagJson(urls);
        this.statuses = new StatusJson(urls, this.emojis, accounts, attachments, polls, tags, cache);
        this.warnings = new WarningJson(accounts);
        this.notifications = new NotificationJson(accounts, statuses, warnings);
        this.conversations = new ConversationJson(accounts, statuses);
    }

    public PublicUrls urls() {
        return urls;
    }

    public EmojiJson emojis() {
        return emojis;
    }

    public AccountJson accounts() {
        return accounts;
    }

    public AttachmentJson attachments() {
        return attachments;
    }

    public PollJson polls() {
        return polls;
    }

    public TagJson tags() {
        return tags;
    }

    public StatusJson statuses() {
        return statuses;
    }

    public WarningJson warnings() {
        return warnings;
    }

    public NotificationJson notifications() {
        return notifications;
    }

    public ConversationJson conversations() {
        return conversations;
    }
}
