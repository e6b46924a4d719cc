package io.fanfare.common.model;

/**
 * A post as it is stored; immutable but for its counters. When it was made is in its id.
 *
 * @param spoilerText content warning, empty when there is none
 * @param language ISO 639 code, null when not given
 * @param inReplyToId 0 when it is no reply
 * @param inReplyToAccountId the author of what it replies to, 0 when it is no reply
 * @param clientName name of the app that posted it, null when unknown
 */
public record Status(
        long id,
        long authorId,
        String text,
        Visibility visibility,
        String spoilerText,
        boolean sensitive,
        String language,
        long inReplyToId,
        long inReplyToAccountId,
        String clientName,
        long likes,
        long reposts,
        long comments) {}
