package io.fanfare.common.keyspace;

import io.fanfare.common.id.Id;
import java.nio.charset.StandardCharsets;
import java.util.HexFormat;

/**
 * Every key, spelled here and nowhere else, as {@link Key} declares it; docs/redis.md is the same list for operators.
 * {@code {s}} is the shard's hash tag: every key of a user, of the user's statuses and of the shard's queue lives in
 * one slot. Words are those of <em>Redis in Action</em>, chapter 8. Text from users enters a key only hex-encoded.
 */
public final class Keys {
    /**
     * HASH: shards; format and format-by, the layout of the data and the version that made it; signing-key where
     * {@code auth.signing-key} is {@code stored}. These are written once per data set. Also backup, the moment of the
     * last one in Unix seconds; sign-ups, the choice of an operator: a mode of {@code auth.registrations}, and its ms;
     * read-only, members-only and no-uploads, the ms since when that switch of the site is on; and moving, moved,
     * arriving and arrived, the marks of a move to another Redis.
     */
    public static final String META = Key.META.form();

    /**
     * HASH field to value: the rules, texts and announcements of operators; {@code -} to a number that changes raise.
     */
    public static final String SITE = Key.SITE.form();

    /** LIST of shard numbers that got work, newest at the head, at most 1024; losing it is harmless. */
    public static final String WAKE = Key.WAKE.form();

    /** STRING: how many mails were sent since a minute began; the key ends with that minute. */
    public static final String MAIL_MINUTE = Key.MAIL_MINUTE.form();

    /** STRING: number of the newest event. */
    public static final String BUS_SEQ = Key.BUS_SEQ.form();

    /** STRING: 8 hex characters; new whenever the counter could have been lost. */
    public static final String BUS_EPOCH = Key.BUS_EPOCH.form();

    /** STRING: seq from which on the log is whole; what it lacks above was taken out because it was deleted. */
    public static final String BUS_FLOOR = Key.BUS_FLOOR.form();

    /**
     * STREAM of batches of events, entry id {@code seq-0} of the last; about {@code stream.log-events} or
     * {@code stream.log-bytes} long.
     */
    public static final String BUS_LOG = Key.BUS_LOG.form();

    /** HASH seq of a batch's last event to its lines. */
    public static final String BUS_BATCHES = Key.BUS_BATCHES.form();

    /**
     * STRING: ms from which on {@link #busSubjects} and {@link #busNotified} are whole; absent = none of them was cut
     * to {@code stream.log-subjects}.
     */
    public static final String BUS_SUBJECTS_FROM = Key.BUS_SUBJECTS_FROM.form();

    /** STRING: node id of the server of a cluster that was noted last as the master of the event log. */
    public static final String BUS_MASTER = Key.BUS_MASTER.form();

    /** STRING: the worker that repairs after a failover; ends soon after it does. */
    public static final String BUS_REPAIR = Key.BUS_REPAIR.form();

    /** ZSET status id by itself: the newest 1000 public posts that are no reposts and no replies to others. */
    public static final String PUBLIC = Key.PUBLIC.form();

    /** ZSET {@code <name> <account id>}, all of score 0, so in the order of the names: every user name. */
    public static final String NAMES = Key.NAMES.form();

    /** ZSET account id by the ms at which it was suspended: whose uses of hashtags do not count. */
    public static final String TREND_SUSPENDED = Key.TREND_SUSPENDED.form();

    /** ZSET account id by its newest post or repost: who has posted last. */
    public static final String ACTIVE_ACCOUNTS = Key.ACTIVE_ACCOUNTS.form();

    /** ZSET account id by itself: who has signed up last. */
    public static final String NEW_ACCOUNTS = Key.NEW_ACCOUNTS.form();

    /** ZSET status id by score, seconds of publication + 432 for each vote: articles. */
    public static final String ARTICLES_BY_SCORE = Key.ARTICLES_BY_SCORE.form();

    /** ZSET status id by itself: articles. */
    public static final String ARTICLES_BY_TIME = Key.ARTICLES_BY_TIME.form();

