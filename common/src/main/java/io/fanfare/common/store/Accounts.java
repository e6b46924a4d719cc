package io.fanfare.common.store;

import com.github.benmanes.caffeine.cache.Cache;
import com.github.benmanes.caffeine.cache.Caffeine;
import io.fanfare.common.id.Id;
import io.fanfare.common.id.Shards;
import io.fanfare.common.keyspace.Keys;
import io.fanfare.common.model.Account;
import io.fanfare.common.model.Preferences;
import io.fanfare.common.model.ProfileSettings;
import io.fanfare.common.model.QuotePolicy;
import io.fanfare.common.model.Refusal;
import io.fanfare.common.model.Role;
import io.fanfare.common.model.Visibility;
import io.fanfare.common.queue.Lane;
import io.fanfare.common.settings.Settings;
import io.fanfare.common.view.RenderCache;
import io.fanfare.redis.Command;
import io.fanfare.redis.Redis;
import io.fanfare.redis.Reply;
import io.fanfare.redis.Script;
import io.vertx.core.Future;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collection;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.Predicate;
import java.util.random.RandomGenerator;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/**
 * Owns {@code user}, {@code login} and {@code email} keys.
 *
 * <p>Fields of a {@code user:{s}:u} HASH:
 *
 * <dl>
 *   <dt>{@code state}
 *   <dd>{@code joining} during the sign-up (nobody sees the account, and it is removed after a day; older versions
 *       wrote {@code pending}); where it needs approval, {@code applying} and then {@code applied} until a moderator
 *       decides; then {@code active}; {@code suspended} by an operator (nobody sees the account or its posts);
 *       {@code deleted} for good: only {@code state}, {@code name} and {@code deleted} remain
 *   <dt>{@code suspended}
 *   <dd>epoch ms of the suspension, absent = not suspended
 *   <dt>{@code deleted}, {@code erasing}
 *   <dd>epoch ms of the deletion, absent = not deleted; 1 until jobs have erased the data of a deleted account
 *   <dt>{@code reason}, {@code wait}
 *   <dd>only of an account that needs approval: why it applies; how long it waits, s
 *   <dt>{@code inviter}
 *   <dd>id of the account with whose invitation it has signed up, 0 = of an operator; absent = without one
 *   <dt>{@code name}, {@code display}, {@code note}, {@code email}
 *   <dd>user name in lower case; display name; biography; e-mail address in lower case, absent = none
 *   <dt>{@code unconfirmed}
 *   <dd>epoch ms since which the address waits for a confirmation; absent = it needs none, or has none to wait for
 *   <dt>{@code held}
 *   <dd>1 = the account cannot be used before its address is confirmed
 *   <dt>{@code pw}
 *   <dd>password as a PHC string, empty = no password login
 *   <dt>{@code pwrev}
 *   <dd>goes up with every change of password and of the second factor, absent = 0
 *   <dt>{@code factor}
 *   <dd>1 = a log-in needs a code of the second factor, see {@code Factors}; absent = it does not
 *   <dt>{@code followers}, {@code following}, {@code posts}
 *   <dd>counters, changed only by the script that changes what they count
 *   <dt>{@code last}
 *   <dd>id of the newest post, 0 = none
 *   <dt>{@code bot}, {@code disc}, {@code index}, {@code fields}
 *   <dd>{@code ProfileSettings}: ordinary ones (0, 1, 1, none) left out; fields as lines {@code name TAB value}
 *   <dt>{@code avatar}, {@code header}
 *   <dd>names of the files of its pictures; absent = none
 *   <dt>{@code locked}
 *   <dd>1 = the user approves each follower; absent = everybody may follow
 *   <dt>{@code hide}
 *   <dd>1 = only the user sees the lists of its followees and followers; absent = everybody does
 *   <dt>{@code privacy}, {@code sensitive}, {@code language}, {@code quoters}, {@code fold}
 *   <dd>{@code Preferences}: ordinary ones left out
 *   <dt>{@code limited}, {@code sensitized}
 *   <dd>epoch ms at which a moderator has limited the account, or marked it as sensitive; absent = none has
 *   <dt>{@code role}
 *   <dd>a copy of its role, to be shown; absent = an ordinary user
 *   <dt>{@code rev}
 *   <dd>rises with every change of the profile; a cached rendering is checked against it
 *   <dt>{@code version}
 *   <dd>rises with every follow and unfollow of this account; a cached follow list is checked against it
 * </dl>
 */
