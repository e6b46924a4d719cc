package io.fanfare.common.event.body;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.fanfare.common.event.Event;
import io.fanfare.common.id.Id;
import io.fanfare.common.model.Account;
import io.fanfare.common.model.Content;
import io.fanfare.common.model.Counters;
import io.fanfare.common.model.Notification;
import io.fanfare.common.model.Post;
import io.fanfare.common.model.Reference;
import io.fanfare.common.model.Status;
import io.fanfare.common.model.Visibility;
import io.fanfare.common.view.RenderContext;
import io.fanfare.common.view.Views;
import java.io.IOException;
import java.time.Instant;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** The bodies of events, and the events around them. */
class EventBodiesTest {
    private static final ObjectMapper JSON = new ObjectMapper();
    private static final long MADE = Instant.parse("2026-01-02T03:04:05.678Z").toEpochMilli();
    private static final Account ANN =
            new Account(Id.of(MADE, 3, 0), "ann", "Ann <3", "I & you", 1, 2, 3, MADE + 86_400_000);

    private final EventBodies bodies = new EventBodies(new Views("https://social.example"));

    @Test
    void theEventOfAQuoteIsNotAsItsAuthorSeesTheOriginal() throws IOException {
        for (RenderContext.Showing own : List.of(RenderContext.Showing.MUTED, RenderContext.Showing.BLOCKED)) {
            assertThat(quoteEvent(Visibility.PUBLIC, own).at("/quote/state").asText())
                    .isEqualTo("accepted");
        }
        assertThat(quoteEvent(Visibility.PRIVATE).get("quote"))
                .as("the author's own private status")
                .isEqualTo(JSON.readTree("{\"state\":\"unauthorized\",\"quoted_status\":null}"));
    }

    @Test
    void theEventOfAQuoteShowsWhatIsForTheSameFollowersAndNothingElseThatIsPrivate() throws IOException {
        Status own = status("Hello", Visibility.PRIVATE);
        Post comment = new Post(
                ANN.id(),
                Visibility.PRIVATE,
                Post.Kind.COMMENT,
                Content.of("between us"),
                new Reference(11, 12),
                null,
                null,
                null);
        Status ofOthers = new Status(Id.of(MADE, 3, 1), comment, Counters.NONE);

        for (Status original : List.of(own, ofOthers)) {
            Status posted = passingOn(original, Post.Kind.POST, "Look");
            Status quote = new Status(posted.id(), posted.post().noWiderThan(Visibility.PRIVATE), Counters.NONE);
            Event event = bodies.posted(quote, context(Map.of(original.id(), original)));

            boolean isShown = original.equals(own);
            assertThat(JSON.readTree(event.body()).at("/quote/state").asText())
                    .isEqualTo(isShown ? "accepted" : "unauthorized");
            assertThat(event.body().contains("between us") || event.match().contains("between us"))
                    .isFalse();
            assertThat(event.body().contains("Hello")).isEqualTo(isShown);
        }
    }

    /** The body of the event of a quote. */
    private JsonNode quoteEvent(Visibility visibility, RenderContext.Showing... asItsAuthorSeesIt) throws IOException {
        Status original = status("Hello", visibility);
        Map<Long, RenderContext.Showing> hidden = new HashMap<>();
        for (RenderContext.Showing showing : asItsAuthorSeesIt) {
            hidden.put(original.id(), showing);
        }
        RenderContext context = new RenderContext(
                ANN.id(), Map.of(ANN.id(), ANN), Map.of(original.id(), original), hidden, Set.of(), Set.of(), Set.of());
        return JSON.readTree(bodies.posted(passingOn(original, Post.Kind.POST, "Look"), context)
                .body());
    }

    @Test
    void anEventIsRenderedWithoutTheStatusesDeletedSince() {
        Status original = status("Hello\u2028 <\"\ud83d\ude00\\> @bob", Visibility.PUBLIC);
        Status quote = passingOn(original, Post.Kind.POST, "Look");
        Status quoteOfIt = passingOn(quote, Post.Kind.POST, "Look there");
        List<Status> all = List.of(
                passingOn(original, Post.Kind.REPOST, ""),
                quote,
                passingOn(quote, Post.Kind.REPOST, ""),
                quoteOfIt,
                passingOn(quoteOfIt, Post.Kind.REPOST, ""),
                passingOn(quoteOfIt, Post.Kind.POST, "Look everywhere"));
        Map<Long, Status> living = Stream.of(original, quote, quoteOfIt).collect(Collectors.toMap(Status::id, s -> s));
        Notification mention = new Notification(Id.of(MADE + 9, 3, 0), Notification.Type.MENTION, ANN.id(), 0);
        for (Status status : all) {
            for (Set<Status> gone : List.of(
                    Set.of(original),
                    Set.of(quote),
                    Set.of(quoteOfIt),
                    Set.of(original, quote),
                    Set.of(original, quoteOfIt),
                    Set.of(original, quote, quoteOfIt))) {
                RenderContext before = context(living);
                Map<Long, Status> left = new HashMap<>(living);
                left.values().removeAll(gone);
                RenderContext now = context(left);
                Set<Long> deleted = gone.stream().map(Status::id).collect(Collectors.toSet());

                Event posted = bodies.posted(status, before).redacted(deleted);
                Event notified = bodies.notified(7, mention, ANN, status, null, before.seenBy(7))
                        .redacted(deleted);

                assertThat(EventBodies.rendered(posted).body())
                        .isEqualTo(bodies.posted(status, now).body());
                assertThat(EventBodies.rendered(notified).body())
                        .isEqualTo(bodies.notified(7, mention, ANN, status, null, now.seenBy(7))
                                .body());
                // One after the other comes to the same.
                Event oneByOne = bodies.posted(status, before);
                for (long each : deleted) {
                    oneByOne = EventBodies.rendered(oneByOne.redacted(Set.of(each)));
                }
                assertThat(oneByOne.body())
                        .isEqualTo(EventBodies.rendered(posted).body());
            }
        }
    }

