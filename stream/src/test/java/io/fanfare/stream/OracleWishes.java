package io.fanfare.stream;

import static io.fanfare.redis.testing.TestRedis.await;

import io.fanfare.common.event.Event;
import io.fanfare.common.event.MatchFields;
import io.fanfare.common.model.Visibility;
import io.fanfare.stream.OracleClient.Wish;
import io.fanfare.stream.filter.FirehoseFilter;
import io.fanfare.stream.filter.HashtagFilter;
import io.fanfare.stream.filter.PredicateFilter;
import io.fanfare.stream.filter.PublicTimeline;
import io.fanfare.stream.filter.StreamEvent;
import io.fanfare.stream.filter.StreamFilter;
import io.fanfare.stream.match.FilterSpec;
import io.fanfare.stream.match.FilterSpec.Reposts;
import io.fanfare.stream.match.Sample;
import io.fanfare.stream.wire.Dialect;
import java.net.URLEncoder;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * The requests of the clients of a {@link StreamOracle}: every stream in every dialect, sockets with several, filters
 * that take turns, and mostly filters, of which each wants one event in forty or so; and the words, tags and authors of
 * these.
 */
final class OracleWishes {
    private static final int AUTHORS = 40;
    private static final int WORDS = 120;
    private static final int VIEWERS = 4;
    private static final List<String> SPECIAL = List.of("rain", "北京", "天气", "音楽", "🚲", "서울", "straße", "naïve");
    private static final List<String> TAGS = List.of("news", "sport", "weather");
    private static final FilterSpec.Bounds BOUNDS = new FilterSpec.Bounds(100, 100, 100);
    private static final String OURS = "/api/v1/streaming/";
    private static final String TWITTERS = "/1.1/statuses/";

    private final StreamServer server;
    private final List<Long> authors = new ArrayList<>();
    private final List<String> words = new ArrayList<>(SPECIAL);
    private final List<List<Wish>> wishes = new ArrayList<>();
    private final List<OracleHome> homes = new ArrayList<>();

    OracleWishes(StreamServer server) {
        this.server = server;
        for (int i = 0; i < AUTHORS; i++) {
            authors.add(server.newUser());
        }
        for (int i = words.size(); i < WORDS; i++) {
            words.add("w" + (char) ('a' + i / 26) + (char) ('a' + i % 26) + "x");
        }
        addWhole();
        addHomes();
        addSockets();
        addReposts();
        addWide();
        addTurns();
        for (int i = 0; i < WORDS; i++) {
            addTrack(i);
            if (i % 3 == 0) {
                addFollow(authors.get(i / 3));
            }
        }
    }

    /** The requests of one client, several streams if they go over one socket; any number finds one. */
    List<Wish> get(int i) {
        return wishes.get(i % wishes.size());
    }

    long author(int i) {
        return authors.get(i % AUTHORS);
    }

    OracleHome home(int i) {
        return homes.get(i % VIEWERS);
    }

    /** Tells all homes of a status, in the order of the log. */
    void note(Event status) {
        homes.forEach(home -> home.note(status));
    }

    String keyword(int i) {
        return words.get(i % WORDS);
    }

    String tag(int i) {
        return TAGS.get(i % TAGS.size());
    }

    private void add(String path, Dialect dialect, StreamFilter filter) {
        wishes.add(List.of(new Wish(path, dialect, filter, "")));
    }

    /** As somebody who is signed in. */
    private void addSigned(long user, String path, Dialect dialect, StreamFilter filter) {
        wishes.add(List.of(new Wish(path, dialect, filter, server.token(user, "read"))));
    }