public class Accounts {
    /** Field: the account that has invited this one, 0 = an operator; absent = none. */
    static final String INVITER = "inviter";

    /** The field of an address that waits for a confirmation. */
    public static final String UNCONFIRMED = "unconfirmed";

    private static final Object[] SHOWN = {
        "state",
        "name",
        "display",
        "note",
        "followers",
        "following",
        "posts",
        "last",
        "bot",
        "disc",
        "index",
        "fields",
        "rev",
        "avatar",
        "header",
        "locked",
        "hide",
        "limited"
    };

    /**
     * The fields of an account for an operator: {@link #SHOWN}, and those behind them that {@link #inspected} reads.
     */
    private static final Object[] INSPECTED = Stream.concat(
                    Stream.of(SHOWN),
                    Stream.of("suspended", "deleted", "sensitized", "email", "reason", INVITER, "factor", UNCONFIRMED))
            .toArray();

    /** The fields of a cached account that may have changed. */
    private static final Object[] CHANGING = {"state", "rev", "followers", "following", "posts", "last"};

    /** Field: whether the home of the account folds reposts; absent = it does. */
    static final String FOLD = "fold";

    static final String UNFOLDED = "0";

    /** Authors whose preferences an event loop remembers; about 150 bytes each. */
    private static final int PREFERRED_MAX = 20_000;

    /** Ids of accounts that an event loop remembers; about 100 bytes each. */
    private static final int HELD_MAX = 20_000;

    private static final Pattern SPACE = Pattern.compile(" ");

    private static final Script UPDATE = Script.load("update_account");
    private static final Script RENEW_PASSWORD = Script.load("renew_password");

    private static final String ACTIVE_STATE = "active";
    private static final String SUSPENDED_STATE = "suspended";
    private static final String DELETED_STATE = "deleted";
    private static final byte[] ACTIVE = ACTIVE_STATE.getBytes(StandardCharsets.US_ASCII);

    /** The confirmation that the address of a new account needs. */
    public enum Confirmation {
        NONE,
        /** An address that is not confirmed within a day goes to the next account that signs up with it. */
        REQUESTED,
        /** The same, and the account cannot be used before. */
        REQUIRED;

        public static Confirmation of(Settings.Mail settings) {
            return !settings.isOn() ? NONE : settings.requireConfirmation() ? REQUIRED : REQUESTED;
        }
    }

    /** The accounts that a claim may belong to. */
    private enum Owner {
        /** Somebody whom others see. */
        ACTIVE,
        /** Also somebody who is suspended. */
        SIGNED_UP,
        /** Also somebody who is deleted: their names are nobody else's. */
        ANY,
        /** Also somebody who waits for approval. */
        HOLDER_OR_APPLICANT
    }

    private final Redis redis;
    private final SignUps signUps;
    private final AddressChanges addressChanges;
    private final RenderCache cache;
    private final Cache<Long, Preferred> preferred = Caffeine.newBuilder()
            .maximumSize(PREFERRED_MAX)
            .executor(Runnable::run)
            .build();

    /** Ids of accounts, which never become those of none. */
    private final Cache<Long, Boolean> held =
            Caffeine.newBuilder().maximumSize(HELD_MAX).executor(Runnable::run).build();

    public Accounts(Redis redis, Shards shards, RandomGenerator random) {
        this(redis, shards, random, RenderCache.none());
    }