    /** ZSET status id by itself: articles with many votes. */
    public static final String BEST_ARTICLES = Key.BEST_ARTICLES.form();

    /** ZSET group of articles by their number. */
    public static final String ARTICLE_GROUPS = Key.ARTICLE_GROUPS.form();

    /** HASH account id by the group of articles that it created. */
    public static final String ARTICLE_GROUP_OWNERS = Key.ARTICLE_GROUP_OWNERS.form();

    /** ZSET report without its id, by its id: resolved ones. */
    public static final String RESOLVED_REPORTS = Key.RESOLVED_REPORTS.form();

    /** HASH id of a report to how it is handled; see {@code report_change.lua}. */
    public static final String REPORT_STATES = Key.REPORT_STATES.form();

    /** HASH account id to its role, {@code Role.label}; an account that is not there is an ordinary user. */
    public static final String MODERATION_ROLES = Key.MODERATION_ROLES.form();

    /** STREAM of the newest acts of moderators and operators, entry id by the clock of the server. */
    public static final String MODERATION_LOG = Key.MODERATION_LOG.form();

    /** HASH code to an invitation: inviter, when it was made and ends, uses and a comment. */
    public static final String INVITATION_CODES = Key.INVITATION_CODES.form();

    /** ZSET code of an invitation by the id of its inviter; 0 = an operator. */
    public static final String INVITATIONS_OWN = Key.INVITATIONS_OWN.form();

    /** ZSET code of an invitation by the ms at which it ends or was used up. */
    public static final String INVITATION_ENDS = Key.INVITATION_ENDS.form();

    /** ZSET account id by itself: accounts that wait for the approval of their sign-up. */
    public static final String APPLICANTS = Key.APPLICANTS.form();

    /** ZSET account id by itself: suspended accounts, for lists of them. */
    public static final String SUSPENDED_ACCOUNTS = Key.SUSPENDED_ACCOUNTS.form();

    /** ZSET account id by itself: limited accounts, for lists of them and for what notifications set aside. */
    public static final String LIMITED_ACCOUNTS = Key.LIMITED_ACCOUNTS.form();

    /** ZSET account id by itself: accounts that are marked as sensitive, for lists of them. */
    public static final String SENSITIZED_ACCOUNTS = Key.SENSITIZED_ACCOUNTS.form();

    /** ZSET {@code <account> <warning>} by the id of the warning: appeals that wait for a decision. */
    public static final String APPEALS = Key.APPEALS.form();

    /** ZSET {@code <account> <id>} by the id: posts that wait for a moderator. */
    public static final String HELD_LIST = Key.HELD_LIST.form();

    /** HASH id of a block of the site to the block, see {@code SiteBlock}; {@code version} to the number of changes. */
    public static final String SITE_BLOCKS = Key.SITE_BLOCKS.form();

    /** HASH {@code <day> <id of a block>} to the sign-ups that the block refused on the day. */
    public static final String SITE_BLOCK_USES = Key.SITE_BLOCK_USES.form();

    /** ZSET number of a selection of accounts by the ms at which it ends. */
    public static final String SELECTIONS = Key.SELECTIONS.form();

    /** STRING number of the newest selection. */
    public static final String LAST_SELECTION = Key.LAST_SELECTION.form();

    /** Pub/sub channel (not a key) of the events. */
    public static final String BUS_CHANNEL = Key.BUS_CHANNEL.form();

    /** Pub/sub channel (not a key) of counted votes, which are no events of the log. */
    public static final String VOTES_CHANNEL = Key.VOTES_CHANNEL.form();

    private Keys() {}

    /** Pub/sub channel (not a key) on which one relay hears its own beats. */
    public static String busBeat(String relay) {
        return Key.BUS_BEAT.stem() + relay;
    }

    /**
     * HASH subject to the seq of its event, negative once that is undone, for subjects made in one hour; expires after
     * the time that a job can live.
     */
    public static String busSubjects(long epochHour) {
        return Key.BUS_SUBJECTS.stem() + epochHour;
    }