    private void addWhole() {
        add(OURS + "firehose", Dialect.NATIVE, FirehoseFilter.WHOLE);
        add(OURS + "firehose", Dialect.LINES, FirehoseFilter.WHOLE);
        add(OURS + "firehose?delimited=length", Dialect.LENGTHS_AND_LINES, FirehoseFilter.WHOLE);
        add(TWITTERS + "firehose.json", Dialect.TWITTER, FirehoseFilter.WHOLE);
        add(TWITTERS + "firehose.json?delimited=length", Dialect.LENGTHS_AND_TWITTER, FirehoseFilter.WHOLE);
        add(OURS + "public", Dialect.MASTODON, new PublicTimeline());
        TAGS.forEach(tag -> add(OURS + "hashtag?tag=" + tag, Dialect.MASTODON, new HashtagFilter(tag)));
        for (double percent : new double[] {1, 10, 50}) {
            Sample sample = Sample.of(percent, server.sampleSalt(), 0);
            add(OURS + "sample?rate=" + percent, Dialect.NATIVE, FirehoseFilter.of(sample));
        }
        add(TWITTERS + "sample.json", Dialect.TWITTER, FirehoseFilter.of(Sample.of(1, server.sampleSalt(), 0)));
    }

    /** Homes of viewers who follow every other author to begin with. */
    private void addHomes() {
        for (int i = 0; i < VIEWERS; i++) {
            long viewer = server.newUser();
            Set<Long> followed = new HashSet<>();
            for (int j = i % 2; j < AUTHORS; j += 2) {
                followed.add(authors.get(j));
            }
            await(server.graph.followAll(
                    followed.stream().map(author -> new long[] {viewer, author}).toList()));
            OracleHome home = new OracleHome(viewer, followed);
            homes.add(home);
            addSigned(viewer, OURS + "home", Dialect.NATIVE, home);
            addSigned(viewer, OURS + "home", Dialect.LINES, home);
        }
    }

    /** One of nobody, and one of each who has a home. */
    private void addSockets() {
        wishes.add(onSocket(""));
        for (OracleHome home : homes) {
            String token = server.token(home.viewer(), "read");
            List<Wish> streams = onSocket(token);
            streams.add(0, onSocket("user", home, token));
            wishes.add(streams);
        }
    }

    private static List<Wish> onSocket(String token) {
        List<Wish> streams = new ArrayList<>();
        streams.add(onSocket("public", new PublicTimeline(), token));
        streams.add(onSocket("public:local", new PublicTimeline(), token));
        TAGS.forEach(tag -> streams.add(onSocket("hashtag&tag=" + tag, new HashtagFilter(tag), token)));
        return streams;
    }

    private static Wish onSocket(String stream, StreamFilter filter, String token) {
        return new Wish("/api/v1/streaming?stream=" + stream, Dialect.MASTODON_SOCKET, filter, token);
    }

    private void addReposts() {
        int next = SPECIAL.size();
        for (Reposts reposts : Reposts.values()) {
            String keyword = words.get(next++);
            String query =
                    "filter?track=" + keyword + "&reposts=" + reposts.name().toLowerCase(Locale.ROOT);
            add(OURS + query, Dialect.NATIVE, new Naive(keyword, reposts));
            add(OURS + query, Dialect.LINES, new Naive(keyword, reposts));
        }
    }

    /** A filter for one word of plain letters. */
    private record Naive(String keyword, Reposts reposts) implements StreamFilter {
        @Override
        public boolean wants(StreamEvent event) {
            boolean isOfStatus = event.kind() == Event.Kind.STATUS || event.kind() == Event.Kind.DELETE;
            if (!isOfStatus || event.event().visibility() != Visibility.PUBLIC) {
                return false;
            }
            MatchFields about = event.matchFields();
            boolean own = has(about.text());
            return switch (reposts) {
                case INCLUDE -> own || has(about.originalText());
                case COMMENT -> own;
                case EXCLUDE -> own && about.originalAuthorId() == 0;
            };
        }

        private boolean has(String text) {
            return List.of(text.split(" ")).contains(keyword);
        }
    }