    /** @param cache who is in there is not read again as long as {@code rev} is the same; only the counters are */
    public Accounts(Redis redis, Shards shards, RandomGenerator random, RenderCache cache) {
        this(redis, shards, random, cache, Confirmation.NONE);
    }

    /** The same, which requests a confirmation of the addresses of new accounts. */
    public Accounts(Redis redis, Shards shards, RandomGenerator random, RenderCache cache, Confirmation confirmation) {
        this.redis = redis;
        this.cache = cache;
        this.signUps = new SignUps(redis, shards, random, confirmation);
        this.addressChanges = new AddressChanges(redis, signUps);
    }

    /** Changes of the e-mail addresses of accounts. */
    public AddressChanges addressChanges() {
        return addressChanges;
    }

    /**
     * Makes an account: claims name and address with a time to live, writes the account as joining, makes the claims
     * permanent, then the account active. A crash in between leaves claims that expire, or an account that the next
     * attempt at its name completes, and that expires without one. Fails with {@code Refusal(INVALID)} and field
     * details {@code ERR_TAKEN}. Name and address come validated and folded to lower case.
     *
     * @param email empty = none
     * @param passwordHash PHC string, see {@code Passwords}; empty = no password login
     */
    public Future<Account> signUp(String username, String email, String passwordHash) {
        return signUp(username, email, passwordHash, null, null);
    }

    /** The same for a request that may come again; {@code once} null = it has no Idempotency-Key. */
    public Future<Account> signUp(String username, String email, String passwordHash, IdempotentRequest once) {
        return signUp(username, email, passwordHash, null, once);
    }

    /**
     * The same for a request that may come again, and for somebody who was invited.
     *
     * @param inviter account, 0 = an operator; null = nobody has invited the account
     * @param once null = it has no Idempotency-Key
     */
    public Future<Account> signUp(
            String username, String email, String passwordHash, Long inviter, IdempotentRequest once) {
        return signUps.signUp(username, email, passwordHash, inviter, once);
    }

    /**
     * Makes an account that waits for approval, see {@link Applicants}; otherwise as {@link #signUp}. Fails with
     * {@code Refusal(OVERLOADED)} when as many wait as may.
     *
     * @param once null = it has no Idempotency-Key
     */
    public Future<Account> apply(
            String username,
            String email,
            String passwordHash,
            Applicants.AdmissionRequest request,
            IdempotentRequest once) {
        return signUps.apply(username, email, passwordHash, request, once);
    }

    /**
     * The account of this name if the same request has made it within the last hour: who sends it again may have lost
     * the answer. Says nothing about the password, which is to be checked before anything is given away. Finishes a
     * sign-up that has died. Fails with {@code Refusal(INVALID)} when the key was used for another sign-up with this
     * name.
     */
    public Future<Optional<Long>> signedUp(String username, IdempotentRequest once) {
        return signUps.earlier(username, once);
    }

    /**
     * {@link #signUp} of many at once, pipelined, for replays and tests; answers the ids in order. A name that is taken
     * answers the account it belongs to.
     */
    public Future<List<Long>> signUpAll(List<String> usernames) {
        return signUps.signUpAll(usernames);
    }

    /** An account; fails with {@code Refusal(UNKNOWN)} when there is none. */
    public Future<Account> require(long id) {
        return find(id).map(found -> found.orElseThrow(Refusal::unknown));
    }

    /** The account of a user name in lower case; fails as {@link #require(long)} does. */
    public Future<Account> require(String username) {
        return idByUsername(username).compose(id -> require(id.orElseThrow(Refusal::unknown)));
    }

    /**
     * Fails as {@link #require(long)} does unless there is such an account, be it suspended or deleted: for whoever
     * takes back what ties them to it.
     */
    public Future<Void> requireHolder(long id) {
        return isThere(id, Owner.ANY)
                .compose(there -> there ? Future.succeededFuture() : Future.failedFuture(Refusal.unknown()));
    }

    public Future<Optional<Account>> find(long id) {
        return redis.send(shown(id)).map(reply -> account(id, reply));
    }

