package io.fanfare.common.keyspace;

import io.fanfare.common.id.Id;
import io.fanfare.common.keyspace.KeyShape.Owner;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Function;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.LongStream;

/**
 * Every kind of key that the service has in Redis, declared once: how it is spelled, its type, whose it is, whether it
 * holds personal data, and how it ends. {@link Keys} spells keys by it, {@link KeyShape} reads them, and tests compare
 * it with docs/redis.md, docs/security.md and with what Redis holds. The channels are here too.
 *
 * <p>A form is spelled as in docs/redis.md. <code>{s}</code> is a shard and the hash tag, {@code u} an account,
 * {@code p} a status, {@code <words>} any text, which may be empty where a question mark ends the words.
 */
public enum Key {
    // Accounts.
    USER("user:{s}:u", Type.HASH, true, Life.EITHER),
    LOGIN("login:<name>", Type.STRING, true, Life.EITHER),
    EMAIL("email:<hex of the address>", Type.STRING, true, Life.EITHER),
    NAMES("{names}:index", Type.ZSET, true, Life.KEPT),
    TOKENS("tokens:{s}:u", Type.HASH, true, Life.EITHER),
    FACTOR("factor:{s}:u", Type.HASH, true, Life.EITHER),
    APP_TOKENS("apptokens:<client>", Type.HASH, false, Life.EITHER),
    APP("app:<client>", Type.HASH, false, Life.EITHER),
    APPS_UNCLAIMED("{apps}:unclaimed", Type.ZSET, false, Life.KEPT),
    AUTHORIZATION_CODE("code:<digest>", Type.STRING, true, Life.ENDS),
    TICKET("ticket:<digest>", Type.STRING, true, Life.ENDS),
    REVOKED("{revoked}:lists", Type.STREAM, false, Life.KEPT),
    LIMIT("limit:{<group>}:<name>:<who?>", Type.HASH, true, Life.ENDS),
    LOGINS("logins:{<digest>}", Type.HASH, true, Life.ENDS),
    LOGINS_FROM("logins:{<digest>}:<address>", Type.HASH, true, Life.ENDS),
    SIGN_UP_TIMES("{sign-ups}:times", Type.ZSET, true, Life.ENDS),
    SIGN_UP_NETWORKS("{sign-ups}:networks", Type.HASH, true, Life.ENDS),
    INVITATION_CODES("{invitations}:codes", Type.HASH, true, Life.KEPT),
    INVITATIONS_OWN("{invitations}:own", Type.ZSET, false, Life.KEPT),
    INVITATION_ENDS("{invitations}:ends", Type.ZSET, false, Life.KEPT),
    CHALLENGES("{sign-ups}:challenges", Type.ZSET, false, Life.ENDS),
    IDEMPOTENCY("idem:{s}:u:<hash>", Type.STRING, true, Life.ENDS),
    MARKERS("markers:{s}:u", Type.HASH, true, Life.KEPT),
    NOTES("notes:{s}:u", Type.HASH, true, Life.KEPT),
    PUSH("push:{s}:u", Type.HASH, true, Life.KEPT),
    MAIL_LINKS("mail-links:{s}:u", Type.HASH, true, Life.ENDS),
    SIGN_INS("sign-ins:{s}:u", Type.HASH, true, Life.ENDS),
    ADDRESS_CHANGE("address:{s}:u", Type.STRING, true, Life.ENDS),

