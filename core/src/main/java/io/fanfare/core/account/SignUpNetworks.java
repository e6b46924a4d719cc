package io.fanfare.core.account;

import io.fanfare.common.auth.KeyedDigest;
import io.fanfare.common.auth.SigningKeys;
import io.fanfare.common.keyspace.Keys;
import io.fanfare.redis.Command;
import io.fanfare.redis.Redis;
import io.fanfare.redis.Reply;
import io.fanfare.redis.Script;
import io.vertx.core.Future;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collection;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.stream.Collectors;

/**
 * Owns {@code {sign-ups}} keys: the networks from which the newest accounts have signed up, so that an operator finds
 * those of one attack. Kept are keyed digests alone, which tell an address to nobody without the signing key, and for
 * {@code auth.sign-up-address-days} at most.
 */
public final class SignUpNetworks {
    /** Accounts of which they are kept, the newest: about 6 MB. */
    public static final int MAX = 50_000;

    /** Accounts that one look goes through. */
    static final int PAGE = 1000;

    private static final Script NOTE = Script.load("sign_up_from");
    private static final int DIGEST_BYTES = 8;
    private static final int BITS_OF_A_DIGIT = 4;

    private final Redis redis;
    private final List<KeyedDigest> keys;
    private final Duration life;
    private final int max;

    /** @param days {@code auth.sign-up-address-days}; 0 = nothing is noted */
    public SignUpNetworks(Redis redis, SigningKeys keys, int days) {
        this(redis, keys, Duration.ofDays(days), MAX);
    }

    SignUpNetworks(Redis redis, SigningKeys keys, Duration life, int max) {
        this(
                redis,
                keys.drawnOfEach("sign-up-network").stream()
                        .map(key -> new KeyedDigest(key, DIGEST_BYTES))
                        .toList(),
                life,
                max);
    }

    private SignUpNetworks(Redis redis, List<KeyedDigest> keys, Duration life, int max) {
        this.redis = redis;
        this.keys = keys;
        this.life = life;
        this.max = max;
    }

    /**
     * For {@link #findLike} and {@link #findAll}, which need no key: {@link #find} finds nothing, and nothing is noted.
     */
    public static SignUpNetworks withoutKeys(Redis redis) {
        return new SignUpNetworks(redis, List.<KeyedDigest>of(), Duration.ZERO, MAX);
    }

    /**
     * A network of addresses.
     *
     * @param digits hexadecimal: 8 of an IPv4 address, 16 of an IPv6 address, whose second half names no network
     * @param bits that all of its addresses have in common
     */
    public record Network(String digits, int bits) {
        /** The prefix lengths of which a digest is kept; the widest first. */
        private List<Integer> levels() {
            return digits.length() == 8 ? List.of(24, 32) : List.of(48, 56, 64);
        }

        /** Smaller networks of a level that are looked for one by one. */
        private static final int SPLIT_BITS_MAX = 8;

        /** How few bits a network may have that is looked for. */
        public int bitsMin() {
            return levels().get(0) - SPLIT_BITS_MAX;
        }

        /** The network for people; of one that is narrower than the widest with a digest only that one. */
        public String words() {
            int level = Math.min(bits, levels().get(0));
            StringBuilder text = new StringBuilder(bits > level ? "an address of " : "");
            int step = digits.length() == 8 ? 2 : 4;
            for (int i = 0; i < digits.length(); i += step) {
                int left = Math.max(0, Math.min(step * BITS_OF_A_DIGIT, level - i * BITS_OF_A_DIGIT));
                int part = Integer.parseInt(digits.substring(i, i + step), 16);
                int kept = part >> (step * BITS_OF_A_DIGIT - left) << (step * BITS_OF_A_DIGIT - left);
                text.append(i == 0 ? "" : step == 2 ? "." : ":")
                        .append(step == 2 ? Integer.toString(kept) : Integer.toHexString(kept));
            }
            return text.append(step == 2 ? "" : "::").append('/').append(level).toString();
        }

        /** The networks of which digests are kept that make it up; throws for one that is too wide or too small. */
        Set<String> parts() {
            int level =
                    levels().stream().filter(each -> each >= bits).findFirst().orElse(0);
            if (level == 0 || bits < bitsMin()) {
                throw new IllegalArgumentException("a network of " + bits + " bits");
            }
            int split = level - bits;
            long base = Long.parseUnsignedLong(digits.substring(0, level / BITS_OF_A_DIGIT), 16) >>> split << split;
            Set<String> parts = new HashSet<>();
            for (long part = 0; part < 1L << split; part++) {
                String hex = Long.toHexString(base | part);
                parts.add("0".repeat(level / BITS_OF_A_DIGIT - hex.length()) + hex + "/" + level);
            }
            return parts;
        }

