package io.fanfare.common.settings;

import io.fanfare.redis.Namespace;
import io.fanfare.redis.RedisOptions;
import io.fanfare.secret.Secret;
import io.netty.util.NetUtil;
import java.net.URLDecoder;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Arrays;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import java.util.regex.Pattern;
import java.util.stream.Collectors;

/**
 * Every setting, typed. Default, unit, range and reason of each stand in {@code config/fanfare.yaml}, which is packed
 * into the jar and read first; a file given by the operator, the environment and flags override it in this order (see
 * {@link SettingsLoader}). Component {@code homeMax} of {@code feeds} is {@code feeds.home-max} in the file,
 * {@code FANFARE_FEEDS_HOME_MAX} in the environment. Impossible values are refused when the record is made.
 */
public record Settings(
        Http http,
        Instance instance,
        Management management,
        Console console,
        Redis redis,
        Auth auth,
        Limits limits,
        Signals signals,
        Feeds feeds,
        Articles articles,
        Media media,
        Search search,
        Archive archive,
        Disk disk,
        Push push,
        Mail mail,
        Queue queue,
        Worker worker,
        Stream stream,
        Log log) {
    private static final int TOKEN_CHARS_MIN = 16;
    private static final Set<String> LOG_LEVELS = Set.of("ERROR", "WARN", "INFO", "DEBUG", "TRACE");

    public Settings {
        // One time-out serves requests and streams: a stream that is read is written to at each heartbeat, so it is
        // never idle, even when one beat is late.
        check(
                http.idleTimeout().compareTo(stream.heartbeat().multipliedBy(2)) > 0,
                "http.idle-timeout must be longer than twice stream.heartbeat, or healthy streams are cut");
        check(
                http.perAddressMax() > stream.perAddressMax(),
                "http.per-address-max must be larger than stream.per-address-max, since streams are connections too");
        check(
                http.connectionsMax() > stream.connectionsMax(),
                "http.connections-max must be larger than stream.connections-max, since streams are connections too");
        check(
                !mail.isOn() || !http.publicUrl().isEmpty(),
                "http.public-url must be set where mail.host is, since mails contain links");
        check(
                !mail.isOn() || mail.timeout().compareTo(queue.lease().multipliedBy(2)) <= 0,
                "mail.timeout must not be longer than twice queue.lease, or the job of a mail ends before the mail");
        check(
                archive.profileMax() == 0 || archive.profileMax() >= feeds.outboxMax(),
                "archive.profile-max must be 0, or not less than feeds.outbox-max, since an outbox is part of its profile");
    }

    /**
     * How long a request may wait for the hash of a password, beside {@code http.request-timeout}, which is left for
     * what it does then: {@code auth.hash-timeout}, or less where the connection would be closed for idleness.
     */
    public Duration hashWait() {
        Duration most =
                http.idleTimeout().minus(http.requestTimeout()).multipliedBy(9).dividedBy(10);
        return auth.hashTimeout().compareTo(most) < 0 ? auth.hashTimeout() : most;
    }

    /**
     * The public server.
     *
     * @param port 0 = any free one
     * @param publicUrl the base of every absolute URL in answers; empty = {@code http://host:port}, with TLS
     *     {@code https://}
     * @param bodiesInFlightBytes memory that the bodies of all requests together may take in this process
     * @param trustedProxies addresses and prefixes, with commas between, whose X-Forwarded-For is believed; empty or
     *     {@link #NO_PROXY} = nobody's
     * @param perAddressMax connections of one address, per event loop, streams among them
     * @param connectionsMax connections of the process, streams among them
     * @param unsentMaxBytes what all connections of the process may hold for clients that do not take it
     * @param compressAnswers with gzip, for clients that accept it; for streams see {@code stream.compress}
     */
    public record Http(
            String host,
            @Range(min = 0, max = 65535) int port,
            String publicUrl,
            Tls tls,
            @Range(min = 1, max = 64) int eventLoops,
            @Range(min = 1024, max = 16 << 20) int bodyMaxBytes,
            @Range(min = 16 << 20, max = 1 << 30) int bodiesInFlightBytes,
            @Range(min = 1_000, max = 600_000) Duration idleTimeout,
            @Range(min = 100, max = 60_000) Duration requestTimeout,
            String trustedProxies,
            @Range(min = 1, max = 1_000_000) int perAddressMax,
            @Range(min = 2, max = 1_000_000) int connectionsMax,
            @Range(min = 1 << 20, max = 1L << 40) long unsentMaxBytes,
            boolean compressAnswers,
            boolean serviceWorker) {
        /** Says that X-Forwarded-For is not to be believed although somebody in front speaks TLS. */
        public static final String NO_PROXY = "none";

        public Http {
            check(
                    trustedProxies.equals(NO_PROXY)
                            || Arrays.stream(trustedProxies.split("[,\\s]+")).allMatch(Http::isNetwork),
                    "http.trusted-proxies must be empty, none, or numeric addresses with commas between, each with or without the length of a prefix: 127.0.0.1, 10.0.0.0/8, fd00::/8");
            check(
                    publicUrl.isEmpty() || publicUrl.matches("https?://[^/?#]+(/[^?#]*[^/?#])?"),
                    "http.public-url must be empty, or begin with http:// or https:// and not end with a slash");
            check(
                    !tls.isSet() || publicUrl.isEmpty() || publicUrl.startsWith("https://"),
                    "http.public-url must begin with https:// where http.tls is set, since no other is spoken at the port");
            check(
                    bodiesInFlightBytes / 8 >= bodyMaxBytes,
                    "http.bodies-in-flight-bytes must be at least eight times http.body-max-bytes, since one address has an eighth of it");
            check(
                    idleTimeout.compareTo(requestTimeout) > 0,
                    "http.idle-timeout must be longer than http.request-timeout");
        }

        /** The same at another address. */
        public Http at(int newPort, String newPublicUrl) {
            return new Http(
                    host,
                    newPort,
                    newPublicUrl,
                    tls,
                    eventLoops,
                    bodyMaxBytes,
                    bodiesInFlightBytes,
                    idleTimeout,
                    requestTimeout,
                    trustedProxies,
                    perAddressMax,
                    connectionsMax,
                    unsentMaxBytes,
                    compressAnswers,
                    serviceWorker);
        }

        /**
         * Whether a proxy is expected and not named: this server speaks no TLS, but its public URL is https. All of
         * them would share the limits of one.
         */
        public boolean lacksProxy() {
            return publicUrl.startsWith("https://") && trustedProxies.isEmpty() && !tls.isSet();
        }

        private static boolean isNetwork(String text) {
            String[] parts = text.split("/", 2);
            int bits = NetUtil.isValidIpV4Address(parts[0]) ? 32 : NetUtil.isValidIpV6Address(parts[0]) ? 128 : -1;
            boolean whole = parts.length == 1;
            return text.isEmpty()
                    || (bits > 0 && (whole || (parts[1].matches("\\d{1,3}") && Integer.parseInt(parts[1]) <= bits)));
        }
    }

    /**
     * TLS of the public server.
     *
     * @param certificate PEM file, the server's own certificate first and those of its issuers after it; empty = plain
     *     HTTP
     * @param key PEM file of its private key, not encrypted
     */
    public record Tls(String certificate, String key) {
        public Tls {
            check(
                    certificate.isEmpty() == key.isEmpty(),
                    "http.tls.certificate and http.tls.key go together: set both, or neither for plain HTTP");
        }

        /** Whether the server speaks TLS itself. */
        public boolean isSet() {
            return !certificate.isEmpty();
        }
    }

    /**
     * The description of the server.
     *
     * @param contactEmail empty = none is told
     * @param detectLanguages whether the language of a post that names none is guessed from its text
     */
    public record Instance(String title, String description, String contactEmail, boolean detectLanguages) {
        private static final int TITLE_MAX = 100;
        private static final int DESCRIPTION_MAX = 1000;

        public Instance {
            check(
                    !title.isBlank() && title.length() <= TITLE_MAX,
                    "instance.title must be a text of 1 to " + TITLE_MAX + " characters");
            check(
                    description.length() <= DESCRIPTION_MAX,
                    "instance.description must be a text of at most " + DESCRIPTION_MAX + " characters");
            check(
                    contactEmail.isEmpty() || contactEmail.matches("[^@\\s]+@[^@\\s]+"),
                    "instance.contact-email must be empty or an e-mail address");
        }
    }

    /**
     * The operator's server: /livez, /readyz, /metrics.
     *
     * @param token what every request must carry; empty = nothing, for which the host must be the machine itself
     * @param startMax a process that is not ready after so long ends; zero = it does not
     * @param hangMax an event loop that hangs for so long ends the process; zero = it does not
     */
    public record Management(
            String host,
            @Range(min = 0, max = 65535) int port,
            Secret token,
            @Range(min = 0, max = 3_600_000) Duration startMax,
            @Range(min = 0, max = 3_600_000) Duration hangMax) {
        private static final Duration START_MIN = Duration.ofSeconds(5);
        private static final Duration HANG_MIN = Duration.ofSeconds(5);

        public Management {
            check(
                    startMax.isZero() || startMax.compareTo(START_MIN) >= 0,
                    "management.start-max must be 0ms or at least " + START_MIN.toSeconds()
                            + "s: a start takes seconds");
            check(
                    hangMax.isZero() || hangMax.compareTo(HANG_MIN) >= 0,
                    "management.hang-max must be 0ms or at least " + HANG_MIN.toSeconds()
                            + "s: an event loop that is only busy must not end the process");
            checkToken("management.token", token);
            check(
                    token.isSet() || isOwn(host),
                    "management.token must be set when management.host is not the machine itself (127.0.0.1, ::1, localhost): without one, everybody who reaches the port reads who listens and the metrics");
        }

        private static boolean isOwn(String host) {
            return host.equals("localhost")
                    || host.equals("::1")
                    || host.equals("[::1]")
                    || (NetUtil.isValidIpV4Address(host) && host.startsWith("127."));
        }
    }

    /**
     * The operator's console on the management server.
     *
     * @param operatorToken lets its bearer read everything and act; empty = nobody acts
     * @param viewerToken lets its bearer read what is not private; empty = there are no viewers
     */
    public record Console(Secret operatorToken, Secret viewerToken) {
        public Console {
            checkToken("console.operator-token", operatorToken);
            checkToken("console.viewer-token", viewerToken);
            check(
                    !operatorToken.isSet() || !operatorToken.equals(viewerToken),
                    "console.viewer-token must differ from console.operator-token: who has it could do everything");
        }

        /** Whether anybody can log in. */
        public boolean isOpen() {
            return operatorToken.isSet() || viewerToken.isSet();
        }
    }

    /**
     * The connection to Redis.
     *
     * @param url {@code redis://[user]:[password]@host:port[/db]}, {@code rediss:} for TLS,
     *     {@code unix://[user]:[password]@/path} for a socket of this machine; in cluster mode the first node to ask.
     *     Empty = {@code up} starts one
     * @param mode standalone or cluster
     * @param shards how many shards a new data set gets; must equal the stored number afterwards
     * @param inFlightMax commands on the way per connection before more are refused
     * @param rewriteEvery how often {@code up} has its own server rewrite its file, so that deleted words leave the
     *     disk
     * @param waitReplicas replicas that must have a write that removes something before it is acknowledged; 0 = none
     * @param waitTimeout how long they may take
     */
    public record Redis(
            Secret url,
            RedisOptions.Mode mode,
            String namespace,
            String sentinels,
            Secret sentinelPassword,
            @Range(min = 1, max = 1024) int shards,
            @Range(min = 100, max = 60_000) Duration connectTimeout,
            @Range(min = 100, max = 60_000) Duration commandTimeout,
            @Range(min = 100, max = 1_000_000) int inFlightMax,
            @Range(min = 60_000, max = 2_592_000_000L) Duration rewriteEvery,
            @Range(min = 0, max = 10) int waitReplicas,
            @Range(min = 10, max = 10_000) Duration waitTimeout) {
        public Redis {
            check(Namespace.isName(namespace), "redis.namespace must have " + Namespace.ALLOWED);
            check(
                    mode == RedisOptions.Mode.SENTINEL == !sentinels.isBlank(),
                    mode == RedisOptions.Mode.SENTINEL
                            ? "redis.sentinels must name the sentinels, since redis.mode is sentinel"
                            : "redis.sentinels is used with redis.mode: sentinel only");
            check(
                    sentinels.matches("(\\s*([^\\s,:\\[\\]]+|\\[[0-9A-Fa-f:.]+]):\\d{1,5}\\s*(,|$))*"),
                    "redis.sentinels must read host:port, host:port, ...");
            check(Integer.bitCount(shards) == 1, "redis.shards must be a power of two: 1, 2, 4 ... 1024");
            check(
                    !url.isSet()
                            || url.reveal()
                                    .matches("rediss?://([^@/]*@)?" + NODE + "(," + NODE
                                            + ")*(/\\d*)?|unix://([^@/]*@)?/[^?#@]+"),
                    "redis.url must read redis://[user]:[password]@host:port[,host:port...], rediss:// for TLS, or unix://[user]:[password]@/path/of/a/socket, with special characters percent-encoded");
            check(
                    RedisOptions.nodes(url).size() <= RedisOptions.NODES_MAX,
                    "redis.url must name at most " + RedisOptions.NODES_MAX
                            + " nodes: the others are found through them");
            check(
                    mode != RedisOptions.Mode.SENTINEL
                            || RedisOptions.nodes(url).size() < 2,
                    "redis.url must have the name of the master alone in the place of the host, and redis.sentinels the addresses, since redis.mode is sentinel");
        }

        private static final String NODE = "([^@/:\\[,\\s]+|\\[[^@/,]+\\])(:\\d{1,5})?";

        /** The part of these settings that opens a link to Redis. */
        public RedisOptions options() {
            return new RedisOptions(
                    url,
                    mode,
                    Namespace.of(namespace),
                    sentinelList(),
                    sentinelPassword,
                    connectTimeout,
                    commandTimeout,
                    inFlightMax,
                    waitReplicas,
                    waitTimeout);
        }

        /** The nodes of {@code url}, each as {@code host:port}; none where it leads to a socket, or nowhere. */
        public List<String> nodes() {
            return RedisOptions.nodes(url);
        }

        /** The same at another address. */
        public Redis at(Secret newUrl) {
            return at(newUrl, shards);
        }

        /** The same for data with this number of shards. */
        public Redis at(Secret newUrl, int newShards) {
            return new Redis(
                    newUrl,
                    mode,
                    namespace,
                    sentinels,
                    sentinelPassword,
                    newShards,
                    connectTimeout,
                    commandTimeout,
                    inFlightMax,
                    rewriteEvery,
                    waitReplicas,
                    waitTimeout);
        }

        /** The addresses of {@code redis.sentinels}, each as {@code host:port}. */
        private List<String> sentinelList() {
            return Arrays.stream(sentinels.split("[,\\s]+"))
                    .filter(address -> !address.isEmpty())
                    .toList();
        }
    }

    /**
     * Tokens and passwords.
     *
     * @param signingKey at least 32 characters, or {@link #STORED_KEY}; empty = the one in the data folder of the
     *     service
     * @param previousSigningKeys others whose tokens are good, with commas between; see {@link #keys()}
     * @param passwordGrant whether /oauth/token takes user name and password
     * @param reservedUsernames see {@link #reservedNames()}
     * @param weakPasswords whether short and common passwords can be chosen
     * @param signUpAddressDays how long it is known from which network an account has signed up; 0 = never
     * @param hashTimeout how long a request may wait for the hash of a password, see {@link Settings#hashWait}
     */
    public record Auth(
            Secret signingKey,
            Secret previousSigningKeys,
            boolean passwordGrant,
            FactorRequired secondFactorRequired,
            Registrations registrations,
            @Range(min = 1, max = 90) int signUpPendingDays,
            @Range(min = 1, max = 100_000) int signUpPendingMax,
            boolean userInvitations,
            String reservedUsernames,
            boolean weakPasswords,
            @Range(min = 0, max = 90) int signUpAddressDays,
            @Range(min = 0, max = 24) int signUpChallenge,
            @Range(min = 1, max = 64) int hashesAtOnce,
            @Range(min = 0, max = 10_000) int hashesWaiting,
            @Range(min = 100, max = 60_000) Duration hashTimeout,
            @Range(min = 8, max = 1 << 20) int argonMemoryKib,
            @Range(min = 1, max = 100) int argonPasses) {
        /**
         * Stands for the key that is kept in Redis, or listed as a previous one for that of the data folder if there is
         * one; shorter than any other.
         */
        public static final String STORED_KEY = "stored";

        /** Begins the text of a key that is no text: bytes in hexadecimal, as the service draws them. */
        public static final String HEX_KEY = "hex:";

        /** The accounts that must have a second factor. */
        public enum FactorRequired {
            NONE,
            /** Accounts with a role: without one, the role permits nothing. */
            MODERATORS,
            /** All accounts: the web client leads those without one to its settings. */
            EVERYONE
        }

        private static final int KEY_CHARS_MIN = 32;
        private static final int PREVIOUS_KEYS_MAX = 10;
        private static final int RESERVED_MAX = 1000;
        private static final Pattern RESERVED = Pattern.compile("-?[a-z0-9_]{1,30}");

        public Auth {
            check(
                    !signingKey.isSet() || isKey(signingKey.reveal()),
                    "auth.signing-key must be at least 32 characters long (after hex: at least 64 hexadecimal digits), or the word "
                            + STORED_KEY + ", or empty");
            List<String> names = names(reservedUsernames);
            check(
                    names.size() <= RESERVED_MAX
                            && names.stream()
                                    .allMatch(name -> RESERVED.matcher(name).matches()),
                    "auth.reserved-usernames must be at most " + RESERVED_MAX
                            + " user names in lower case with commas between, each with or without a - before it");
            List<String> previous = parts(previousSigningKeys);
            check(
                    previous.size() <= PREVIOUS_KEYS_MAX,
                    "auth.previous-signing-keys has " + previous.size() + " keys, at most " + PREVIOUS_KEYS_MAX
                            + " are possible: leave out the oldest");
            for (int i = 0; i < previous.size(); i++) {
                String key = decoded(previous.get(i));
                String which = "auth.previous-signing-keys: key " + (i + 1) + " of " + previous.size();
                check(
                        key != null,
                        which
                                + " has a % that is not followed by two hexadecimal digits: write %25 for a percent sign");
                check(
                        key == null || isKey(key),
                        which + " has " + (key == null ? 0 : key.length())
                                + " characters, but a signing key has at least 32 (commas and spaces within one are written %2C and %20): copy what auth.signing-key was, or write "
                                + STORED_KEY + " for the one that Fanfare has made itself");
            }
        }

        /**
         * User names that nobody can sign up with, beside the ordinary ones; of those one with a - before it is free.
         */
        public List<String> reservedNames() {
            return names(reservedUsernames);
        }

        private static List<String> names(String text) {
            return Arrays.stream(text.split("[,\\s]+"))
                    .filter(name -> !name.isEmpty())
                    .toList();
        }

        /**
         * The same with the key of the data folder, which signs where no other is set, and is what {@link #STORED_KEY}
         * means in the list of previous ones.
         */
        public Auth keptAs(Secret key) {
            String previous = parts(previousSigningKeys).stream()
                    .map(part -> part.equals(STORED_KEY) ? key.reveal() : part)
                    .collect(Collectors.joining(","));
            return new Auth(
                    signingKey.isSet() ? signingKey : key,
                    new Secret(previous),
                    passwordGrant,
                    secondFactorRequired,
                    registrations,
                    signUpPendingDays,
                    signUpPendingMax,
                    userInvitations,
                    reservedUsernames,
                    weakPasswords,
                    signUpAddressDays,
                    signUpChallenge,
                    hashesAtOnce,
                    hashesWaiting,
                    hashTimeout,
                    argonMemoryKib,
                    argonPasses);
        }

        /**
         * The texts of all keys, the one that signs first, which is empty when none is set; {@link #STORED_KEY} in
         * place of the one that is kept in Redis.
         */
        public List<String> keys() {
            Set<String> keys = new LinkedHashSet<>();
            keys.add(signingKey.reveal());
            parts(previousSigningKeys).forEach(key -> keys.add(decoded(key)));
            return List.copyOf(keys);
        }

        private static boolean isKey(String text) {
            return text.equals(STORED_KEY)
                    || (text.startsWith(HEX_KEY)
                            ? text.substring(HEX_KEY.length()).matches("([0-9a-fA-F]{2}){32,}")
                            : text.length() >= KEY_CHARS_MIN);
        }

        private static List<String> parts(Secret keys) {
            return Arrays.stream(keys.reveal().split("[,\\s]+"))
                    .filter(key -> !key.isEmpty())
                    .toList();
        }

        /** Null when it is not encoded right. */
        private static String decoded(String key) {
            try {
                return URLDecoder.decode(key.replace("+", "%2B"), StandardCharsets.UTF_8);
            } catch (IllegalArgumentException badEscape) {
                return null;
            }
        }
    }

    /**
     * The limits of requests.
     *
     * @param enabled rate limits; off for load tests. The other limits always hold
     */
    public record Limits(
            boolean enabled,
            @Range(min = 1, max = 100_000) int textMax,
            @Range(min = 1, max = 1000) int pageMax,
            @Range(min = 1, max = 1_000_000) int followingMax,
            @Range(min = 1, max = 1_000_000) int blocksMax,
            @Range(min = 1, max = 1_000_000) int mutesMax,
            @Range(min = 1, max = 1_000_000) int favouritesMax,
            @Range(min = 1, max = 1000) int listsMax,
            @Range(min = 1, max = 1000) int listAccountsMax,
            @Range(min = 1, max = 1000) int filtersMax,
            @Range(min = 1, max = 10_000) int notificationsMax,
            Rates rates) {
        /**
         * How often; each is what one window allows.
         *
         * @param requests of one token, or of one address without a token, in 5 minutes
         * @param requestsPerAccount of all tokens of one account in 5 minutes
         * @param deletes of one account in 30 minutes
         * @param follows and unfollows of one account in an hour
         * @param signUps from one address in 30 minutes
         * @param apps registered from one address in 10 minutes
         * @param appsPerServer registered by everybody in an hour
         * @param logins tries from one address in 5 minutes
         * @param loginsPerAccount tries at one account by strangers in an hour
         * @param loginsPerApp tries by the password grant of one app in 5 minutes
         * @param postsPerDay statuses, comments and reposts of one account in a day
         * @param bytesPerDay of the texts of these
         * @param uploads of one account in 30 minutes
         * @param uploadBytesPerDay of the files of these, as they are sent
         * @param uploadMegapixelsPerHour millions of pixels of a plain JPEG that take as long to decode
         * @param newUploadBytesPerDay the same of a new account
         * @param newDays for how long an account is new; 0 = none is
         * @param newAccountHours for how long posts with links or to strangers are limited; 0 = they are not
         * @param newAccountPostsPerHour such posts of one account in an hour
         * @param exports archives of one account in an hour
         */
        public record Rates(
                @Range(min = 1, max = 1_000_000) int requests,
                @Range(min = 1, max = 10_000_000) int requestsPerAccount,
                @Range(min = 1, max = 1_000_000) int deletes,
                @Range(min = 1, max = 1_000_000) int follows,
                @Range(min = 1, max = 1_000_000) int signUps,
                @Range(min = 1, max = 1_000_000) int apps,
                @Range(min = 1, max = 10_000_000) int appsPerServer,
                @Range(min = 1, max = 1_000_000) int logins,
                @Range(min = 1, max = 10_000) int loginsPerAccount,
                @Range(min = 1, max = 1_000_000) int loginsPerApp,
                @Range(min = 1, max = 1_000_000) int postsPerDay,
                @Range(min = 1_000, max = 1 << 30) int bytesPerDay,
                @Range(min = 1, max = 1_000_000) int uploads,
                @Range(min = 1_000_000, max = 1 << 30) int uploadBytesPerDay,
                @Range(min = 1, max = 1_000_000) int uploadMegapixelsPerHour,
                @Range(min = 1_000_000, max = 1 << 30) int newUploadBytesPerDay,
                @Range(min = 0, max = 365) int newDays,
                @Range(min = 0, max = 720) int newAccountHours,
                @Range(min = 1, max = 1000) int newAccountPostsPerHour,
                @Range(min = 1, max = 1000) int exports) {}
    }

    /**
     * The search for signals of abuse in posts of young accounts; see docs/operate/moderation.md.
     *
     * @param accountHours for how long after its sign-up the posts of an account are looked through
     * @param links a post with a link to another site
     * @param mentions a post that names more than {@code mentionsMax} accounts that do not follow its author
     * @param sameText a text or a link that more than {@code sameTextAccounts} young accounts post within an hour
     */
    public record Signals(
            @Range(min = 1, max = 87_600) int accountHours,
            Consequence links,
            Consequence mentions,
            @Range(min = 0, max = 50) int mentionsMax,
            Consequence sameText,
            @Range(min = 1, max = 50) int sameTextAccounts) {
        /** The consequence for a post that has a signal. */
        public enum Consequence {
            /** The signal is not looked for. */
            NONE,
            /** The post is published as unlisted. */
            LIMIT,
            /** The post waits for a moderator. */
            HOLD
        }

        /** Whether any signal is looked for. */
        public boolean isOn() {
            return links != Consequence.NONE || mentions != Consequence.NONE || sameText != Consequence.NONE;
        }
    }

    /**
     * Homes and fan-out.
     *
     * @param homeMax ids kept in a home
     * @param homeSlack how far a home may grow over homeMax before a delivery trims it
     * @param pushMaxFollowers followers that an author may have whose posts are pushed; readers pull all others
     * @param inactiveDays a home that nobody has read for so long is dropped and rebuilt by the next read
     * @param fanOutPage followers served by one job before it goes on as a further job
     * @param tagDays the list of a tag that nobody has used for so long is dropped
     * @param cacheBytes what a process may remember of statuses and accounts that it has shown
     */
    public record Feeds(
            @Range(min = 1, max = 10_000) int homeMax,
            @Range(min = 0, max = 10_000) int homeSlack,
            @Range(min = 1, max = 1000) int outboxMax,
            @Range(min = 0, max = 1_000_000_000) int pushMaxFollowers,
            @Range(min = 1, max = 3650) int inactiveDays,
            @Range(min = 1, max = 3650) int tombstoneDays,
            @Range(min = 1, max = 10_000) int fanOutPage,
            @Range(min = 1, max = 3650) int tagDays,
            @Range(min = 0, max = 1 << 30) int cacheBytes) {}

    /**
     * Articles and their rankings.
     *
     * @param bestVotes votes from which on an article is among the best
     * @param rankingMax entries of each ranking, that of a group too
     * @param groupsMax groups in all
     */
    public record Articles(
            @Range(min = 1, max = 1_000_000) int bestVotes,
            @Range(min = 100, max = 10_000_000) int rankingMax,
            @Range(min = 1, max = 1_000_000) int groupsMax) {}

    /**
     * Pictures, videos and sounds.
     *
     * @param directory where their files lie, or with a bucket those that are being made; empty = DATA/media for
     *     {@code up} and those that join it, else none can be uploaded without a bucket
     * @param bytesMax of an uploaded picture
     * @param videoBytesMax of an uploaded video or sound; 0 = none is taken
     * @param accountBytesMax of all files of the pictures, videos and sounds of one account; 0 = any
     * @param ffmpeg the program that makes previews of them; empty = the one of the search path, {@code none} = there
     *     are no previews
     * @param pixelsMax of a picture, width times height
     * @param atOncePixels of a plain JPEG that is made before its upload is answered; what takes longer is left to a
     *     job
     * @param decodesAtOnce pictures that are processed at a time, each in up to 100 MiB of heap
     * @param decodesWaiting those that may wait for it
     * @param uploadsAtOnce files that a process receives at a time; one user may send a quarter of them
     * @param uploadSpeedMin bytes a second, below which an upload is ended
     * @param uploadSpeedTime over which they are counted
     * @param uploadTimeout how long a request with a file may take, apart from the time in which the file comes
     * @param videoTimeout the same with a file that is longer than a picture may be
     */
    public record Media(
            String directory,
            @Range(min = 1 << 16, max = 256 << 20) int bytesMax,
            @Range(min = 0, max = 1 << 30) int videoBytesMax,
            @Range(min = 0, max = 1L << 50) long accountBytesMax,
            String ffmpeg,
            @Range(min = 10_000, max = 200_000_000) int pixelsMax,
            @Range(min = 0, max = 2_000_000_000) int atOncePixels,
            @Range(min = 1, max = 64) int decodesAtOnce,
            @Range(min = 0, max = 1000) int decodesWaiting,
            @Range(min = 1_000, max = 600_000) Duration decodeTimeout,
            @Range(min = 4, max = 1000) int uploadsAtOnce,
            @Range(min = 1 << 10, max = 1 << 20) int uploadSpeedMin,
            @Range(min = 1_000, max = 300_000) Duration uploadSpeedTime,
            @Range(min = 1_000, max = 600_000) Duration uploadTimeout,
            @Range(min = 1_000, max = 3_600_000) Duration videoTimeout,
            S3 s3) {
        public Media {
            check(
                    ffmpeg.isEmpty() || ffmpeg.equals("none") || Path.of(ffmpeg).isAbsolute(),
                    "media.ffmpeg must be the whole path of a program, or none; empty for the ffmpeg of the search path");
        }

        /** Whether pictures can be uploaded. */
        public boolean isOffered() {
            return s3.isSet() || !directory.isEmpty();
        }

        /** Whether videos and sounds can be uploaded. */
        public boolean takesClips() {
            return isOffered() && videoBytesMax > 0;
        }

        /** The same in this folder, if none is set. */
        public Media orIn(String folder) {
            return directory.isEmpty() ? in(folder) : this;
        }

        /** The same in this folder. */
        public Media in(String folder) {
            return new Media(
                    folder,
                    bytesMax,
                    videoBytesMax,
                    accountBytesMax,
                    ffmpeg,
                    pixelsMax,
                    atOncePixels,
                    decodesAtOnce,
                    decodesWaiting,
                    decodeTimeout,
                    uploadsAtOnce,
                    uploadSpeedMin,
                    uploadSpeedTime,
                    uploadTimeout,
                    videoTimeout,
                    s3);
        }
    }

    /**
     * An S3-compatible bucket for the files of pictures.
     *
     * @param endpoint {@code https://host} or {@code http://host:port}; empty = there is none, and the files lie in a
     *     folder
     * @param pathStyle whether the bucket is named in the path, not before the host
     * @param publicUrl where everybody can read the bucket, to which readers are sent; empty = they get files from here
     * @param timeout for one try of a request; one that sends a file has a second more for each megabyte
     * @param readsAtOnce files that a process reads from the bucket at a time
     */
    public record S3(
            String endpoint,
            String bucket,
            String region,
            String accessKey,
            Secret secretKey,
            boolean pathStyle,
            String publicUrl,
            @Range(min = 500, max = 60_000) Duration timeout,
            @Range(min = 1, max = 10_000) int readsAtOnce) {
        private static final String SITE = "https?://[A-Za-z0-9.-]+(:\\d{1,5})?";

        public S3 {
            check(
                    endpoint.isEmpty() || endpoint.matches(SITE),
                    "media.s3.endpoint must read https://host or http://host:port, without a path; the bucket goes into media.s3.bucket");
            check(
                    bucket.isEmpty() || bucket.matches("[A-Za-z0-9][A-Za-z0-9._-]{1,61}[A-Za-z0-9]"),
                    "media.s3.bucket must be the name of a bucket: 3 to 63 letters, digits, dots and dashes");
            check(
                    region.matches("[A-Za-z0-9-]{1,64}"),
                    "media.s3.region must be the name of a region; us-east-1 does where a store has none");
            check(
                    accessKey.matches("[!-~&&[^/,=]]{0,128}"),
                    "media.s3.access-key must be at most 128 letters, digits and signs, without spaces, commas, / and =");
            check(
                    publicUrl.isEmpty() || publicUrl.matches(SITE + "(/[A-Za-z0-9._~-]+)*"),
                    "media.s3.public-url must be empty, or begin with http:// or https:// and not end with a slash");
            boolean whole = !bucket.isEmpty() && !accessKey.isEmpty() && secretKey.isSet();
            boolean none = bucket.isEmpty() && accessKey.isEmpty() && !secretKey.isSet() && publicUrl.isEmpty();
            check(
                    endpoint.isEmpty() ? none : whole,
                    "media.s3.endpoint, media.s3.bucket, media.s3.access-key and media.s3.secret-key go together: set all, or none for pictures in a folder");
        }

        /** Whether files are in a bucket. */
        public boolean isSet() {
            return !endpoint.isEmpty();
        }

        /** The address of the bucket, to which {@code /} and a key are added. */
        public String base() {
            int host = endpoint.indexOf("//") + 2;
            return pathStyle
                    ? endpoint + "/" + bucket
                    : endpoint.substring(0, host) + bucket + "." + endpoint.substring(host);
        }

        /** Scheme, host and port of {@code publicUrl}; empty when there is none. */
        public String publicOrigin() {
            int path = publicUrl.indexOf('/', publicUrl.indexOf("//") + 2);
            return path < 0 ? publicUrl : publicUrl.substring(0, path);
        }
    }

    /**
     * Full-text search of statuses.
     *
     * @param enabled whether API processes keep an index
     * @param directory where it lies, one folder per process; empty = DATA/search for {@code up} and those that join
     *     it, else there is none
     * @param bytesMax of the index of a process; the oldest statuses leave it
     * @param queriesAtOnce searches that run at a time
     * @param queriesWaiting those that may wait for it
     * @param timeout how long one may take: what was found by then is the answer
     * @param poll how often the event log is read
     */
    public record Search(
            boolean enabled,
            String directory,
            @Range(min = 1 << 20, max = 1L << 40) long bytesMax,
            @Range(min = 1, max = 64) int queriesAtOnce,
            @Range(min = 0, max = 1000) int queriesWaiting,
            @Range(min = 50, max = 10_000) Duration timeout,
            @Range(min = 10, max = 60_000) Duration poll) {
        /** Whether this process can search. */
        public boolean isOffered() {
            return enabled && !directory.isEmpty();
        }

        /** The same in this folder, if none is set. */
        public Search orIn(String folder) {
            return directory.isEmpty()
                    ? new Search(enabled, folder, bytesMax, queriesAtOnce, queriesWaiting, timeout, poll)
                    : this;
        }
    }

    /**
     * The archive of old statuses.
     *
     * @param jdbcUrl of the database; empty = {@code up} keeps one in its data folder, other processes have none
     * @param profileMax own statuses that an author keeps in Redis; 0 = any number
     * @param days how old a status in Redis becomes; 0 = any age
     * @param threads calls of the database at once
     * @param waitingMax further calls that wait
     * @param poll how often a worker looks for statuses to be moved
     * @param thawFor how long a status that was written to stays in Redis
     */
    public record Archive(
            Secret jdbcUrl,
            @Range(min = 0, max = 1_000_000) int profileMax,
            @Range(min = 0, max = 36_500) int days,
            @Range(min = 1, max = 64) int threads,
            @Range(min = 0, max = 10_000) int waitingMax,
            @Range(min = 100, max = 60_000) Duration timeout,
            @Range(min = 10, max = 600_000) Duration poll,
            @Range(min = 0, max = 86_400_000) Duration thawFor) {
        private static final String HOST = "([\\w.-]+|\\[[0-9A-Fa-f:.]+\\])(:\\d{1,5})?";

        /** So strict that a driver finds nothing to complain of: it would quote the address, with its password. */
        private static final Pattern POSSIBLE_URL =
                Pattern.compile("jdbc:sqlite:/.+|jdbc:postgresql://" + HOST + "(," + HOST + ")*/[^/?%]+([?]\\S*)?");

        public Archive {
            check(
                    !jdbcUrl.isSet() || POSSIBLE_URL.matcher(jdbcUrl.reveal()).matches(),
                    "archive.jdbc-url must read jdbc:sqlite:/path/of/a/file"
                            + " or jdbc:postgresql://host:port/database?user=NAME&password=SECRET");
        }

        /** After which a status moves; zero = never. */
        public Duration age() {
            return Duration.ofDays(days);
        }

        /** The same in another database. */
        public Archive at(Secret newUrl) {
            return new Archive(newUrl, profileMax, days, threads, waitingMax, timeout, poll, thawFor);
        }

        /** The same for somebody who waits so long. */
        public Archive waiting(Duration newTimeout) {
            return new Archive(jdbcUrl, profileMax, days, threads, waitingMax, newTimeout, poll, thawFor);
        }
    }

    /**
     * The free space kept on the disks that files are written to: the largest of the three, see {@code DiskReserve}.
     *
     * @param reserveBytes but a tenth of a volume at most; 0 = none
     * @param reservePercent of a volume; 0 = none
     * @param reserveRedisTimes so many times the data of a redis-server of this machine; 0 = none
     */
    public record Disk(
            @Range(min = 0, max = 1L << 50) long reserveBytes,
            @Range(min = 0, max = 90) int reservePercent,
            @Range(min = 0, max = 10) int reserveRedisTimes) {}

    /**
     * Web Push: word of notifications to apps that are not open.
     *
     * @param vapidKey private key of P-256, 32 bytes in base64url; empty = the one that is kept in Redis
     * @param allowPrivate whether it may go to addresses that are not of the public internet
     * @param perHost messages on their way to one push service at once, per event loop
     * @param timeout for one message, the connection included
     * @param deadDays for how long all messages to a subscription may fail before it ends
     */
    public record Push(
            boolean enabled,
            Secret vapidKey,
            boolean allowPrivate,
            @Range(min = 1, max = 100) int perHost,
            @Range(min = 100, max = 30_000) Duration timeout,
            @Range(min = 1, max = 365) int deadDays) {
        private static final Pattern KEY = Pattern.compile("[A-Za-z0-9_-]{43}=?");

        public Push {
            check(
                    !vapidKey.isSet() || KEY.matcher(vapidKey.reveal()).matches(),
                    "push.vapid-key must be 32 bytes in base64url, which are 43 characters, or empty");
        }
    }

    /**
     * Mails to users, by one mail server of the operator's.
     *
     * @param host of the mail server; empty = no mails are sent
     * @param password empty = the mail server wants no log-in
     * @param from the address that mails come from
     * @param requireConfirmation whether new accounts are used only after their address was confirmed
     * @param signInNotices whether accounts get a mail about a log-in from a new place
     * @param perMinute mails that all processes send in a minute
     * @param timeout for one mail, the connection included
     */
    public record Mail(
            String host,
            @Range(min = 1, max = 65535) int port,
            MailTls tls,
            String username,
            Secret password,
            String from,
            boolean requireConfirmation,
            boolean signInNotices,
            @Range(min = 1, max = 100_000) int perMinute,
            @Range(min = 100, max = 20_000) Duration timeout) {
        /** The encryption of the connection to the mail server. */
        public enum MailTls {
            /** None, for a mail server on the same machine. */
            OFF,
            /** The connection begins as plain text. No mail is sent unless it becomes encrypted. */
            STARTTLS,
            /** Encrypted from its first byte. */
            IMPLICIT
        }

        private static final Pattern HOST = Pattern.compile("[A-Za-z0-9._:-]{1,253}");
        private static final Pattern ADDRESS =
                Pattern.compile("[!-~&&[^@<>(),;:\\\\\"\\[\\]]]{1,64}@[A-Za-z0-9.-]{1,189}");

        public Mail {
            check(host.isEmpty() || HOST.matcher(host).matches(), "mail.host must be empty, a host name or an address");
            check(
                    from.isEmpty() ? host.isEmpty() : ADDRESS.matcher(from).matches(),
                    "mail.from must be an e-mail address where mail.host is set, such as fanfare@example.org");
            check(
                    !requireConfirmation || !host.isEmpty(),
                    "mail.host must be set where mail.require-confirmation is true, or nobody new can use an account");
            check(
                    username.isEmpty() == !password.isSet(),
                    "mail.username and mail.password must be set together, or neither of them");
            check(
                    username.isEmpty() || tls != MailTls.OFF,
                    "mail.tls must be starttls or implicit where mail.password is set, which travels in the open otherwise");
        }

        /** Whether mails are sent. */
        public boolean isOn() {
            return !host.isEmpty();
        }
    }

    /** Leases, retries, limits of the task queue; see docs/architecture.md. */
    public record Queue(
            @Range(min = 100, max = 600_000) Duration lease,
            @Range(min = 20, max = 600_000) Duration beat,
            @Range(min = 20, max = 600_000) Duration reap,
            @Range(min = 10, max = 60_000) Duration poll,
            @Range(min = 1, max = 1000) int batchMax,
            @Range(min = 1, max = 100) int attemptsMax,
            @Range(min = 1, max = 60_000) Duration retryBase,
            @Range(min = 1, max = 86_400_000) Duration retryMax,
            @Range(min = 1, max = 100_000_000) int depthMax,
            @Range(min = 1, max = 1_000_000) int deadMax,
            @Range(min = 1, max = 3650) int deadDays) {
        public Queue {
            check(
                    beat.multipliedBy(2).compareTo(lease) < 0,
                    "queue.beat must be shorter than half of queue.lease, so that one lost beat loses no lease");
            check(retryBase.compareTo(retryMax) <= 0, "queue.retry-base must not be longer than queue.retry-max");
        }
    }

    /**
     * Worker processes.
     *
     * @param loops event loops that work, per process
     * @param batches batches in flight per loop
     * @param drainTimeout how long running handlers may finish after SIGTERM
     */
    public record Worker(
            @Range(min = 1, max = 64) int loops,
            @Range(min = 1, max = 64) int batches,
            @Range(min = 0, max = 600_000) Duration drainTimeout) {}

    /**
     * The event log and the streams.
     *
     * @param logAge at most how long an event stays in the log, and how long it is remembered that it was there; longer
     *     than a job can live (12 attempts, 24 h for one of an unknown type), so that none appends what was appended
     *     before
     * @param logSubjects subjects that the log remembers at most, about
     * @param lagMax how far behind what is published a process may be before it is not ready, and how long silence may
     *     last before the subscription is given up
     * @param drainTimeout how long sending the streams away may take after SIGTERM
     * @param deadAfter a socket that takes nothing for so long although something waits is closed
     * @param slowWindow over which a reader that is far behind is measured
     * @param slowBytes a second, which such a reader must take at least; 0 = none is ended
     * @param tokenInAddress whether Mastodon's streams take a token as access_token
     * @param perUserMax connections of one user, per process
     * @param perAddressMax connections of one address, per process
     * @param perUserTerms keywords, accounts and places of all filters of one user, or of one address without a user;
     *     see {@code FilterSpec.weight}
     * @param termsMax those of the process
     * @param replayRate events a second for which Redis is read for one stream
     * @param compress whether the streams of what is public are compressed with gzip, for clients that accept it
     */
    public record Stream(
            @Range(min = 100, max = 100_000_000) int logEvents,
            @Range(min = 1 << 20, max = 1L << 40) long logBytes,
            @Range(min = 90_000_000, max = 2_592_000_000L) Duration logAge,
            @Range(min = 100_000, max = 2_000_000_000) int logSubjects,
            @Range(min = 100, max = 10_000_000) int ringEvents,
            @Range(min = 1 << 20, max = 1L << 40) long ringBytes,
            @Range(min = 100, max = 600_000) Duration heartbeat,
            @Range(min = 200, max = 600_000) Duration lagMax,
            @Range(min = 0, max = 600_000) Duration drainTimeout,
            boolean anonymous,
            boolean tokenInAddress,
            @Range(min = 1, max = 1_000_000) int connectionsMax,
            @Range(min = 1, max = 1_000_000) int perTokenMax,
            @Range(min = 1, max = 1_000_000) int perUserMax,
            @Range(min = 1, max = 1_000_000) int perAddressMax,
            @Range(min = 1, max = 1_000_000) int perUserRate,
            @Range(min = 1, max = 1_000_000) int perAddressRate,
            @Range(min = 1, max = 20_000) int trackMax,
            @Range(min = 1, max = 10_000) int followMax,
            @Range(min = 1, max = 100) int locationsMax,
            @Range(min = 1_000, max = 100_000_000) int perUserTerms,
            @Range(min = 1_000, max = 100_000_000) int termsMax,
            @Range(min = 1_000, max = 3_600_000) Duration deadAfter,
            @Range(min = 1_000, max = 3_600_000) Duration slowWindow,
            @Range(min = 0, max = 1_000_000) int slowBytes,
            @Range(min = 100, max = 1_000_000) int replayRate,
            @Range(min = 0, max = 1_000_000) int quota,
            boolean compress) {}

    /**
     * How to log.
     *
     * @param auditAddresses how audit events name addresses
     */
    public record Log(
            String level,
            boolean json,
            Addresses auditAddresses,
            @Range(min = 100, max = 1_000_000) int auditEntries) {
        public Log {
            check(LOG_LEVELS.contains(level), "log.level must be one of ERROR, WARN, INFO, DEBUG, TRACE");
        }

        /** By a keyed digest, or as they are. */
        public enum Addresses {
            PSEUDONYM,
            FULL
        }
    }

    /** The same settings with another public server. */
    public Settings with(Http newHttp) {
        return new Settings(
                newHttp,
                instance,
                management,
                console,
                redis,
                auth,
                limits,
                signals,
                feeds,
                articles,
                media,
                search,
                archive,
                disk,
                push,
                mail,
                queue,
                worker,
                stream,
                log);
    }

    /** The same settings at another Redis. */
    public Settings with(Redis newRedis) {
        return new Settings(
                http,
                instance,
                management,
                console,
                newRedis,
                auth,
                limits,
                signals,
                feeds,
                articles,
                media,
                search,
                archive,
                disk,
                push,
                mail,
                queue,
                worker,
                stream,
                log);
    }

    /** The same settings with pictures elsewhere. */
    public Settings with(Media newMedia) {
        return new Settings(
                http,
                instance,
                management,
                console,
                redis,
                auth,
                limits,
                signals,
                feeds,
                articles,
                newMedia,
                search,
                archive,
                disk,
                push,
                mail,
                queue,
                worker,
                stream,
                log);
    }

    /** The same settings with the index of the search elsewhere. */
    public Settings with(Search newSearch) {
        return new Settings(
                http,
                instance,
                management,
                console,
                redis,
                auth,
                limits,
                signals,
                feeds,
                articles,
                media,
                newSearch,
                archive,
                disk,
                push,
                mail,
                queue,
                worker,
                stream,
                log);
    }

    /** The same settings with other keys of tokens. */
    public Settings with(Auth newAuth) {
        return new Settings(
                http,
                instance,
                management,
                console,
                redis,
                newAuth,
                limits,
                signals,
                feeds,
                articles,
                media,
                search,
                archive,
                disk,
                push,
                mail,
                queue,
                worker,
                stream,
                log);
    }

    /** The same settings with another archive. */
    public Settings with(Archive newArchive) {
        return new Settings(
                http,
                instance,
                management,
                console,
                redis,
                auth,
                limits,
                signals,
                feeds,
                articles,
                media,
                search,
                newArchive,
                disk,
                push,
                mail,
                queue,
                worker,
                stream,
                log);
    }

    private static void checkToken(String name, Secret token) {
        check(
                !token.isSet() || token.reveal().matches("[!-~]{" + TOKEN_CHARS_MIN + ",}"),
                name + " must be empty or at least " + TOKEN_CHARS_MIN
                        + " characters long, letters, digits and signs without spaces: head -c 32 /dev/urandom | base64 makes one");
    }

    private static void check(boolean holds, String otherwise) {
        if (!holds) {
            throw new IllegalArgumentException(otherwise);
        }
    }
}