    /** The same for notifications, which are remembered for a shorter time. */
    public static String busNotified(long epochHour) {
        return Key.BUS_NOTIFIED.stem() + epochHour;
    }

    /** HASH account fields and counters. */
    public static String user(long u) {
        return Key.USER.of(u);
    }

    /** ZSET account id by edge id: whom u follows. */
    public static String following(long u) {
        return Key.FOLLOWING.of(u);
    }

    /** ZSET account id by edge id: those of {@link #following} whose reposts u does not want in the home. */
    public static String noReposts(long u) {
        return Key.NOREPOSTS.of(u);
    }

    /**
     * HASH account id to {@code <edge id> <code> <code>...}: of which of those of {@link #following} u wants posts in
     * these languages only.
     */
    public static String languages(long u) {
        return Key.LANGUAGES.of(u);
    }

    /** ZSET account id by edge id: of which of those of {@link #following} u wants to be told of each post. */
    public static String bells(long u) {
        return Key.BELLS.of(u);
    }

    /** ZSET account id by edge id: which of those of {@link #following} u recommends on its profile. */
    public static String endorsed(long u) {
        return Key.ENDORSED.of(u);
    }

    /** ZSET account id by edge id: whom u asks to be let follow. Nobody is both here and in {@link #following}. */
    public static String requesting(long u) {
        return Key.REQUESTING.of(u);
    }

    /** ZSET account id by edge id: who asks to follow u, by the edges of their {@link #requesting}, which decide. */
    public static String requests(long u) {
        return Key.REQUESTS.of(u);
    }

    /**
     * HASH account id to {@code <reposts>,<notify>[,<languages>]}: the terms of {@link #requesting}, where they are not
     * ordinary.
     */
    public static String requestTerms(long u) {
        return Key.REQUEST_TERMS.of(u);
    }

    /**
     * ZSET account id by the id of the change with which it asked: who may have u among its {@link #bells}, which
     * decide.
     */
    public static String listeners(long u) {
        return Key.LISTENERS.of(u);
    }

    /** ZSET account id by edge id: who follows u. */
    public static String followers(long u) {
        return Key.FOLLOWERS.of(u);
    }

    /**
     * ZSET account id by edge id: whose follow of u has ended lately, so that a late link does not bring it back. Goes
     * a day after the last end.
     */
    public static String unlinked(long u) {
        return Key.UNLINKED.of(u);
    }

    /** HASH of one status; a deleted one is a tombstone for {@code feeds.tombstone-days}. */
    public static String status(long p) {
        return Key.STATUS.of(p);
    }

    /** The key of {@link #status} up to the id, for a script that allocates the id. */
    public static String statusPrefix(long author) {
        return Key.STATUS.stem() + Id.shard(author) + "}:";
    }

    /** ZSET status id by itself: the author's posts. */
    public static String profile(long u) {
        return Key.PROFILE.of(u);
    }

    /**
     * ZSET status id by itself: the author's newest {@code feeds.outbox-max} home-visible posts, for readers who pull.
     */
    public static String outbox(long u) {
        return Key.OUTBOX.of(u);
    }

    /**
     * LIST: the reader's home timeline; first element is its state, see {@code Homes}. Exists while the reader is
     * active.
     */
    public static String home(long u) {
        return Key.HOME.of(u);
    }

    /**
     * HASH account id to what it has chosen in the poll of p, numbers with commas between; {@code v<number>} to the
     * votes of an option, {@code voters} to their number, {@code n<number>} to the account of a voter.
     */
    public static String pollVotes(long p) {
        return Key.POLL_VOTES.of(p);
    }

    /** ZSET id by the ms at which it is to be published: what u has scheduled. */
    public static String scheduled(long u) {
        return Key.SCHEDULED.of(u);
    }

    /** HASH id to what is to be published, as JSON: those of {@link #scheduled}. */
    public static String scheduledWords(long u) {
        return Key.SCHEDULED_WORDS.of(u);
    }