    /**
     * The accounts with these ids; unknown ones are left out. One round trip, and one more when somebody who is
     * remembered has changed.
     */
    public Future<Map<Long, Account>> load(Collection<Long> ids) {
        return load(ids, Redis.NOW);
    }

    /** The same as they were at any instant since a moment: see {@link Redis#pipeline(List, long)}. */
    public Future<Map<Long, Account>> load(Collection<Long> ids, long since) {
        List<Long> wanted = List.copyOf(ids);
        List<Account> known = new ArrayList<>(wanted.size());
        List<Command> commands = new ArrayList<>(wanted.size());
        for (long id : wanted) {
            Account account = cache.account(id);
            known.add(account);
            commands.add(account == null ? shown(id) : Command.tracked("HMGET", Keys.user(id), CHANGING));
        }
        return BatchedPipeline.send(redis, commands, since).compose(replies -> accounts(wanted, known, replies));
    }

    /** The accounts, of these, that others see: neither unknown, nor suspended, nor deleted. One round trip. */
    public Future<Set<Long>> activeAmong(Collection<Long> ids) {
        return activeAmong(redis, ids);
    }

    /** The same for whoever has no store of accounts. */
    public static Future<Set<Long>> activeAmong(Redis redis, Collection<Long> ids) {
        List<Long> ordered = List.copyOf(ids);
        List<Command> commands = ordered.stream()
                .map(id -> Command.of("HGET", Keys.user(id), "state"))
                .toList();
        return BatchedPipeline.send(redis, commands).map(states -> {
            Set<Long> active = new HashSet<>(ordered.size() * 2);
            for (int i = 0; i < ordered.size(); i++) {
                if (isActive(states.get(i))) {
                    active.add(ordered.get(i));
                }
            }
            return active;
        });
    }

    private Future<Map<Long, Account>> accounts(List<Long> ids, List<Account> known, List<Reply> replies) {
        Map<Long, Account> accounts = new HashMap<>(ids.size() * 2);
        List<Long> changed = new ArrayList<>();
        for (int i = 0; i < ids.size(); i++) {
            List<Reply> fields = replies.get(i).items();
            if (known.get(i) == null) {
                account(ids.get(i), replies.get(i)).ifPresent(account -> accounts.put(account.id(), account));
            } else if (number(fields.get(1)) != known.get(i).rev()) {
                changed.add(ids.get(i));
            } else if (isActive(fields.get(0))) {
                accounts.put(ids.get(i), counted(known.get(i), fields));
            }
        }
        return changed.isEmpty() ? Future.succeededFuture(accounts) : reload(changed, accounts);
    }

    private Future<Map<Long, Account>> reload(List<Long> changed, Map<Long, Account> accounts) {
        return BatchedPipeline.send(redis, changed.stream().map(Accounts::shown).toList())
                .map(replies -> {
                    for (int i = 0; i < replies.size(); i++) {
                        account(changed.get(i), replies.get(i))
                                .ifPresent(account -> accounts.put(account.id(), account));
                    }
                    return accounts;
                });
    }

    /** The account with the counters that Redis has; {@code last} is its newest post. */
    static Account counted(Account known, long followers, long following, long posts, long last) {
        return known.counted(followers, following, posts, lastStatusAt(last));
    }

    /** @param changing the answer to HMGET of {@link #CHANGING} */
    private static Account counted(Account known, List<Reply> changing) {
        return counted(
                known,
                number(changing.get(2)),
                number(changing.get(3)),
                number(changing.get(4)),
                number(changing.get(5)));
    }

    private static long lastStatusAt(long last) {
        return last == 0 ? 0 : Id.epochMillis(last);
    }

    private static boolean isActive(Reply state) {
        return Arrays.equals(ACTIVE, state.asBytes());
    }

    private static Command shown(long id) {
        return Command.of("HMGET", Keys.user(id), SHOWN);
    }