    // The graph.
    FOLLOWING("following:{s}:u", Type.ZSET, true, Life.KEPT),
    FOLLOWERS("followers:{s}:u", Type.ZSET, true, Life.KEPT),
    NOREPOSTS("noreposts:{s}:u", Type.ZSET, true, Life.KEPT),
    LANGUAGES("languages:{s}:u", Type.HASH, true, Life.KEPT),
    BELLS("bells:{s}:u", Type.ZSET, true, Life.KEPT),
    ENDORSED("endorsed:{s}:u", Type.ZSET, true, Life.KEPT),
    REQUESTING("requesting:{s}:u", Type.ZSET, true, Life.KEPT),
    REQUESTS("requests:{s}:u", Type.ZSET, true, Life.KEPT),
    REQUEST_TERMS("asked:{s}:u", Type.HASH, true, Life.KEPT),
    LISTENERS("listeners:{s}:u", Type.ZSET, true, Life.KEPT),
    UNLINKED("unlinked:{s}:u", Type.ZSET, true, Life.ENDS),
    BLOCKS("blocks:{s}:u", Type.ZSET, true, Life.KEPT),
    BLOCKED_BY("blockedby:{s}:u", Type.ZSET, true, Life.KEPT),
    MUTES("mutes:{s}:u", Type.ZSET, true, Life.KEPT),
    MUTE_ENDS("mute-ends:{s}:u", Type.ZSET, true, Life.KEPT),
    NOTIFYING_MUTES("heard:{s}:u", Type.ZSET, true, Life.KEPT),
    LISTS("lists:{s}:u", Type.HASH, true, Life.KEPT),
    LISTED("listed:{s}:u", Type.ZSET, true, Life.KEPT),
    FEATURED_TAGS("featured-tags:{s}:u", Type.ZSET, true, Life.KEPT),
    FOLLOWED_TAGS("followed-tags:{s}:u", Type.ZSET, true, Life.KEPT),
    DISMISSED_SUGGESTIONS("unsuggested:{s}:u", Type.ZSET, true, Life.KEPT),
    FILTERS("filters:{s}:u", Type.HASH, true, Life.KEPT),
    ENDED_BLOCKED_BY("ended-blockedby:{s}:u", Type.ZSET, true, Life.ENDS),
    ENDED_REQUESTS("ended-requests:{s}:u", Type.ZSET, true, Life.ENDS),

    // Notifications and conversations.
    NOTIFICATIONS("notifications:{s}:u", Type.ZSET, true, Life.KEPT),
    ENDED_NOTIFICATIONS("ended-notifications:{s}:u", Type.ZSET, true, Life.ENDS),
    NOTIFICATION_POLICY("notification-policy:{s}:u", Type.HASH, true, Life.KEPT),
    WARNINGS("warnings:{s}:u", Type.HASH, true, Life.KEPT),
    ACCEPTED_SENDERS("accepted-senders:{s}:u", Type.ZSET, true, Life.KEPT),
    CONVERSATIONS("conversations:{s}:u", Type.ZSET, true, Life.KEPT),
    CONVERSATION_LINES("conversation-lines:{s}:u", Type.HASH, true, Life.KEPT),
    ENDED_CONVERSATIONS("ended-conversations:{s}:u", Type.ZSET, true, Life.ENDS),
    MUTED_CONVERSATIONS("muted-conversations:{s}:u", Type.ZSET, true, Life.KEPT),

    // Statuses.
    STATUS("status:{s}:p", Type.HASH, true, Life.EITHER),
    EDITS("edits:{s}:p", Type.ZSET, true, Life.KEPT),
    POLL_VOTES("poll-votes:{s}:p", Type.HASH, true, Life.KEPT),
    LIKES("likes:{s}:p", Type.ZSET, true, Life.KEPT),
    REPOSTS("reposts:{s}:p", Type.ZSET, true, Life.KEPT),
    QUOTES("quotes:{s}:p", Type.ZSET, true, Life.KEPT),
    COMMENTS("comments:{s}:p", Type.ZSET, true, Life.KEPT),
    ENDED_LIKES("ended-likes:{s}:p", Type.ZSET, true, Life.ENDS),
    ENDED_REPOSTS("ended-reposts:{s}:p", Type.ZSET, true, Life.ENDS),
    ENDED_QUOTES("ended-quotes:{s}:p", Type.ZSET, true, Life.ENDS),
    ENDED_COMMENTS("ended-comments:{s}:p", Type.ZSET, true, Life.ENDS),
    PROFILE("profile:{s}:u", Type.ZSET, true, Life.KEPT),
    OUTBOX("outbox:{s}:u", Type.ZSET, true, Life.KEPT),
    COMMENTS_BY("comments-by:{s}:u", Type.ZSET, true, Life.KEPT),
    REBLOGGED("reblogged:{s}:u", Type.ZSET, true, Life.KEPT),
    FAVOURITES("favourites:{s}:u", Type.ZSET, true, Life.KEPT),
    BOOKMARKS("bookmarks:{s}:u", Type.ZSET, true, Life.KEPT),
    PINS("pins:{s}:u", Type.ZSET, true, Life.KEPT),
    SCHEDULED("scheduled:{s}:u", Type.ZSET, true, Life.KEPT),
    SCHEDULED_WORDS("scheduled-words:{s}:u", Type.HASH, true, Life.KEPT),
    HELD("held:{s}:u", Type.ZSET, true, Life.KEPT),
    HELD_WORDS("held-words:{s}:u", Type.HASH, true, Life.KEPT),
    UPLOADS("uploads:{s}:u", Type.HASH, true, Life.KEPT),
    MEDIA_BYTES("media-bytes:{s}:u", Type.HASH, true, Life.KEPT),
    THAWED("thawed:{s}:u", Type.ZSET, true, Life.KEPT),

