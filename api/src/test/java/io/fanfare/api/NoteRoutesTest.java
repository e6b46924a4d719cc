package io.fanfare.api;

import static org.assertj.core.api.Assertions.assertThat;

import io.fanfare.api.ApiServer.Response;
import io.fanfare.api.ApiServer.User;
import io.fanfare.api.account.Notes;
import io.fanfare.common.keyspace.Keys;
import java.util.HashMap;
import java.util.Map;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.BeforeParameterizedClassInvocation;

class NoteRoutesTest extends OnEveryRedis {
    private static User ann;
    private static User bob;

    @BeforeParameterizedClassInvocation
    static void people() {
        ann = api.signUp("ann");
        bob = api.signUp("bob");
    }

    private static Response note(User of, String about, String text) {
        return api.post("/api/v1/accounts/" + about + "/note", of.token(), "comment", text);
    }

    private static String noteOf(User of, String about) {
        return api.get("/api/v1/accounts/relationships?id[]=" + about, of.token())
                .text("/0/note");
    }

    @Test
    void aNoteIsInEveryRelationshipOfWhoMadeItAndOfNobodyElse() {
        assertThat(note(ann, bob.id(), "met at a fair").text("/note")).isEqualTo("met at a fair");
        assertThat(noteOf(ann, bob.id())).isEqualTo("met at a fair");
        assertThat(noteOf(bob, ann.id())).isEmpty();
        api.follow(ann, bob);
        assertThat(api.post("/api/v1/accounts/" + bob.id() + "/mute", ann.token())
                        .text("/note"))
                .isEqualTo("met at a fair");

        assertThat(note(ann, bob.id(), " ").text("/note")).isEmpty();
        assertThat(noteOf(ann, bob.id())).isEmpty();
        assertThat(redis.keys()).doesNotContain(Keys.notes(Long.parseLong(ann.id())));
    }

    @Test
    void nobodyNotesAnythingAboutNobody() {
        assertThat(note(ann, "4711", "who?").status()).isEqualTo(404);
    }

    @Test
    void notesHaveALengthAndAnEnd() {
        User cat = api.signUp("cat");
        assertThat(note(cat, bob.id(), "\uD83D\uDE00".repeat(2000)).status()).isEqualTo(200);
        assertThat(note(cat, bob.id(), "x".repeat(2001)).status()).isEqualTo(422);
        String notes = Keys.notes(Long.parseLong(cat.id()));
        for (int i = 1; i < Notes.MAX; i++) {
            redis.askAt(notes, "HSET", notes, "" + i, "x");
        }
        Response more = note(cat, ann.id(), "one more");
        assertThat(more.status()).isEqualTo(422);
        assertThat(more.text("/error")).contains("empty one first");
        assertThat(note(cat, bob.id(), "another").status()).as("in its place").isEqualTo(200);
        assertThat(note(cat, bob.id(), "").status()).isEqualTo(200);
        assertThat(note(cat, ann.id(), "one more").status()).isEqualTo(200);
    }

    @Test
    void notesAreThoseOfASimpleMapWhateverIsNoted() {
        long seed = new Random().nextLong();
        Random random = new Random(seed);
        User dan = api.signUp("dan");
        Map<String, String> model = new HashMap<>();
        for (int step = 0; step < 100; step++) {
            String about = (random.nextBoolean() ? ann : bob).id();
            String text = random.nextInt(3) == 0 ? "" : "note " + step + " <b>&";
            assertThat(note(dan, about, text).text("/note")).as("seed %d", seed).isEqualTo(text);
            model.put(about, text);
            String account = (random.nextBoolean() ? ann : bob).id();
            assertThat(noteOf(dan, account)).as("seed %d", seed).isEqualTo(model.getOrDefault(account, ""));
        }
    }
}