    /** ZSET id by itself: posts of u that wait for a moderator. */
    public static String held(long u) {
        return Key.HELD.of(u);
    }

    /**
     * HASH id to what is to be published, those of {@link #held}; {@code =<digest>} to the id of that request;
     * {@code -<id>} to the message to its author about one that waits no more.
     */
    public static String heldWords(long u) {
        return Key.HELD_WORDS.of(u);
    }

    /** ZSET account by the ms at which it last posted a text or a link, by a keyed digest of it. */
    public static String sameText(String digest) {
        return Key.SAME_TEXT.stem() + digest;
    }

    /** ZSET job by the ms at which it is to be started: those that nobody waits for until then. */
    public static String timers(int shard) {
        return Key.TIMERS.of(shard);
    }

    /** ZSET status id by edge id: what u likes. */
    public static String favourites(long u) {
        return Key.FAVOURITES.of(u);
    }

    /** ZSET status id by edge id: what u keeps for later; nobody else sees it. */
    public static String bookmarks(long u) {
        return Key.BOOKMARKS.of(u);
    }

    /** ZSET status id by edge id: which of its own statuses u shows above all others. */
    public static String pins(long u) {
        return Key.PINS.of(u);
    }

    /** ZSET folded tag by an id of its own: which hashtags u shows on its profile. */
    public static String featuredTags(long u) {
        return Key.FEATURED_TAGS.of(u);
    }

    /** ZSET folded tag by the id of its follow: the hashtags whose public statuses stand in u's home. */
    public static String followedTags(long u) {
        return Key.FOLLOWED_TAGS.of(u);
    }

    /** ZSET account id by the ms at which u has dismissed it as a suggestion. */
    public static String dismissedSuggestions(long u) {
        return Key.DISMISSED_SUGGESTIONS.of(u);
    }

    /** ZSET conversation id by its newest status: u's direct messages. */
    public static String conversations(long u) {
        return Key.CONVERSATIONS.of(u);
    }

    /**
     * HASH conversation id to what it is, and digest of who takes part to conversation id: see lib/conversation.lua.
     */
    public static String conversationLines(long u) {
        return Key.CONVERSATION_LINES.of(u);
    }

    /** ZSET status id by edge id: with which statuses conversations begin of which u wants to hear no more. */
    public static String mutedConversations(long u) {
        return Key.MUTED_CONVERSATIONS.of(u);
    }

    /**
     * HASH of the filters of u: {@code version} to the id of the last change, and by the id of each {@code f <action>
     * <contexts> <expires> <title>}, {@code k <filter> <whole word> <keyword>} and {@code s <filter> <status>}; expires
     * in Unix ms, 0 = never. Not there without filters.
     */
    public static String filters(long u) {
        return Key.FILTERS.of(u);
    }

    /**
     * HASH token id to the push subscription of u's client with that access token: {@code <id> <failing> <alerts>
     * <policy> <standard> <sent> <p256dh> <auth> <endpoint> <sealed token>}, failing in Unix ms, 0 = it works; and
     * {@code last} to the last id. One whose token is not in {@link #tokens} is none.
     */
    public static String push(long u) {
        return Key.PUSH.of(u);
    }

    /**
     * HASH digest of the token of a mailed link to {@code <kind> <made> <ends> <bound>}: its times in Unix ms, and the
     * revision of the password, or the time of the address, for which it is good. At most 3 of a kind.
     */
    public static String mailLinks(long u) {
        return Key.MAIL_LINKS.of(u);
    }

    /**
     * STRING {@code <wanted or former> <Unix ms> <revision of the password> <address>}: the e-mail address that u wants
     * until its link is used, or the one before the last change until it cannot be restored any more.
     */
    public static String addressChange(long u) {
        return Key.ADDRESS_CHANGE.of(u);
    }

    /**
     * HASH keyed digest of a place from which somebody has logged in to u to {@code <first> <last> <sealed
     * description>}: the times in Unix ms; {@code -} for no description.
     */
    public static String signIns(long u) {
        return Key.SIGN_INS.of(u);
    }

