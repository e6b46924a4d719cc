package io.fanfare.stream.session;

import io.fanfare.common.event.Event;
import io.fanfare.common.event.LoggedEvent;
import io.fanfare.common.event.MatchFields;
import io.fanfare.common.model.Article;
import io.fanfare.common.model.Status;
import io.fanfare.common.store.Statuses;
import io.fanfare.redis.Redis;
import io.fanfare.stream.filter.Documents;
import io.fanfare.stream.filter.Failures;
import io.fanfare.stream.filter.StreamEvent;
import io.fanfare.stream.wire.Dialect;
import io.vertx.core.buffer.Buffer;
import java.util.ArrayDeque;
import java.util.EnumMap;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.regex.Pattern;

/**
 * Sends votes to the streams that ask for them: how an article stands, to those that would send the article itself.
 * Votes of an article that come while earlier ones are under way are sent as one. An article is read before its votes
 * are sent, so that a filter looks at its words of now, and nothing of it follows its delete. What cannot be sent at
 * once is not sent at all: the next vote has the count of all. Confined to one event loop.
 */
final class VoteFeed {
    /** Articles that can wait. */
    private static final int WAITING_MAX = 2000;

    /** Articles that are read at once. */
    private static final int READ_MAX = 200;

    /** How long one turn may ask filters. */
    private static final long TURN_NANOS_MAX = 4_000_000;

    private static final Pattern NUMBER = Pattern.compile("\\d{1,18}");

    private final LoopTimers timers;
    private final Statuses statuses;
    private final Documents documents;
    private final Set<Subscriber> streams = new LinkedHashSet<>();

    /** Scores by article: those to be read, and those that have been or are being read. */
    private final Map<Long, Long> waiting = new LinkedHashMap<>();

    private final Map<Long, Long> scores = new HashMap<>();

    private final ArrayDeque<Vote> unsent = new ArrayDeque<>();
    private boolean underWay;

    VoteFeed(LoopTimers timers, Statuses statuses, Documents documents) {
        this.timers = timers;
        this.statuses = statuses;
        this.documents = documents;
    }

    /** An article to be sent, and the streams whose filters have still to see it, as far as they are open. */
    private static final class Vote {
        final Status article;
        final StreamEvent event;
        final List<Subscriber> streams;
        final Map<Dialect, Buffer> frames = new EnumMap<>(Dialect.class);
        int next;

        Vote(Status article, StreamEvent event, List<Subscriber> streams) {
            this.article = article;
            this.event = event;
            this.streams = streams;
        }
    }

    /** Sends votes to the stream from now on, until it ends. */
    void add(Subscriber stream) {
        streams.add(stream);
        stream.whenEnded(() -> streams.remove(stream));
    }

    /**
     * Takes what is published: ids of articles, each with its score. What a later version may publish is passed over.
     */
    void receive(String published) {
        List<String> words = streams.isEmpty() ? List.of() : List.of(published.split(" ", -1));
        if (words.size() % 2 == 0 && words.stream().allMatch(NUMBER.asMatchPredicate())) {
            for (int i = 0; i < words.size(); i += 2) {
                put(Long.parseLong(words.get(i)), Long.parseLong(words.get(i + 1)));
            }
            timers.guarded(this::read);
        }
    }

    private void put(long id, long score) {
        if (waiting.size() < WAITING_MAX || waiting.containsKey(id)) {
            waiting.put(id, score);
        }
    }

    /** The delete of a status is about to be sent: no votes follow it. */
    void deleted(long id) {
        waiting.remove(id);
        scores.remove(id);
    }

    /** Deletes may have been missed: what has been read so far is not sent. */
    void forget() {
        scores.clear();
    }

    private void read() {
        if (underWay || waiting.isEmpty()) {
            return;
        }
        underWay = true;
        List<Long> ids = waiting.keySet().stream().limit(READ_MAX).toList();
        scores.clear();
        ids.forEach(id -> scores.put(id, waiting.remove(id)));
        statuses.reachable(ids, Redis.NOW).onComplete(read -> goOn(() -> found(read)), unread -> end());
    }

    /** Runs a step. An exception ends this round only. */
    private void goOn(Runnable step) {
        try {
            step.run();
            send();
        } catch (RuntimeException | StackOverflowError e) {
            documents.failures().add(Failures.Scope.TURN, e);
            end();
        }
    }

    private void found(Statuses.Reachable read) {
        List<Subscriber> streamsNow = List.copyOf(streams);
        read.living().values().stream()
                .filter(Status::isArticle)
                .forEach(article -> unsent.add(vote(article, streamsNow)));
    }

    private Vote vote(Status article, List<Subscriber> streamsNow) {
        // As its event was, and with a place in no log: filters look at neither.
        String match = MatchFields.of(article, List.of()).encode();
        Event event =
                new Event(Event.Kind.STATUS, article.id(), article.authorId(), 0, article.visibility(), match, "");
        StreamEvent seen = new StreamEvent(new LoggedEvent("", 0, 0, event), documents);
        return new Vote(article, seen, streamsNow);
    }

    private void send() {
        long began = timers.nanos();
        while (!unsent.isEmpty()) {
            Vote vote = unsent.peek();
            Long score = scores.get(vote.article.id());
            if (score == null || vote.next == vote.streams.size()) {
                unsent.remove();
                continue;
            }
            Subscriber stream = vote.streams.get(vote.next++);
            stream.vote(vote.event, dialect -> vote.frames.computeIfAbsent(dialect, any -> frame(any, vote, score)));
            if (timers.nanos() - began >= TURN_NANOS_MAX) {
                timers.nextTurn(() -> goOn(() -> {}));
                return;
            }
        }
        end();
    }

    private static Buffer frame(Dialect dialect, Vote vote, long score) {
        Status article = vote.article;
        return dialect.vote(article.id(), article.authorId(), Article.votes(article.id(), score), score);
    }

    private void end() {
        unsent.clear();
        underWay = false;
        if (streams.isEmpty()) {
            waiting.clear();
        }
        read();
    }
}