    private static Optional<Account> account(long id, Reply reply) {
        return isActive(reply.items().get(0)) ? Optional.of(account(id, reply.items())) : Optional.empty();
    }

    private static Account account(long id, List<Reply> fields) {
        return new Account(
                id,
                fields.get(1).asString(),
                text(fields.get(2)),
                text(fields.get(3)),
                number(fields.get(4)),
                number(fields.get(5)),
                number(fields.get(6)),
                lastStatusAt(number(fields.get(7))),
                profileSettings(fields),
                number(fields.get(12)));
    }

    /**
     * An account for an operator.
     *
     * @param suspendedAt epoch ms; 0 = it is not suspended
     * @param deletedAt epoch ms; 0 = it is not deleted
     * @param limitedAt epoch ms; 0 = it is not limited
     * @param sensitizedAt epoch ms; 0 = it is not marked as sensitive
     * @param email empty = none
     * @param reason of an applicant, for the account; null = the account does not wait for approval
     * @param inviter the account that has invited it; 0 = none
     * @param hasFactor whether its log-ins need a code of a second factor
     * @param confirmed whether the address waits for no confirmation
     */
    public record Inspected(
            Account account,
            long suspendedAt,
            long deletedAt,
            long limitedAt,
            long sensitizedAt,
            String email,
            String reason,
            long inviter,
            boolean hasFactor,
            boolean confirmed) {
        /** Whether it waits for approval. */
        public boolean isApplicant() {
            return reason != null;
        }
    }

    /** The accounts with these ids, suspended and deleted ones too; unknown ones are left out. One round trip. */
    public Future<Map<Long, Inspected>> inspect(Collection<Long> ids) {
        return inspect(ids, Accounts::isHolder);
    }

    /** The same with those that wait for approval. */
    public Future<Map<Long, Inspected>> inspectWithApplicants(Collection<Long> ids) {
        return inspect(ids, state -> isHolder(state) || Applicants.APPLIED.equals(state));
    }

    /**
     * Leaves out ids that no account has; suspended and deleted accounts have theirs. At most one round trip: an id of
     * an account stays that, and is remembered.
     */
    public Future<Set<Long>> heldAmong(Collection<Long> ids) {
        Set<Long> there = new HashSet<>(ids);
        List<Long> unsure = ids.stream()
                .filter(id -> held.getIfPresent(RenderCache.key(id)) == null)
                .toList();
        if (unsure.isEmpty()) {
            return Future.succeededFuture(there);
        }
        return BatchedPipeline.send(redis, unsure.stream().map(Accounts::state).toList())
                .map(replies -> {
                    for (int i = 0; i < unsure.size(); i++) {
                        long id = unsure.get(i);
                        if (isHolder(replies.get(i).asString())) {
                            held.put(RenderCache.key(id), true);
                        } else {
                            there.remove(id);
                        }
                    }
                    return there;
                });
    }

    private Future<Map<Long, Inspected>> inspect(Collection<Long> ids, Predicate<String> wantedState) {
        List<Long> wanted = List.copyOf(ids);
        List<Command> commands = new ArrayList<>();
        for (long id : wanted) {
            commands.add(Command.of("HMGET", Keys.user(id), INSPECTED));
        }
        return BatchedPipeline.send(redis, commands).map(replies -> {
            Map<Long, Inspected> found = new HashMap<>();
            for (int i = 0; i < wanted.size(); i++) {
                List<Reply> fields = replies.get(i).items();
                if (wantedState.test(fields.get(0).asString())) {
                    found.put(wanted.get(i), inspected(wanted.get(i), fields));
                }
            }
            return found;
        });
    }

    private Inspected inspected(long id, List<Reply> fields) {
        String state = fields.get(0).asString();
        int more = SHOWN.length;
        return new Inspected(
                account(id, fields),
                SUSPENDED_STATE.equals(state) ? Math.max(1, number(fields.get(more))) : 0,
                DELETED_STATE.equals(state) ? Math.max(1, number(fields.get(more + 1))) : 0,
                number(fields.get(more - 1)),
                number(fields.get(more + 2)),
                text(fields.get(more + 3)),
                Applicants.APPLIED.equals(state) ? text(fields.get(more + 4)) : null,
                number(fields.get(more + 5)),
                !fields.get(more + 6).isNil(),
                fields.get(more + 7).isNil());
    }