    /** HASH account id to what u has noted about that account; nobody else sees it. */
    public static String notes(long u) {
        return Key.NOTES.of(u);
    }

    /**
     * HASH number to what a moderator has noted about u: {@code <Unix ms> <author> <operator> <text>}; {@code last} is
     * the newest number. Only moderators whose role reaches u see it.
     */
    public static String moderatorNotes(long u) {
        return Key.MODERATOR_NOTES.of(u);
    }

    /** HASH timeline to how far u has read it. */
    public static String markers(long u) {
        return Key.MARKERS.of(u);
    }

    /** ZSET announcement by its id: those that u does not want to see again. */
    public static String dismissedAnnouncements(long u) {
        return Key.DISMISSED_ANNOUNCEMENTS.of(u);
    }

    /** HASH list id to {@code <replies> <exclusive> <title>}: the lists of accounts that u has put together. */
    public static String lists(long u) {
        return Key.LISTS.of(u);
    }

    /**
     * ZSET {@code <list> <account>}, 16 digits each and all of score 0, so in the order of the numbers: which accounts
     * are on {@link #lists} of u.
     */
    public static String listed(long u) {
        return Key.LISTED.of(u);
    }

    /** ZSET account id by the ms at which u accepted its notifications, whatever u's policy says. */
    public static String acceptedSenders(long u) {
        return Key.ACCEPTED_SENDERS.of(u);
    }

    /** HASH of what moderators have done to u and let it know, and of its appeals; see {@code Warnings}. */
    public static String warnings(long u) {
        return Key.WARNINGS.of(u);
    }

    /** HASH source of notifications to {@code accept}, {@code filter} or {@code drop}, as u has chosen. */
    public static String notificationPolicy(long u) {
        return Key.NOTIFICATION_POLICY.of(u);
    }

    /** ZSET original's status id by the repost's: what u has reposted without comment. */
    public static String reblogged(long u) {
        return Key.REBLOGGED.of(u);
    }

    /** HASH media id to {@code Attachment.line}: pictures that u has uploaded and not posted yet, for a day. */
    public static String uploads(long u) {
        return Key.UPLOADS.of(u);
    }

    /**
     * HASH media id to the bytes of its files, {@code all} to their sum: pictures, videos and sounds that u has, posted
     * or not. Those of a version that noted no lengths are missing.
     */
    public static String mediaBytes(long u) {
        return Key.MEDIA_BYTES.of(u);
    }

    /**
     * ZSET {@code <name>}, or {@code <name> <account> <media id>} of an upload, by the ms from which on the files of a
     * picture are to be deleted; what has been posted is not in here.
     */
    public static String mediaDue(int shard) {
        return Key.MEDIA_DUE.of(shard);
    }

    /**
     * HASH shortcode to {@code <name of the file> <category>}, {@code -} to a number that each change raises: the
     * custom emojis, all of them in the first shard.
     */
    public static String emojis(int shard) {
        return Key.EMOJIS.of(shard);
    }

    /** ZSET account id by edge id: who likes p. */
    public static String likes(long p) {
        return Key.LIKES.of(p);
    }

    /** ZSET account id by the repost's status id: who has reposted p without comment. */
    public static String reposts(long p) {
        return Key.REPOSTS.of(p);
    }

    /** ZSET status id by itself: reposts of p with comment. */
    public static String quotes(long p) {
        return Key.QUOTES.of(p);
    }

    /** ZSET status id by itself: comments on p and replies to it. */
    public static String comments(long p) {
        return Key.COMMENTS.of(p);
    }

    /** ZSET what p was before edits, as JSON, by the id of the edit that had made it so; 0 = as posted. */
    public static String edits(long p) {
        return Key.EDITS.of(p);
    }

    /**
     * ZSET status id by itself: u's living comments, on whatever status, also on those that are gone; by the negative
     * of itself: u's direct messages, which no page reads from here. With {@link #profile} all that u has written.
     */
    public static String commentsBy(long u) {
        return Key.COMMENTS_BY.of(u);
    }

