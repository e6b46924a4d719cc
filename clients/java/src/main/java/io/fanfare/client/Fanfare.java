package io.fanfare.client;

import io.fanfare.client.http.Arguments;
import io.fanfare.client.http.Call;
import io.fanfare.client.http.Pause;
import io.fanfare.client.http.Refusals;
import io.fanfare.client.http.Transport;
import io.fanfare.client.stream.Filter;
import io.fanfare.client.stream.StreamBuilder;
import io.fanfare.client.stream.StreamContext;
import java.net.URI;
import java.net.http.HttpClient;
import java.security.SecureRandom;
import java.time.Duration;
import java.time.InstantSource;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.function.Supplier;
import java.util.random.RandomGenerator;
import javax.net.ssl.SSLContext;

/**
 * A client of one Fanfare server, with one access token. Thread-safe; a call blocks its thread until the answer is
 * there or the last attempt has failed with a {@link io.fanfare.client.error.FanfareException}.
 */
public final class Fanfare {
    private final Api api;
    private final StreamContext streams;
    private final Pause pause;

    private Fanfare(Transport transport, StreamContext streams, Pause pause) {
        this.api = new Api(transport);
        this.streams = streams;
        this.pause = pause;
    }

    /**
     * Names the server.
     *
     * @param addresses such as {@code http://127.0.0.1:8080}; several of one installation are used in turn when one of
     *     them does not answer
     */
    public static Builder at(String... addresses) {
        List<URI> servers = servers(Arrays.asList(addresses));
        return new Builder(() -> servers);
    }

    /** Names servers that move: the source is called before each attempt. */
    public static Builder at(Supplier<List<String>> addresses) {
        Arguments.present(addresses, "the source of addresses");
        return new Builder(() -> servers(addresses.get()));
    }

    private static URI server(String address) {
        String sentence = "\"" + address + "\" is no address of a server: write http://HOST:PORT or https://HOST";
        Arguments.check(address != null, sentence);
        URI server;
        try {
            server = URI.create(address.strip());
        } catch (IllegalArgumentException e) {
            throw new IllegalArgumentException(sentence, e);
        }
        String scheme = String.valueOf(server.getScheme()).toLowerCase(Locale.ROOT);
        Arguments.check(
                (scheme.equals("http") || scheme.equals("https"))
                        && server.getHost() != null
                        && server.getPort() <= 65_535
                        && server.getRawQuery() == null
                        && server.getRawUserInfo() == null,
                sentence);
        return server;
    }

    private static List<URI> servers(List<String> addresses) {
        return Arguments.notEmpty(addresses, "the list of addresses").stream()
                .map(Fanfare::server)
                .toList();
    }

    public Accounts accounts() {
        return new Accounts(api);
    }

    public Statuses statuses() {
        return new Statuses(api);
    }

    public Timelines timelines() {
        return new Timelines(api);
    }

    public Notifications notifications() {
        return new Notifications(api);
    }

    public Media media() {
        return new Media(api, pause);
    }

    public Lists lists() {
        return new Lists(api);
    }

    public Articles articles() {
        return new Articles(api);
    }

    public Apps apps() {
        return new Apps(api);
    }

    /** All public events. */
    public StreamBuilder firehose() {
        return new StreamBuilder(streams, "firehose", Filter.empty());
    }

    /** One percent of the public statuses, always the same ones. */
    public StreamBuilder sample() {
        return new StreamBuilder(streams, "sample", Filter.empty());
    }

    /** So many percent of the public statuses; a smaller sample is a part of a larger one. */
    public StreamBuilder sample(double percent) {
        return sample().parameter("rate", Double.toString(percent));
    }

    /** The public statuses that match. */
    public StreamBuilder stream(Filter filter) {
        return new StreamBuilder(streams, "filter", Arguments.present(filter, "the filter"));
    }

    /** The home and the notifications of the account of the token. */
    public StreamBuilder home() {
        return new StreamBuilder(streams, "home", Filter.empty());
    }