    private static ProfileSettings profileSettings(List<Reply> fields) {
        boolean plain = fields.subList(8, 12).stream().allMatch(Reply::isNil)
                && fields.get(13).isNil()
                && fields.get(14).isNil()
                && fields.get(15).isNil()
                && fields.get(16).isNil()
                && fields.get(17).isNil();
        return plain
                ? ProfileSettings.PLAIN
                : new ProfileSettings(
                        "1".equals(fields.get(8).asString()),
                        !"0".equals(fields.get(9).asString()),
                        !"0".equals(fields.get(10).asString()),
                        AccountChange.fields(text(fields.get(11))),
                        text(fields.get(13)),
                        text(fields.get(14)),
                        !fields.get(15).isNil(),
                        !fields.get(16).isNil(),
                        !fields.get(17).isNil());
    }

    private static String text(Reply field) {
        return field.isNil() ? "" : field.asString();
    }

    private static long number(Reply field) {
        return field.isNil() ? 0 : field.asLong();
    }

    /** Changes what a user says of the account; fails with {@code Refusal(NOT_FOUND)} when there is no such account. */
    public Future<Void> update(long id, AccountChange change) {
        int shard = Id.shard(id);
        List<String> keys = List.of(
                Keys.user(id),
                Keys.mediaDue(shard),
                Keys.requests(id),
                Keys.queueStats(shard),
                Keys.lane(shard, Lane.NORMAL.key()));
        return redis.send(UPDATE.call(keys, change.toArguments(id)))
                .compose(changed ->
                        changed.asLong() == 1 ? Future.succeededFuture() : Future.failedFuture(Refusal.unknown()));
    }

    /** The defaults of the user's posts, and the options of the home. */
    public Future<Preferences> preferences(long id) {
        return preferencesNow(id).map(Preferred::preferences);
    }

    /**
     * The defaults of a user's posts, and the options of the home.
     *
     * @param rev of the account then: while it is the same, so are they
     */
    public record Preferred(Preferences preferences, long rev) {}

    /** The same, which may have changed since: for whoever has it checked by its rev. */
    public Future<Preferred> preferencesLately(long id) {
        Preferred known = preferred.getIfPresent(RenderCache.key(id));
        return known == null ? preferencesNow(id) : Future.succeededFuture(known);
    }

    /** The same, as they are now. */
    public Future<Preferred> preferencesNow(long id) {
        return redis.send(Command.of(
                        "HMGET",
                        Keys.user(id),
                        "privacy",
                        "sensitive",
                        "language",
                        "quoters",
                        "rev",
                        FOLD,
                        "limited",
                        "sensitized"))
                .map(reply -> preferred(reply.items()))
                .onSuccess(now -> preferred.put(RenderCache.key(id), now));
    }

    /**
     * The fields that an account alone sees of itself.
     *
     * @param domains the websites that may name the account as an author
     * @param role a copy of its role, to be shown: it permits nothing
     * @param hasFactor whether its log-ins need a code of a second factor
     */
    public record OwnFields(List<String> domains, Role role, boolean hasFactor) {}

    /** The fields that an account alone sees of itself. */
    public Future<OwnFields> ownFields(long id) {
        return redis.send(Command.of("HMGET", Keys.user(id), AccountChange.DOMAINS, "role", "factor"))
                .map(Reply::items)
                .map(fields -> new OwnFields(
                        fields.get(0).isNil()
                                ? List.of()
                                : SPACE.splitAsStream(fields.get(0).asString()).toList(),
                        Role.stored(fields.get(1).asString()),
                        !fields.get(2).isNil()));
    }

