package io.fanfare.junit5;

import io.fanfare.client.Fanfare;
import io.fanfare.client.stream.Batch;
import io.fanfare.client.stream.EventStream;
import io.fanfare.client.stream.Filter;
import io.fanfare.client.stream.StreamBuilder;
import java.nio.file.Path;
import java.time.Duration;

/** Stores the events of a stream in a {@link Ledger}; as a program it is killed by its tests. */
final class Consumer {
    /** Long enough for a heartbeat of 300 ms on a busy machine. */
    static final Duration SILENCE_MAX = Duration.ofSeconds(3);

    private Consumer() {}

    /** The arguments are the address, a token, the file, and a phrase or {@code -} for the firehose. */
    public static void main(String[] arguments) {
        Path file = Path.of(arguments[2]);
        Fanfare client = Fanfare.at(arguments[0]).token(arguments[1]).build();
        try (Ledger ledger = new Ledger(file);
                EventStream stream = stream(client, arguments[3])
                        .from(Ledger.cursor(file))
                        .onReconnect(System.out::println)
                        .open()) {
            for (Batch batch : stream) {
                ledger.store(batch);
            }
        }
    }

    static StreamBuilder stream(Fanfare client, String phrase) {
        StreamBuilder stream = phrase.equals("-") ? client.firehose() : client.stream(Filter.track(phrase));
        return stream.silenceMax(SILENCE_MAX);
    }
}