    // Homes and other lists that are read.
    HOME("home:{s}:u", Type.LIST, true, Life.ENDS),
    PUBLIC("{public}:statuses", Type.ZSET, false, Life.KEPT),
    ACTIVE_ACCOUNTS("{directory}:active", Type.ZSET, false, Life.KEPT),
    NEW_ACCOUNTS("{directory}:new", Type.ZSET, false, Life.KEPT),
    TAG("tag:<hex>", Type.ZSET, false, Life.ENDS),
    TAG_DAY("tag-day:{<hex>}:<day>", Type.HASH, false, Life.ENDS),
    TRENDING_TAGS("{trends}:tags:<day>", Type.ZSET, false, Life.ENDS),
    TAG_NAMES("{trends}:names", Type.ZSET, false, Life.ENDS),
    TAG_SCORES("{trends}:scores", Type.ZSET, false, Life.ENDS),
    TAG_DAYS("{trends}:days", Type.ZSET, false, Life.ENDS),
    TREND_SUSPENDED("{trends}:suspended", Type.ZSET, false, Life.KEPT),

    // Articles.
    ARTICLE("{articles}:article:p", Type.HASH, false, Life.EITHER),
    ARTICLE_VOTERS("{articles}:voters:p", Type.SET, true, Life.ENDS),
    ARTICLE_BALLOTS("{articles}:ballots:p", Type.LIST, true, Life.ENDS),
    ARTICLES_BY_SCORE("{articles}:score", Type.ZSET, false, Life.KEPT),
    ARTICLES_BY_TIME("{articles}:time", Type.ZSET, false, Life.KEPT),
    BEST_ARTICLES("{articles}:best", Type.ZSET, false, Life.KEPT),
    ARTICLES_BY_SCORE_OF_GROUP("{articles}:score:<group>", Type.ZSET, false, Life.KEPT),
    ARTICLES_BY_TIME_OF_GROUP("{articles}:time:<group>", Type.ZSET, false, Life.KEPT),
    ARTICLE_GROUPS("{articles}:groups", Type.ZSET, false, Life.KEPT),
    ARTICLE_GROUP_OWNERS("{articles}:group-owners", Type.HASH, false, Life.KEPT),

    // Reports to the operator.
    REPORTS("{reports}:kept", Type.ZSET, true, Life.KEPT),
    REPORTERS("{reports}:reporters", Type.HASH, false, Life.KEPT),
    REPORTS_OWN("{reports}:own", Type.ZSET, false, Life.KEPT),
    REPORT_COUNTS("{reports}:counts", Type.ZSET, false, Life.KEPT),
    LAST_REPORT("{reports}:last", Type.STRING, false, Life.KEPT),
    RESOLVED_REPORTS("{reports}:resolved", Type.ZSET, true, Life.KEPT),
    REPORT_STATES("{reports}:states", Type.HASH, false, Life.KEPT),

    // Rules, texts and announcements that operators publish.
    SITE("{site}:published", Type.HASH, false, Life.KEPT),
    DISMISSED_ANNOUNCEMENTS("dismissed-announcements:{s}:u", Type.ZSET, true, Life.KEPT),