    /**
     * ZSET member by edge: what has lately ended of one of the sets above, as {@link #unlinked}; {@code family} is the
     * set's.
     */
    public static String ended(String family, long subject) {
        return Key.ofFamily("ended-" + family).of(subject);
    }

    /** ZSET account id by edge id: whom u blocks. */
    public static String blocks(long u) {
        return Key.BLOCKS.of(u);
    }

    /** ZSET account id by edge id: who blocks u. */
    public static String blockedBy(long u) {
        return Key.BLOCKED_BY.of(u);
    }

    /** ZSET account id by edge id: whom u mutes. */
    public static String mutes(long u) {
        return Key.MUTES.of(u);
    }

    /** ZSET account id by ms: when those in {@link #mutes} end that are not for good. */
    public static String muteEnds(long u) {
        return Key.MUTE_ENDS.of(u);
    }

    /** ZSET account id by edge id: which of those in {@link #mutes} u wants to be notified of all the same. */
    public static String notifyingMutes(long u) {
        return Key.NOTIFYING_MUTES.of(u);
    }

    /** ZSET {@code <type> <actor> <status>} by notification id, of a warning with its id: the newest of u. */
    public static String notifications(long u) {
        return Key.NOTIFICATIONS.of(u);
    }

    /**
     * STRING: how many homes of a shard were ever built or rebuilt; what a replay proves did not happen behind its
     * back.
     */
    public static String homesBuilt(int shard) {
        return Key.HOMES_BUILT.of(shard);
    }

    /**
     * STRING: generation of the homes of a shard; it goes up when a failover may have lost what was pushed onto them.
     */
    public static String homeGeneration(int shard) {
        return Key.HOME_GENERATION.of(shard);
    }

    /** STRING: the {@link #homeGeneration} that a shard had when the last repair after a failover began. */
    public static String repairedGeneration(int shard) {
        return Key.REPAIRED_GENERATION.of(shard);
    }

    /**
     * ZSET account id by status id: the authors of a shard whom readers pull (docs/feeds.md, section 4), each by an id
     * that none of the posts left to readers is above.
     */
    public static String pulledAuthors(int shard) {
        return Key.PULLED_AUTHORS.of(shard);
    }

    /** STRING: node id of the server of a cluster that was noted last as the master of a shard. */
    public static String master(int shard) {
        return Key.MASTER.of(shard);
    }

    /**
     * HASH of the authors of a shard whose statuses have moved into the archive: the border of each, and more; see
     * {@code lib/archived.lua}.
     */
    public static String archived(int shard) {
        return Key.ARCHIVED.of(shard);
    }

    /** ZSET account id by ms: authors of a shard of whom a worker has something to move, by when. */
    public static String archiveDue(int shard) {
        return Key.ARCHIVE_DUE.of(shard);
    }

    /** ZSET status id by its author: deleted ones of a shard whose rows the archive has to delete. */
    public static String archiveGone(int shard) {
        return Key.ARCHIVE_GONE.of(shard);
    }

    /** ZSET status id by ms: archived ones of u that are in Redis again, by when they move again. */
    public static String thawed(long u) {
        return Key.THAWED.of(u);
    }

    /** HASH of what a shard's accounts have together: statuses. */
    public static String counts(int shard) {
        return Key.COUNTS.of(shard);
    }

    /** STRING: last id given out in a shard, to an account, a status or an edge. */
    public static String ids(int shard) {
        return Key.IDS.of(shard);
    }

    /** STRING: last id given to a notification of an account in a shard. It may equal an id of {@link #ids}. */
    public static String notificationIds(int shard) {
        return Key.NOTIFICATION_IDS.of(shard);
    }

    /**
     * ZSET status id by itself: the newest public posts with a tag, which users type: {@code digest} is hex of its
     * SHA-256, cut. Goes {@code feeds.tag-days} after the last.
     */
    public static String tag(String digest) {
        return Key.TAG.stem() + digest;
    }