    /** Filters that want so much that it has to wait for slow readers. */
    private void addWide() {
        List<String> most = words.subList(0, BOUNDS.track());
        String track = URLEncoder.encode(String.join(",", most), StandardCharsets.UTF_8);
        StreamFilter filter = filter(Set.of(), String.join(",", most), false, "");
        add(OURS + "filter?track=" + track, Dialect.NATIVE, filter);
        add(OURS + "filter?track=" + track, Dialect.LINES, filter);
        String half = authors.stream().limit(AUTHORS / 2).map(String::valueOf).collect(Collectors.joining(","));
        add(
                OURS + "filter?delimited=length&follow=" + half,
                Dialect.LENGTHS_AND_LINES,
                filter(Set.copyOf(authors.subList(0, AUTHORS / 2)), "", false, ""));
    }

    /** Filters that take turns. Some of them have to wait for slow readers, and so does a change of them. */
    private void addTurns() {
        Turn most = tracking(words.subList(0, BOUNDS.track()));
        List<Long> half = authors.subList(0, AUTHORS / 2);
        Turn turn = new Turn(
                "?follow=" + half.stream().map(String::valueOf).collect(Collectors.joining(",")),
                filter(Set.copyOf(half), "", false, ""));
        addTurns(Dialect.NATIVE, most, turn);
        addTurns(Dialect.LINES, turn, most, tracking(words.subList(0, 1)));
        for (int i = 0; i < SPECIAL.size(); i++) {
            addTurns(Dialect.NATIVE, tracking(words.subList(i, i + 2)), tracking(words.subList(i + 1, i + 4)));
        }
    }

    private record Turn(String query, StreamFilter filter) {}

    private static Turn tracking(List<String> words) {
        String all = String.join(",", words);
        return new Turn("?track=" + URLEncoder.encode(all, StandardCharsets.UTF_8), filter(Set.of(), all, false, ""));
    }

    private void addTurns(Dialect dialect, Turn... turns) {
        OracleTurns filter = new OracleTurns(
                Stream.of(turns).map(Turn::query).toList(),
                Stream.of(turns).map(Turn::filter).toList());
        // Not all of one user, who may not come so often.
        addSigned(authors.get(wishes.size() % AUTHORS), OURS + "filter", dialect, filter);
    }

    private void addTrack(int i) {
        String keyword = words.get(i);
        StreamFilter filter = filter(Set.of(), keyword, false, "");
        String query = "?track=" + URLEncoder.encode(keyword, StandardCharsets.UTF_8);
        switch (i % 4) {
            case 0 -> add(OURS + "filter" + query, Dialect.LINES, filter);
            case 1 -> add(TWITTERS + "filter.json" + query + "&delimited=length", Dialect.LENGTHS_AND_TWITTER, filter);
            case 2 -> addSigned(authors.get(i % AUTHORS), OURS + "filter" + query, Dialect.NATIVE, filter);
            default -> add(OURS + "filter" + query + "&delimited=length", Dialect.LENGTHS_AND_LINES, filter);
        }
        add(OURS + "filter" + query, Dialect.NATIVE, filter);
    }

    private void addFollow(long author) {
        add(OURS + "filter?follow=" + author, Dialect.NATIVE, filter(Set.of(author), "", false, ""));
        String words = "?combine=and&track=rain,wbax,wcax&exclude=" + keyword(2) + "&follow=";
        add(
                OURS + "filter" + words.replace(keyword(2), URLEncoder.encode(keyword(2), StandardCharsets.UTF_8))
                        + author,
                Dialect.NATIVE,
                filter(Set.of(author), "rain,wbax,wcax", true, keyword(2)));
    }

    private static StreamFilter filter(Set<Long> follow, String track, boolean all, String exclude) {
        return new PredicateFilter(FilterSpec.builder(BOUNDS)
                .follow(follow)
                .track(track)
                .all(all)
                .exclude(exclude)
                .build());
    }
}