    // Moderation.
    MODERATION_ROLES("{moderation}:roles", Type.HASH, false, Life.KEPT),
    MODERATION_LOG("{moderation}:log", Type.STREAM, true, Life.KEPT),
    SUSPENDED_ACCOUNTS("{moderation}:suspended", Type.ZSET, false, Life.KEPT),
    LIMITED_ACCOUNTS("{moderation}:limited", Type.ZSET, false, Life.KEPT),
    SENSITIZED_ACCOUNTS("{moderation}:sensitized", Type.ZSET, false, Life.KEPT),
    APPLICANTS("{moderation}:applicants", Type.ZSET, false, Life.KEPT),
    APPEALS("{moderation}:appeals", Type.ZSET, false, Life.KEPT),
    MODERATOR_NOTES("moderator-notes:{s}:u", Type.HASH, true, Life.KEPT),
    HELD_LIST("{moderation}:held", Type.ZSET, false, Life.KEPT),
    SAME_TEXT("same-text:<digest>", Type.ZSET, true, Life.ENDS),
    SITE_BLOCKS("{moderation}:blocks", Type.HASH, true, Life.KEPT),
    SITE_BLOCK_USES("{moderation}:block-uses", Type.HASH, false, Life.KEPT),
    SELECTIONS("{moderation}:selections", Type.ZSET, false, Life.KEPT),
    LAST_SELECTION("{moderation}:last-selection", Type.STRING, false, Life.KEPT),
    SELECTION("{moderation}:selection:<number>", Type.HASH, true, Life.ENDS),
    SELECTED_ACCOUNTS("{moderation}:selected:<number>", Type.LIST, false, Life.ENDS),

    // Shards.
    IDS("ids:{s}", Type.STRING, false, Life.KEPT),
    NOTIFICATION_IDS("notification-ids:{s}", Type.STRING, false, Life.KEPT),
    COUNTS("counts:{s}", Type.HASH, false, Life.KEPT),
    HOMES_BUILT("homes-built:{s}", Type.STRING, false, Life.KEPT),
    HOME_GENERATION("home-generation:{s}", Type.STRING, false, Life.KEPT),
    REPAIRED_GENERATION("repaired-generation:{s}", Type.STRING, false, Life.KEPT),
    PULLED_AUTHORS("pulled-authors:{s}", Type.ZSET, false, Life.KEPT),
    MASTER("master:{s}", Type.STRING, false, Life.KEPT),
    ARCHIVED("archived:{s}", Type.HASH, false, Life.KEPT),
    ARCHIVE_DUE("archive-due:{s}", Type.ZSET, false, Life.KEPT),
    ARCHIVE_GONE("archive-gone:{s}", Type.ZSET, false, Life.KEPT),
    MEDIA_DUE("media-due:{s}", Type.ZSET, false, Life.KEPT),
    EMOJIS("emojis:{s}", Type.HASH, false, Life.KEPT),
    TIMERS("timers:{s}", Type.ZSET, false, Life.KEPT),

    // The queue.
    QUEUE_HIGH("queue:{s}:high", Type.LIST, false, Life.KEPT),
    QUEUE_NORMAL("queue:{s}:normal", Type.LIST, false, Life.KEPT),
    QUEUE_LOW("queue:{s}:low", Type.LIST, false, Life.KEPT),
    QUEUE_SUSPECT("queue:{s}:suspect", Type.LIST, false, Life.KEPT),
    QUEUE_BATCH("queue:{s}:batch:<batch>", Type.LIST, false, Life.KEPT),
    QUEUE_LEASES("queue:{s}:leases", Type.ZSET, false, Life.KEPT),
    QUEUE_DELAYED("queue:{s}:delayed", Type.ZSET, false, Life.KEPT),
    QUEUE_DEAD("queue:{s}:dead", Type.ZSET, false, Life.KEPT),
    QUEUE_STATS("queue:{s}:stats", Type.HASH, false, Life.KEPT),
    WAKE("{wake}:tokens", Type.LIST, false, Life.KEPT),
    MAIL_MINUTE("{mail}:minute", Type.STRING, false, Life.ENDS),