    /**
     * HASH of the public statuses of one day that have a tag, {@code digest} as in {@link #tag}: {@code s<status>} to
     * author, {@code a<author>} to how many of them, {@code uses} and {@code accounts}. Days since the Unix epoch.
     */
    public static String tagDay(String digest, long epochDay) {
        return Key.TAG_DAY.stem() + digest + "}:" + epochDay;
    }

    /** ZSET folded tag by how many accounts have used it on that day, two at least: candidates for trends. */
    public static String trendingTags(long epochDay) {
        return Key.TRENDING_TAGS.stem() + epochDay;
    }

    /** ZSET folded tag, all of the score 0: the names of hashtags that were used lately. */
    public static final String TAG_NAMES = Key.TAG_NAMES.form();

    /** ZSET folded tag of {@link #TAG_NAMES} by how much it is used. */
    public static final String TAG_SCORES = Key.TAG_SCORES.form();

    /** ZSET folded tag of {@link #TAG_NAMES} by the day, since the Unix epoch, of its newest use. */
    public static final String TAG_DAYS = Key.TAG_DAYS.form();

    /** STRING {@code <status id> <hash of what was asked>} for an hour. */
    public static String idempotency(long u, String keyHash) {
        return Key.IDEMPOTENCY.of(u) + keyHash;
    }

    /** HASH the second factor of u: its secret, sealed, its last time step, wrong codes, recovery codes as digests. */
    public static String factor(long u) {
        return Key.FACTOR.of(u);
    }

    /** HASH token id (jti) to what the token list shows of it. */
    public static String tokens(long u) {
        return Key.TOKENS.of(u);
    }

    /**
     * HASH {@code <minute of the hour> <process>} to what that process did in it, whole numbers with spaces between; an
     * hour since the Unix epoch. Goes 73 h after its newest change.
     */
    public static String minutes(long epochHour) {
        return Key.MINUTES.stem() + epochHour;
    }

    /** HASH of a selection of accounts and of the act on it; see {@code Selections}. */
    public static String selection(long number) {
        return Key.SELECTION.stem() + number;
    }

    /** LIST account ids of a selection, the earliest sign-up first. */
    public static String selectedAccounts(long number) {
        return Key.SELECTED_ACCOUNTS.stem() + number;
    }

    /** STRING user id: who has claimed a user name. In a slot of its own. */
    public static String login(String username) {
        return Key.LOGIN.stem() + username;
    }

    /**
     * STRING user id: who has claimed an e-mail address; hex of its lower-case form, since addresses may hold braces.
     */
    public static String email(String lowerCaseAddress) {
        return Key.EMAIL.stem() + HexFormat.of().formatHex(lowerCaseAddress.getBytes(StandardCharsets.UTF_8));
    }

    /** ZSET report as JSON by its id: what users have reported to the operator, until it is closed. */
    public static final String REPORTS = Key.REPORTS.form();

    /** HASH account id to how many of its reports are kept. */
    public static final String REPORTERS = Key.REPORTERS.form();

    /** ZSET id of a report, padded to 16 digits, by its account: finds the oldest of an account. */
    public static final String REPORTS_OWN = Key.REPORTS_OWN.form();

    /** ZSET account id by how many of its reports are kept: finds an account with most. */
    public static final String REPORT_COUNTS = Key.REPORT_COUNTS.form();

    /** STRING last id of a report. */
    public static final String LAST_REPORT = Key.LAST_REPORT.form();

    /** ZSET account id by the ms of its sign-up: those of {@link #SIGN_UP_NETWORKS}. */

    /** ZSET random part of a solved challenge by the ms of its end: challenges that sign-ups have used. */
    public static final String CHALLENGES = Key.CHALLENGES.form();

    public static final String SIGN_UP_TIMES = Key.SIGN_UP_TIMES.form();

    /** HASH account id to digests of the networks that it has signed up from, with spaces between. */
    public static final String SIGN_UP_NETWORKS = Key.SIGN_UP_NETWORKS.form();

