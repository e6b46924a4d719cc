package io.fanfare.bench.replay;

import java.util.HashSet;
import java.util.List;
import java.util.Set;

/** Compares what the firehose brought with what was acknowledged. One thread. */
final class StreamCheck {
    private final Firehose firehose;
    private final Ledger ledger;

    StreamCheck(Firehose firehose, Ledger ledger) {
        this.firehose = firehose;
        this.ledger = ledger;
    }

    /** Whether every acknowledged post has come. */
    boolean isComplete() {
        return arrived() == ledger.acknowledgedCount();
    }

    /** How many of the acknowledged posts have come. */
    int arrived() {
        int arrived = 0;
        for (int post = 0; post < ledger.posts(); post++) {
            if (ledger.id(post) != 0 && firehose.arrivedNanos(ledger.id(post)) != 0) {
                arrived++;
            }
        }
        return arrived;
    }

    /**
     * Notes what did not come, what came of these people that nobody acknowledged, and what was wrong with the stream
     * itself.
     */
    void compare(List<Person> people, Differences differences) {
        for (int post = 0; post < ledger.posts(); post++) {
            if (ledger.id(post) != 0 && firehose.arrivedNanos(ledger.id(post)) == 0) {
                differences.add("the stream did not bring status " + ledger.id(post) + " (post " + post + ")");
            }
        }
        Set<Long> ours = new HashSet<>();
        people.forEach(person -> ours.add(person.id()));
        firehose.authors().forEach((id, author) -> {
            if (ours.contains(author) && ledger.post(id) < 0) {
                differences.add("the stream brought status " + id + " of ours that was never acknowledged");
            }
        });
        differences.addAll(firehose.differences());
    }
}