    /**
     * An operation of the API for which this library has no method; its answer as it came.
     *
     * @param method such as {@code GET}; a GET, PUT or DELETE is repeated when its answer is lost
     * @param path such as {@code /api/v2/instance}, with its query
     * @param fields of the body; empty = no body
     */
    public String call(String method, String path, Map<String, ?> fields) {
        String verb = Arguments.text(method, "the method", 10).toUpperCase(Locale.ROOT);
        Arguments.check(
                path != null && path.startsWith("/") && !path.startsWith("//"),
                "a path begins with one slash, such as /api/v2/instance");
        Call call = Call.of(verb, path, List.of("GET", "PUT", "DELETE").contains(verb));
        return api.transport()
                .send(fields == null || fields.isEmpty() ? call : call.json(fields))
                .body();
    }

    /** The options of a client. One thread. */
    public static final class Builder {
        private static final Duration CONNECT_MAX = Duration.ofSeconds(10);
        private static final int BODY_BYTES_MAX = 16 * 1024 * 1024;

        private final Supplier<List<URI>> servers;
        private Supplier<String> token = () -> "";
        private Duration timeLimit = Duration.ofSeconds(30);
        private int attempts = 5;
        private Duration waitMax = Duration.ofSeconds(60);
        private SSLContext tls;
        private RandomGenerator random = new SecureRandom();
        private Pause pause = wait -> TimeUnit.NANOSECONDS.sleep(wait.toNanos());

        private Builder(Supplier<List<URI>> servers) {
            this.servers = servers;
        }

        /** An access token; without one only public calls work. */
        public Builder token(String value) {
            String checked = checked(value);
            token = () -> checked;
            return this;
        }

        /** A token that changes: called before each request and each connection. */
        public Builder token(Supplier<String> source) {
            Arguments.present(source, "the source of tokens");
            token = () -> checked(source.get());
            return this;
        }

        /** The limit of one attempt of a call, from the connection to the last byte (30 s). */
        public Builder timeLimit(Duration limit) {
            Arguments.check(limit != null && limit.toMillis() >= 1, "the time limit is at least a millisecond");
            timeLimit = limit;
            return this;
        }

        /** How often a call is sent at most (5); 1 = no retry. */
        public Builder attempts(int most) {
            attempts = Arguments.range(most, 1, 100, "the number of attempts");
            return this;
        }

        /**
         * The longest wait that the server may demand ({@code Retry-After}, {@code X-RateLimit-Reset}) before an
         * attempt (60 s). A longer one fails the call at once.
         */
        public Builder waitMax(Duration most) {
            Arguments.check(most != null && !most.isNegative(), "the longest wait is zero or more");
            waitMax = most;
            return this;
        }

        /** For certificates that the JVM does not trust by itself. */
        public Builder tls(SSLContext context) {
            tls = Arguments.present(context, "the context of TLS");
            return this;
        }

        /** For tests: randomness and waits. */
        Builder with(RandomGenerator source, Pause waits) {
            random = source;
            pause = waits;
            return this;
        }

        public Fanfare build() {
            HttpClient.Builder http = HttpClient.newBuilder()
                    .connectTimeout(CONNECT_MAX)
                    .followRedirects(HttpClient.Redirect.NEVER)
                    .version(HttpClient.Version.HTTP_1_1);
            if (tls != null) {
                http.sslContext(tls);
            }
            HttpClient client = http.build();
            Refusals refusals = new Refusals(InstantSource.system());
            Transport.Limits limits = new Transport.Limits(timeLimit, attempts, waitMax, BODY_BYTES_MAX);
            StreamContext streams = new StreamContext(
                    client,
                    servers,
                    token,
                    refusals,
                    random,
                    System::nanoTime,
                    server -> new Transport(client, () -> List.of(server), token, limits, refusals, random, pause));
            return new Fanfare(new Transport(client, servers, token, limits, refusals, random, pause), streams, pause);
        }

        private static String checked(String token) {
            String value = token == null ? "" : token.strip();
            // The message must not show it.
            Arguments.check(
                    value.length() <= 4096 && value.chars().allMatch(c -> c > ' ' && c < 0x7f),
                    "the access token has a character that no token has");
            return value;
        }
    }
}