    // The event log.
    BUS_SEQ("{bus}:seq", Type.STRING, false, Life.KEPT),
    BUS_EPOCH("{bus}:epoch", Type.STRING, false, Life.KEPT),
    BUS_FLOOR("{bus}:floor", Type.STRING, false, Life.KEPT),
    BUS_LOG("{bus}:log", Type.STREAM, false, Life.KEPT),
    BUS_BATCHES("{bus}:batches", Type.HASH, true, Life.KEPT),
    BUS_SUBJECTS("{bus}:told:<hour>", Type.HASH, false, Life.ENDS),
    BUS_NOTIFIED("{bus}:notified:<hour>", Type.HASH, false, Life.ENDS),
    BUS_SUBJECTS_FROM("{bus}:told-from", Type.STRING, false, Life.ENDS),
    BUS_MASTER("{bus}:master", Type.STRING, false, Life.KEPT),
    BUS_REPAIR("{bus}:repair", Type.STRING, false, Life.ENDS),
    BUS_CHANNEL("{bus}:events", Type.CHANNEL, true, Life.KEPT),
    VOTES_CHANNEL("{bus}:votes", Type.CHANNEL, false, Life.KEPT),
    BUS_BEAT("{bus}:beat:<relay>", Type.CHANNEL, false, Life.KEPT),

    // The data set, and the operator's console.
    META("{meta}", Type.HASH, false, Life.KEPT),
    MINUTES("minutes:<hour>", Type.HASH, false, Life.ENDS);

    /** The type in Redis. */
    public enum Type {
        STRING,
        LIST,
        SET,
        HASH,
        ZSET,
        STREAM,
        /** No key: publish and subscribe. */
        CHANNEL
    }

    /** Whether a key has a time to live. */
    public enum Life {
        /** Never: its bound is in its members, or it goes when it is empty, or with its account or status. */
        KEPT,
        /** From its first write on. */
        ENDS,
        /** In some of its states. */
        EITHER
    }

    private static final String SHARD = "{s}";
    /** By what stands before the first colon. */
    private static final Map<String, List<Key>> BY_HEAD = Arrays.stream(values())
            .filter(key -> key.type != Type.CHANNEL)
            .collect(Collectors.groupingBy(key -> head(key.form)));

    private static final Map<String, Key> BY_FAMILY = Arrays.stream(values())
            .filter(key -> key.isOfId() && key.tail.isEmpty())
            .collect(Collectors.toUnmodifiableMap(Key::family, Function.identity()));

    private final String form;
    private final Type type;
    private final boolean personal;
    private final Life life;
    private final Owner owner;

    /** The part before the first placeholder. */
    private final String stem;

    private final String family;

    /** The part behind the shard, or behind the id, up to the next placeholder. */
    private final String tail;

    private final Pattern pattern;

    Key(String form, Type type, boolean personal, Life life) {
        this.form = form;
        this.type = type;
        this.personal = personal;
        this.life = life;
        this.owner = owner(form);
        this.stem = form.split(Placeholders.BEGIN, 2)[0];
        this.family = stem.replaceFirst("[:{]+$", "");
        this.tail = owner == Owner.SHARD
                ? form.substring(form.indexOf(SHARD) + 2).replaceFirst("<.*", "")
                : form.replaceFirst("^[^}]*}:[up]", "").replaceFirst("<.*", "");
        this.pattern = pattern(form);
    }

    /** In a class of their own, since they are needed before the constants are there. */
    private static final class Placeholders {
        private static final Pattern ALL = Pattern.compile("\\{s}|(?<=:)[up](?=:|$)|<[^>]+>");

        /** Behind a brace that opens. */
        private static final String BEGIN = "(?<=\\{)s}|(?<=:)[up](?=:|$)|<";
    }

    private static Owner owner(String form) {
        String scope = form.substring(form.indexOf(':') + 1);
        if (!scope.startsWith(SHARD)) {
            return Owner.NONE;
        }
        return scope.startsWith("{s}:u") ? Owner.ACCOUNT : scope.startsWith("{s}:p") ? Owner.STATUS : Owner.SHARD;
    }

    private static Pattern pattern(String form) {
        StringBuilder regex = new StringBuilder();
        Matcher placeholder = Placeholders.ALL.matcher(form);
        int end = 0;
        while (placeholder.find()) {
            String text = placeholder.group();
            regex.append(Pattern.quote(form.substring(end, placeholder.start())))
                    .append(
                            text.equals(SHARD)
                                    ? "\\{(?<shard>\\d{1,4})}"
                                    : text.length() == 1 ? "(?<id>\\d{1,16})" : text.endsWith("?>") ? ".*" : ".+");
            end = placeholder.end();
        }
        return Pattern.compile(regex.append(Pattern.quote(form.substring(end))).toString());
    }