    @Test
    void anEventListsTheStatusesInItsBody() {
        Status original = status("Hello", Visibility.PUBLIC);
        Status quote = passingOn(original, Post.Kind.POST, "Look");
        Status quoteOfIt = passingOn(quote, Post.Kind.POST, "Look there");
        RenderContext context = context(Map.of(original.id(), original, quote.id(), quote, quoteOfIt.id(), quoteOfIt));
        Notification mention = new Notification(Id.of(MADE + 9, 3, 0), Notification.Type.MENTION, ANN.id(), 0);

        assertThat(bodies.posted(original, context).embedded()).isEmpty();
        assertThat(bodies.posted(quote, context).embedded()).containsExactly(original.id());
        assertThat(bodies.posted(passingOn(quote, Post.Kind.REPOST, ""), context)
                        .embedded())
                .containsExactly(quote.id(), original.id());
        assertThat(bodies.posted(quoteOfIt, context).embedded()).containsExactly(quote.id(), original.id());
        assertThat(bodies.posted(passingOn(quoteOfIt, Post.Kind.REPOST, ""), context)
                        .embedded())
                .containsExactly(quoteOfIt.id(), quote.id(), original.id());
        assertThat(bodies.posted(passingOn(quoteOfIt, Post.Kind.POST, "Look"), context)
                        .embedded())
                .containsExactly(quoteOfIt.id(), quote.id());
        assertThat(bodies.notified(7, mention, ANN, quote, null, context).embedded())
                .containsExactly(quote.id(), original.id());
        assertThat(bodies.notified(7, mention, ANN, null, null, context).embedded())
                .isEmpty();
        assertThat(EventBodies.deleted(quote).embedded()).isEmpty();
    }

    @Test
    void aDeletionHasIdsAndNeverTheText() throws IOException {
        Event event = EventBodies.deleted(status("secret", Visibility.PRIVATE));

        assertThat(JSON.readTree(event.body()))
                .isEqualTo(JSON.readTree(
                        "{\"id\":\"" + event.subject() + "\",\"account_id\":\"" + ANN.id() + "\",\"deleted\":true}"));
        assertThat(event.kind()).isEqualTo(Event.Kind.DELETE);
        assertThat(event.visibility()).isEqualTo(Visibility.PRIVATE);
    }

    @Test
    void aFollowHasBothAccountsAndItsTime() {
        long edge = Id.of(MADE, 3, 1);

        assertThat(EventBodies.followed(7, 8, edge).body())
                .isEqualTo(
                        "{\"account_id\":\"7\",\"target_account_id\":\"8\",\"created_at\":\"2026-01-02T03:04:05.678Z\"}");
        assertThat(EventBodies.unfollowed(7, 8, edge).id()).isEqualTo("u" + edge);
    }

    @Test
    void anEventIsOneLineWhateverTheText() {
        String nasty = "a\r\n\u2028\u2029\u0000\u0085data: x\n\nevent: y\ud83d\ude00";
        Event event = bodies.posted(status(nasty, Visibility.PUBLIC), RenderContext.of(ANN));

        for (String body : List.of(event.body(), EventBodies.rendered(event).body())) {
            assertThat(body).doesNotContain("\n").doesNotContain("\r").doesNotContain("\u0000");
        }
        assertThat(event.subject()).isEqualTo(Id.of(MADE, 3, 2));
    }

    /** A repost or quote by the same author, made a millisecond later. */
    private static Status passingOn(Status original, Post.Kind kind, String text) {
        Post post =
                new Post(ANN.id(), Visibility.PUBLIC, kind, Content.of(text), null, null, Reference.to(original), null);
        return new Status(Id.of(Id.epochMillis(original.id()) + 1, 3, 2), post, Counters.NONE);
    }

    private static RenderContext context(Map<Long, Status> originals) {
        return new RenderContext(0, Map.of(ANN.id(), ANN), originals, Map.of(), Set.of(), Set.of(), Set.of());
    }

    private static Status status(String text, Visibility visibility) {
        Content content = new Content(text, "cw", true, "en", List.of(), List.of(), null);
        Post post =
                new Post(ANN.id(), visibility, Post.Kind.POST, content, new Reference(11, 12), null, null, "Tester");
        return new Status(Id.of(MADE, 3, 2), post, new Counters(4, 5, 0, 6));
    }
}