    /** ZSET client id by ms: apps that nobody has logged in with yet, by the time at which they last did something. */
    public static final String UNCLAIMED_APPS = Key.APPS_UNCLAIMED.form();

    /** HASH of one registered client application; has an end as long as nobody has logged in with it. */
    public static String app(String clientId) {
        return Key.APP.stem() + clientId;
    }

    /** HASH token id (jti) to what is kept of a token that belongs to an app itself; bounded like {@link #tokens}. */
    public static String appTokens(String clientId) {
        return Key.APP_TOKENS.stem() + clientId;
    }

    /**
     * HASH: how many requests of a limit somebody has made in this window. Goes with its window. All of one
     * {@code group} (a user, or a network of addresses) lie in one slot, so that one call counts a request against
     * several.
     */
    public static String limit(String group, String name, String who) {
        return Key.LIMIT.stem() + group + "}:" + name + ":" + who;
    }

    /**
     * HASH: who has tried to log in lately to an account, or under a name that nobody has, by its digest: everybody
     * together.
     */
    public static String logins(String loginDigest) {
        return Key.LOGINS.stem() + loginDigest + "}";
    }

    /**
     * HASH: the same of one network address. Goes a month after a log-in has succeeded from there, an hour after one
     * that has not.
     */
    public static String loginsFrom(String loginDigest, String address) {
        return logins(loginDigest) + ":" + address;
    }

    /**
     * HASH: what an authorization code stands for, by the code's digest; goes after ten minutes, or when it is used.
     */
    public static String authorizationCode(String digest) {
        return Key.AUTHORIZATION_CODE.stem() + digest;
    }

    /**
     * STREAM of the keys of token lists that have lost some: the word of it for what is open with a token; the newest
     * 10000, about.
     */
    public static final String REVOKED = Key.REVOKED.form();

    /**
     * STRING whose token a ticket stands for, signed, for 30 s or until it is redeemed; by the digest of the ticket.
     */
    public static String ticket(String digest) {
        return Key.TICKET.stem() + digest;
    }

    /** HASH groups of an article, or gone: a tombstone that outlives the voting. */
    public static String article(long p) {
        return Key.ARTICLE.stem() + p;
    }

    /** ZSET as {@link #ARTICLES_BY_SCORE}, of one group. */
    public static String articlesByScore(String group) {
        return Key.ARTICLES_BY_SCORE_OF_GROUP.stem() + group;
    }

    /** ZSET as {@link #ARTICLES_BY_TIME}, of one group. */
    public static String articlesByTime(String group) {
        return Key.ARTICLES_BY_TIME_OF_GROUP.stem() + group;
    }

    /** SET of account ids: who has voted on an article. Goes when the voting ends. */
    public static String articleVoters(long p) {
        return Key.ARTICLE_VOTERS.stem() + p;
    }

    /** LIST of the same account ids, in the order of their votes; likewise. */
    public static String articleBallots(long p) {
        return Key.ARTICLE_BALLOTS.stem() + p;
    }

    /** LIST of waiting jobs; lane is high, normal, low or suspect. */
    public static String lane(int shard, String lane) {
        return Key.QUEUE_HIGH.stem() + shard + "}:" + lane;
    }

    /** LIST of the jobs of one claimed batch. */
    public static String batch(int shard, String batch) {
        return Key.QUEUE_BATCH.of(shard) + batch;
    }

    /** ZSET batch by deadline, ms of the Redis server's clock. */
    public static String leases(int shard) {
        return Key.QUEUE_LEASES.of(shard);
    }

    /** ZSET job by due time, ms. */
    public static String delayed(int shard) {
        return Key.QUEUE_DELAYED.of(shard);
    }

    /** ZSET dead letter by time of death, ms; at most {@code queue.dead-max} for {@code queue.dead-days}. */
    public static String dead(int shard) {
        return Key.QUEUE_DEAD.of(shard);
    }

    /** HASH of counters: enqueued, done, retried, dead, reaped. */
    public static String queueStats(int shard) {
        return Key.QUEUE_STATS.of(shard);
    }
}
