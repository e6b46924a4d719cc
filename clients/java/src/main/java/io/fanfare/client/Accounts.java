package io.fanfare.client;

import io.fanfare.client.http.Arguments;
import io.fanfare.client.model.Account;
import io.fanfare.client.model.CredentialAccount;
import io.fanfare.client.model.FamiliarFollowers;
import io.fanfare.client.model.Relationship;
import io.fanfare.client.model.Status;
import io.fanfare.client.model.Suggestion;
import io.fanfare.client.model.Tag;
import io.fanfare.client.model.Token;
import java.time.Duration;
import java.util.Collection;
import java.util.List;

/** Accounts, profiles, follows, blocks and mutes. */
public final class Accounts {
    private static final String ACCOUNTS = "/api/v1/accounts/";

    private final Api api;

    Accounts(Api api) {
        this.api = api;
    }

    /**
     * Signs up; the answer is the token of the new account. A repetition of the call after a lost answer gives the same
     * account.
     */
    public Token signUp(String username, String email, String password) {
        return signUp(username, email, password, null);
    }

    /**
     * Signs up with a key of the caller.
     *
     * @param idempotencyKeyOrNull a key that also covers a restart of the caller
     */
    public Token signUp(String username, String email, String password, String idempotencyKeyOrNull) {
        Fields fields = Fields.NONE
                .with("username", Arguments.text(username, "username", 1000))
                .with("email", Arguments.text(email, "email", 1000))
                .with("password", Arguments.text(password, "password", 10_000))
                .with("agreement", true);
        return api.keyed("/api/v1/accounts", fields, idempotencyKeyOrNull, Token.class);
    }

    /** The account of the token. */
    public CredentialAccount me() {
        return api.get("/api/v1/accounts/verify_credentials", CredentialAccount.class);
    }

    /** Changes the display name and the note of the account of the token. */
    public CredentialAccount update(String displayName, String note) {
        Fields fields = Fields.NONE.with("display_name", displayName).with("note", note);
        return api.patch("/api/v1/accounts/update_credentials", fields, CredentialAccount.class);
    }

    public Account get(String id) {
        return api.get(ACCOUNTS + Arguments.id(id), Account.class);
    }

    /** The accounts that exist of these; others are left out. */
    public List<Account> get(Collection<String> ids) {
        return api.list("/api/v1/accounts?" + Api.ids("id[]", ids), Account.class);
    }

    /** Finds an account by its user name. */
    public Account lookup(String acct) {
        return api.get(
                "/api/v1/accounts/lookup?" + Api.query("acct", Arguments.text(acct, "acct", 1000)), Account.class);
    }

    /** Accounts whose name begins with the words. */
    public List<Account> search(String words) {
        return api.list(
                "/api/v1/accounts/search?" + Api.query("q", Arguments.text(words, "the words", 1000)), Account.class);
    }

    /** The profile: the statuses of an account, newest first. */
    public Pages<Status> statuses(String id) {
        return api.pages(ACCOUNTS + Arguments.id(id) + "/statuses", Status.class);
    }

    /** The statuses on top of the profile. */
    public List<Status> pinned(String id) {
        return api.list(ACCOUNTS + Arguments.id(id) + "/statuses?pinned=true", Status.class);
    }

    public Pages<Status> comments(String id) {
        return api.pages(ACCOUNTS + Arguments.id(id) + "/comments", Status.class);
    }

    public Pages<Account> followers(String id) {
        return api.pages(ACCOUNTS + Arguments.id(id) + "/followers", Account.class);
    }

    public Pages<Account> following(String id) {
        return api.pages(ACCOUNTS + Arguments.id(id) + "/following", Account.class);
    }

    public List<Relationship> relationships(Collection<String> ids) {
        return api.list("/api/v1/accounts/relationships?" + Api.ids("id[]", ids), Relationship.class);
    }

    public List<FamiliarFollowers> familiarFollowers(Collection<String> ids) {
        return api.list("/api/v1/accounts/familiar_followers?" + Api.ids("id[]", ids), FamiliarFollowers.class);
    }

    public Relationship follow(String id) {
        return relation(id, "/follow", Fields.NONE);
    }

    /**
     * Follows with choices, also for an account that is followed already.
     *
     * @param reblogs whether the home shows its reposts
     * @param notify whether each of its posts is a notification
     */
    public Relationship follow(String id, boolean reblogs, boolean notify) {
        return relation(id, "/follow", Fields.NONE.with("reblogs", reblogs).with("notify", notify));
    }

    public Relationship unfollow(String id) {
        return relation(id, "/unfollow", Fields.NONE);
    }

    public Relationship removeFromFollowers(String id) {
        return relation(id, "/remove_from_followers", Fields.NONE);
    }

    public Relationship block(String id) {
        return relation(id, "/block", Fields.NONE);
    }

    public Relationship unblock(String id) {
        return relation(id, "/unblock", Fields.NONE);
    }

    /**
     * Mutes an account.
     *
     * @param lasts zero = until {@link #unmute}
     */
    public Relationship mute(String id, Duration lasts) {
        Arguments.check(lasts != null && !lasts.isNegative(), "a mute lasts a positive time, or zero for no end");
        return relation(id, "/mute", Fields.NONE.with("duration", lasts.toSeconds()));
    }

    public Relationship unmute(String id) {
        return relation(id, "/unmute", Fields.NONE);
    }

    /** A private note; an empty one removes it. */
    public Relationship note(String id, String comment) {
        return relation(id, "/note", Fields.NONE.with("comment", comment));
    }

    public Relationship endorse(String id) {
        return relation(id, "/endorse", Fields.NONE);
    }

    public Relationship unendorse(String id) {
        return relation(id, "/unendorse", Fields.NONE);
    }

    public Pages<Account> endorsements() {
        return api.pages("/api/v1/endorsements", Account.class);
    }

    public Pages<Account> blocks() {
        return api.pages("/api/v1/blocks", Account.class);
    }

    public Pages<Account> mutes() {
        return api.pages("/api/v1/mutes", Account.class);
    }

    /** Accounts that want to follow the locked account of the token. */
    public Pages<Account> followRequests() {
        return api.pages("/api/v1/follow_requests", Account.class);
    }

    public Relationship acceptFollowRequest(String accountId) {
        return api.repeat("/api/v1/follow_requests/" + Arguments.id(accountId) + "/authorize", Relationship.class);
    }

    public Relationship rejectFollowRequest(String accountId) {
        return api.repeat("/api/v1/follow_requests/" + Arguments.id(accountId) + "/reject", Relationship.class);
    }

    public Tag followTag(String name) {
        return api.repeat("/api/v1/tags/" + tag(name) + "/follow", Tag.class);
    }

    public Tag unfollowTag(String name) {
        return api.repeat("/api/v1/tags/" + tag(name) + "/unfollow", Tag.class);
    }

    public Pages<Tag> followedTags() {
        return api.pages("/api/v1/followed_tags", Tag.class);
    }

    public List<Suggestion> suggestions() {
        return api.list("/api/v2/suggestions", Suggestion.class);
    }

    private Relationship relation(String id, String action, Fields fields) {
        return api.repeat(ACCOUNTS + Arguments.id(id) + action, fields, Relationship.class);
    }

    static String tag(String name) {
        String text = Arguments.text(name, "the hashtag", 200);
        Arguments.check(!text.contains("/") && !text.startsWith("."), "a hashtag has letters, digits and underscores");
        return Arguments.encoded(text.startsWith("#") ? text.substring(1) : text)
                .replace("+", "%20");
    }
}