    private static Preferred preferred(List<Reply> fields) {
        Visibility visibility = fields.get(0).isNil()
                ? Visibility.PUBLIC
                : Visibility.of(fields.get(0).asString());
        Preferences preferences = new Preferences(
                visibility,
                "1".equals(fields.get(1).asString()),
                fields.get(2).asString(),
                fields.get(3).isNil()
                        ? QuotePolicy.PUBLIC
                        : QuotePolicy.stored(fields.get(3).asString()),
                foldsReposts(fields.get(5)),
                !fields.get(6).isNil(),
                !fields.get(7).isNil());
        return new Preferred(preferences, number(fields.get(4)));
    }

    /**
     * Reads whether the home and the lists of an account fold reposts; {@link #foldsReposts} understands the answer.
     */
    public static Command readFoldsReposts(long id) {
        return Command.of("HGET", Keys.user(id), FOLD);
    }

    /** Whether the home and the lists fold reposts, as the field says. */
    public static boolean foldsReposts(Reply field) {
        return !UNFOLDED.equals(field.asString());
    }

    public Future<Optional<Long>> idByUsername(String username) {
        return owner(Keys.login(username), Owner.ACTIVE);
    }

    /** The same, be the account suspended or deleted. */
    public Future<Optional<Long>> holderByUsername(String username) {
        return owner(Keys.login(username), Owner.ANY);
    }

    /**
     * The accounts of these user names, in lower case; names that nobody has are left out. Two round trips, whatever
     * their number.
     */
    public Future<Map<String, Long>> idsByUsername(Collection<String> usernames) {
        List<String> names = List.copyOf(usernames);
        List<Command> commands = new ArrayList<>(names.size());
        for (String name : names) {
            commands.add(Command.of("GET", Keys.login(name)));
        }
        return BatchedPipeline.send(redis, commands).compose(claims -> active(names, claims));
    }

    private Future<Map<String, Long>> active(List<String> names, List<Reply> claims) {
        Map<String, Long> ids = new HashMap<>();
        for (int i = 0; i < names.size(); i++) {
            if (!claims.get(i).isNil()) {
                ids.put(names.get(i), claims.get(i).asLong());
            }
        }
        return load(ids.values()).map(known -> {
            ids.values().retainAll(known.keySet());
            return ids;
        });
    }

    /** The account of a user name, be it suspended or deleted, or wait for approval. */
    public Future<Optional<Long>> claimantByUsername(String username) {
        return owner(Keys.login(username), Owner.HOLDER_OR_APPLICANT);
    }

    /** The same of an e-mail address, which no deleted account has. */
    public Future<Optional<Long>> claimantByEmail(String email) {
        return owner(Keys.email(email), Owner.HOLDER_OR_APPLICANT);
    }

    /** The account of an e-mail address, be it suspended. */
    public Future<Optional<Long>> signedUpByEmail(String email) {
        return owner(Keys.email(email), Owner.SIGNED_UP);
    }

    /** The account of a user name, be it suspended. */
    public Future<Optional<Long>> signedUpByUsername(String username) {
        return owner(Keys.login(username), Owner.SIGNED_UP);
    }

    /** Whether nobody has the name, nor is about to. */
    public Future<Boolean> isUsernameFree(String username) {
        return isFree(Keys.login(username));
    }

    public Future<Boolean> isEmailFree(String email) {
        return isFree(Keys.email(email));
    }

    private Future<Boolean> isFree(String claim) {
        return owner(claim, Owner.ANY)
                .compose(owner -> owner.isPresent()
                        ? Future.succeededFuture(false)
                        : redis.send(Command.of("EXISTS", claim)).map(claims -> claims.asLong() == 0));
    }

    /** The owner of this claim, once the account is active. */
    private Future<Optional<Long>> owner(String claim, Owner who) {
        return redis.send(Command.of("GET", claim))
                .compose(id -> id.isNil()
                        ? Future.succeededFuture(Optional.empty())
                        : isThere(id.asLong(), who)
                                .compose(there -> there
                                        ? Future.succeededFuture(Optional.of(id.asLong()))
                                        : lateOwner(claim, id.asLong(), who)));
    }

