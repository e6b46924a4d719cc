package io.fanfare.core.moderation;

import io.fanfare.common.keyspace.Keys;
import io.fanfare.common.model.Refusal;
import io.fanfare.core.moderation.Act.Actor;
import io.fanfare.core.moderation.Act.Via;
import io.fanfare.redis.Command;
import io.fanfare.redis.Redis;
import io.fanfare.redis.Reply;
import io.fanfare.redis.Script;
import io.vertx.core.Future;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;

/**
 * Owns {@code moderator-notes} keys: notes of moderators and operators on an account, for each other. They lie beside
 * the account and are erased with it. Each addition and removal is in the log of acts, without the text. One event
 * loop.
 */
public final class ModeratorNotes {
    /** Notes on an account. */
    public static final int MAX = 100;

    /** The longest note, characters. */
    public static final int TEXT_MAX = 2000;

    private static final String LAST = "last";
    private static final String NOBODY = "-";
    private static final Script ADD = Script.load("moderator_note_add");

    private final Redis redis;
    private final ModerationLog log;

    public ModeratorNotes(Redis redis, ModerationLog log) {
        this.redis = redis;
        this.log = log;
    }

    /**
     * A note.
     *
     * @param number of the note among those of the account
     * @param atMillis Unix time
     * @param author account; 0 = an operator
     * @param operator name of the operator; empty = an account has written it
     */
    public record Note(long number, long atMillis, long author, String operator, String text) {
        private static Note of(long number, String stored) {
            String[] words = stored.split(" ", 4);
            return new Note(
                    number,
                    Long.parseLong(words[0]),
                    Long.parseLong(words[1]),
                    words[2].equals(NOBODY) ? "" : words[2],
                    words[3]);
        }
    }

    /** All notes on an account, the newest first. One command. */
    public Future<List<Note>> all(long account) {
        return redis.send(Command.of("HGETALL", Keys.moderatorNotes(account))).map(reply -> {
            List<Reply> fields = reply.items();
            List<Note> notes = new ArrayList<>();
            for (int i = 0; i < fields.size(); i += 2) {
                if (!fields.get(i).asString().equals(LAST)) {
                    notes.add(Note.of(fields.get(i).asLong(), fields.get(i + 1).asString()));
                }
            }
            notes.sort(Comparator.comparingLong(Note::number).reversed());
            return notes;
        });
    }

    /**
     * Adds a note; its number. Fails with {@link Refusal#unknown} when there is no such account, and with
     * {@code Refusal(INVALID)} when it has {@value #MAX} notes.
     *
     * @param text not blank, at most {@value #TEXT_MAX} characters
     */
    public Future<Long> add(Actor by, long account, String text) {
        String name = by.via() == Via.API ? NOBODY : by.name().replaceAll("\\s", "_");
        return log.during(Act.on(by, "accounts.note", account, ""), () -> redis.send(ADD.call(
                        List.of(Keys.user(account), Keys.moderatorNotes(account)),
                        "",
                        by.account(),
                        name.isEmpty() ? NOBODY : name,
                        text,
                        MAX))
                .map(Reply::asLong)
                .map(number -> {
                    if (number < 0) {
                        throw Refusal.unknown();
                    }
                    if (number == 0) {
                        throw new Refusal(
                                Refusal.Reason.INVALID,
                                "The account has " + MAX + " notes: remove some that are not needed any more.");
                    }
                    return number;
                }));
    }

    /** Removes a note. Fails with {@link Refusal#unknown} when the number is unknown. */
    public Future<Void> remove(Actor by, long account, long number) {
        String key = Keys.moderatorNotes(account);
        return redis.send(Command.of("HEXISTS", key, number)).compose(there -> {
            if (there.asLong() == 0) {
                throw Refusal.unknown();
            }
            Act act = Act.on(by, "accounts.unnote", account, "").withDetail(Long.toString(number));
            return log.during(act, () -> redis.send(Command.of("HDEL", key, number)))
                    .mapEmpty();
        });
    }
}