        /** All networks of which a digest is kept that have its address. */
        private static List<String> around(String address) {
            return new Network(address, 0)
                    .levels().stream()
                            .map(level -> address.substring(0, level / BITS_OF_A_DIGIT) + "/" + level)
                            .toList();
        }
    }

    /**
     * Notes from where an account has signed up.
     *
     * @param address 8 or 16 hexadecimal digits, as {@link Network#digits}; anything else is not noted
     */
    public Future<Void> note(long account, String address) {
        if (life.isZero() || !address.matches("[0-9a-f]{8}|[0-9a-f]{16}")) {
            return Future.succeededFuture();
        }
        String digests = Network.around(address).stream().map(keys.get(0)::of).collect(Collectors.joining(" "));
        return redis.send(NOTE.call(
                        List.of(Keys.SIGN_UP_TIMES, Keys.SIGN_UP_NETWORKS), "", account, digests, life.toMillis(), max))
                .mapEmpty();
    }

    /**
     * An account that has signed up.
     *
     * @param atMillis Unix time
     */
    public record SignedUp(long account, long atMillis) {}

    /**
     * The matching accounts of a page, the earliest first.
     *
     * @param next where the next page begins, which may repeat some of this one; 0 = there is none
     */
    public record Page(List<SignedUp> matching, long next) {}

    /**
     * Looks through a page of them for those of a network.
     *
     * @param sinceMillis Unix time, or {@link Page#next}
     */
    public Future<Page> find(Network network, long sinceMillis) {
        return find(digests(network.parts()), sinceMillis);
    }

    /**
     * Looks through a page of them for those of the network of an account, without any address: none when that was not
     * noted, or is forgotten.
     *
     * @param wide whether the network is an IPv4 /24 or an IPv6 /48, rather than the address or the IPv6 /64
     * @param sinceMillis as above
     */
    public Future<Page> findLike(long account, boolean wide, long sinceMillis) {
        return redis.send(Command.of("HGET", Keys.SIGN_UP_NETWORKS, account)).compose(kept -> {
            if (kept.isNil()) {
                return Future.succeededFuture(new Page(List.of(), 0));
            }
            String[] digests = kept.asString().split(" ", -1);
            return find(Set.of(digests[wide ? 0 : digests.length - 1]), sinceMillis);
        });
    }

    /** Looks through a page of them for all. */
    public Future<Page> findAll(long sinceMillis) {
        return page(sinceMillis).map(accounts -> new Page(accounts, next(accounts)));
    }

    private Future<Page> find(Set<String> wanted, long sinceMillis) {
        return page(sinceMillis)
                .compose(accounts -> matching(accounts, wanted).map(matching -> new Page(matching, next(accounts))));
    }

    private Future<List<SignedUp>> page(long sinceMillis) {
        return redis.send(Command.of(
                        "ZRANGE", Keys.SIGN_UP_TIMES, sinceMillis, "+inf", "BYSCORE", "LIMIT", 0, PAGE, "WITHSCORES"))
                .map(Reply::flat)
                .map(pairs -> {
                    List<SignedUp> accounts = new ArrayList<>();
                    for (int i = 0; i < pairs.size(); i += 2) {
                        accounts.add(new SignedUp(
                                pairs.get(i).asLong(), pairs.get(i + 1).asLong()));
                    }
                    return accounts;
                });
    }

    private static long next(List<SignedUp> page) {
        return page.size() < PAGE ? 0 : page.get(PAGE - 1).atMillis();
    }

    private Future<List<SignedUp>> matching(List<SignedUp> accounts, Set<String> wanted) {
        if (accounts.isEmpty()) {
            return Future.succeededFuture(List.of());
        }
        Object[] fields = accounts.stream().map(SignedUp::account).toArray();
        return redis.send(Command.of("HMGET", Keys.SIGN_UP_NETWORKS, fields)).map(kept -> {
            List<SignedUp> matching = new ArrayList<>();
            for (int i = 0; i < accounts.size(); i++) {
                Reply digests = kept.items().get(i);
                if (!digests.isNil()
                        && Arrays.stream(digests.asString().split(" ", -1)).anyMatch(wanted::contains)) {
                    matching.add(accounts.get(i));
                }
            }
            return matching;
        });
    }

    /** The steps of a deletion that take an account out; harmless when it is not there. */
    public static List<Command> left(long account) {
        return List.of(
                Command.of("ZREM", Keys.SIGN_UP_TIMES, account), Command.of("HDEL", Keys.SIGN_UP_NETWORKS, account));
    }

    /** With each key, since the one that signs may have changed. */
    private Set<String> digests(Collection<String> networks) {
        Set<String> digests = new HashSet<>();
        for (KeyedDigest key : keys) {
            networks.forEach(network -> digests.add(key.of(network)));
        }
        return digests;
    }
}