    private Future<Optional<Long>> lateOwner(String claim, long id, Owner who) {
        return signUps.finishLeft(claim)
                .compose(done -> isThere(id, who))
                .map(there -> there ? Optional.of(id) : Optional.empty());
    }

    /** Whether the field {@code state} is that of an account which is or was somebody's. */
    public static boolean isHolder(String state) {
        return isSignedUp(state) || DELETED_STATE.equals(state);
    }

    /**
     * Whether the fields {@code state} and {@code erasing} are those of an account of which only a tombstone is left.
     */
    public static boolean isErased(Reply state, Reply erasing) {
        return DELETED_STATE.equals(state.asString()) && erasing.isNil();
    }

    /** Whether the field {@code state} is that of an account which has signed up, be it suspended. */
    public static boolean isSignedUp(String state) {
        return ACTIVE_STATE.equals(state) || SUSPENDED_STATE.equals(state);
    }

    private static Command state(long id) {
        return Command.of("HGET", Keys.user(id), "state");
    }

    private Future<Boolean> isThere(long id, Owner who) {
        return redis.send(state(id)).map(Reply::asString).map(state -> switch (who) {
            case ACTIVE -> ACTIVE_STATE.equals(state);
            case SIGNED_UP -> isSignedUp(state);
            case ANY -> isHolder(state);
            case HOLDER_OR_APPLICANT -> isHolder(state) || Applicants.APPLIED.equals(state);
        });
    }

    /**
     * The stored record of a password.
     *
     * @param phc empty = no password login
     * @param rev goes up with every change; see {@code Tokens.changePassword}
     * @param suspended whether it lets nobody in, since the account is suspended
     * @param deleted whether the account is deleted, and has none
     * @param applied whether it lets nobody in yet, since the account waits for approval
     * @param hasFactor whether a log-in needs a code of a second factor as well
     */
    public record Password(
            String phc, long rev, boolean suspended, boolean deleted, boolean applied, boolean hasFactor) {
        /** The hash stays out of logs, whoever prints the record. */
        @Override
        public String toString() {
            return "Password[" + rev + "]";
        }
    }

    /** Empty when the account does not exist. */
    public Future<Optional<Password>> password(long id) {
        return redis.send(Command.of("HMGET", Keys.user(id), "state", "pw", "pwrev", "factor"))
                .map(Reply::items)
                .map(fields -> {
                    String state = fields.get(0).asString();
                    boolean applied = Applicants.APPLIED.equals(state);
                    return isHolder(state) || applied
                            ? Optional.of(new Password(
                                    text(fields.get(1)),
                                    number(fields.get(2)),
                                    SUSPENDED_STATE.equals(state),
                                    DELETED_STATE.equals(state),
                                    applied,
                                    !fields.get(3).isNil()))
                            : Optional.empty();
                });
    }

    /**
     * By what somebody logs in.
     *
     * @param email empty = none
     */
    public record LoginNames(String username, String email) {}

    /** Fails with {@code Refusal(NOT_FOUND)} when there is no such account. */
    public Future<LoginNames> names(long id) {
        return redis.send(Command.of("HMGET", Keys.user(id), "state", "name", "email"))
                .map(Reply::items)
                .compose(fields -> isActive(fields.get(0))
                        ? Future.succeededFuture(new LoginNames(fields.get(1).asString(), text(fields.get(2))))
                        : Future.failedFuture(Refusal.unknown()));
    }

    /**
     * Stores another hash of the same password; does nothing when the account has another password than {@code checked}
     * by now.
     */
    public Future<Void> renewPassword(long id, Password checked, String phc) {
        return redis.send(RENEW_PASSWORD.call(List.of(Keys.user(id)), checked.phc(), phc))
                .mapEmpty();
    }
}