    private static String head(String key) {
        int colon = key.indexOf(':');
        return colon < 0 ? key : key.substring(0, colon);
    }

    /** How it is spelled, with placeholders. */
    public String form() {
        return form;
    }

    /** Its type. */
    public Type type() {
        return type;
    }

    /** Whether it holds what a person wrote or chose, or from which a person can be recognised. */
    public boolean isPersonal() {
        return personal;
    }

    /** How it ends. */
    public Life life() {
        return life;
    }

    /** The owner of its keys. */
    public Owner owner() {
        return owner;
    }

    /** The beginning of its keys, without a colon or brace at the end. */
    public String family() {
        return family;
    }

    private boolean isOfId() {
        return owner == Owner.ACCOUNT || owner == Owner.STATUS;
    }

    /** The beginning of its keys. */
    String stem() {
        return stem;
    }

    /** The key of a shard. */
    String of(int shard) {
        return stem + shard + tail;
    }

    /** The key of an account or a status. */
    String of(long id) {
        return of(Id.shard(id), id);
    }

    private String of(int shard, long id) {
        return stem + shard + "}:" + id + tail;
    }

    /** The kind of an account or a status with this {@link #family}. */
    static Key ofFamily(String family) {
        Key key = BY_FAMILY.get(family);
        if (key == null) {
            throw new IllegalArgumentException("no key of an account or a status: " + family);
        }
        return key;
    }

    /** The keys without a placeholder. */
    static List<String> single() {
        return Arrays.stream(values())
                .filter(key -> key.type != Type.CHANNEL && key.family.equals(key.form))
                .map(Key::form)
                .toList();
    }

    /** The keys whose placeholder is an hour, for each of these hours. */
    static List<String> hourly(long firstHour, long lastHour) {
        return Arrays.stream(values())
                .filter(key -> key.form.endsWith(":<hour>"))
                .flatMap(key -> LongStream.rangeClosed(firstHour, lastHour).mapToObj(hour -> key.stem() + hour))
                .toList();
    }

    /** Every key that an account can have, but those of its requests, which end by themselves. */
    static List<String> ofAccount(long account) {
        return BY_FAMILY.values().stream()
                .filter(key -> key.owner == Owner.ACCOUNT)
                .map(key -> key.of(account))
                .sorted()
                .toList();
    }

    /** Every key that a status can have, itself among them. */
    public static List<String> ofStatus(long status) {
        return BY_FAMILY.values().stream()
                .filter(key -> key.owner == Owner.STATUS)
                .map(key -> key.of(status))
                .sorted()
                .toList();
    }

    /** The shape of a key; empty when none is spelled like it. */
    static Optional<KeyShape> shapeOf(String key) {
        for (Key kind : BY_HEAD.getOrDefault(head(key), List.of())) {
            Optional<KeyShape> shape = kind.shape(key);
            if (shape.isPresent()) {
                return shape;
            }
        }
        return Optional.empty();
    }

    /** Whether a key is of this kind by its spelling alone. */
    boolean isSpelledLike(String key) {
        return pattern.matcher(key).matches();
    }

    /** Empty for a key of another kind, and for one whose id belongs to another shard. */
    private Optional<KeyShape> shape(String key) {
        Matcher spelled = pattern.matcher(key);
        if (!spelled.matches()) {
            return Optional.empty();
        }
        if (owner == Owner.NONE) {
            return Optional.of(new KeyShape(this, 0, rest(key, family().length())));
        }
        long shard = Long.parseLong(spelled.group("shard"));
        if (owner == Owner.SHARD) {
            return Optional.of(new KeyShape(this, shard, rest(key, spelled.end("shard") + 1)));
        }
        long id = Id.parse(spelled.group("id"));
        return id < 0 || Id.shard(id) != shard
                ? Optional.empty()
                : Optional.of(new KeyShape(this, id, rest(key, spelled.end("id"))));
    }

    private static String rest(String key, int from) {
        return key.length() > from ? key.substring(from + 1) : "";
    }
}
