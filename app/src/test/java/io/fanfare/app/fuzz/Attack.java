package io.fanfare.app.fuzz;

import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;

/**
 * The actions of one hostile client on one connection.
 *
 * @param generator what made it
 * @param what it is, for reports: enough to make it again by hand
 * @param steps in order
 * @param expectation what the server owes the client
 */
record Attack(String generator, String what, List<Step> steps, Expectation expectation) {
    private static final int SHOWN_BYTES = 200;

    /** The response that the server owes. */
    enum Expectation {
        /** An answer, or the end of the connection. */
        ANSWER,
        /** The head of an answer: what follows may have no end. */
        HEAD,
        /** Nothing: the request is incomplete, or the client does not wait. */
        NOTHING
    }

    /** A part of it. */
    sealed interface Step {}

    /**
     * Bytes.
     *
     * @param segment how many go into each write
     */
    @SuppressWarnings("ArrayRecordComponent") // Nothing compares attacks.
    record Send(byte[] bytes, int segment) implements Step {}

    /** Waits for the head of an answer, such as a 101. */
    record AwaitHead() implements Step {}

    /** Says nothing for a while. */
    record Pause(long millis) implements Step {}

    /** Sends nothing more, and goes on reading. */
    record HalfClose() implements Step {}

    /** Ends the connection with a RST. */
    record Reset() implements Step {}

    Attack {
        steps = List.copyOf(steps);
    }

    static Attack of(String generator, String what, Expectation expectation, byte[] bytes) {
        return new Attack(generator, what, List.of(new Send(bytes, Integer.MAX_VALUE)), expectation);
    }

    /** How many bytes the server receives. */
    long bytes() {
        long bytes = 0;
        for (Step step : steps) {
            bytes += step instanceof Send send ? send.bytes().length : 0;
        }
        return bytes;
    }

    boolean isHead() {
        return beginning().startsWith("HEAD ");
    }

    /** The same HEAD as a GET. */
    Attack asGet() {
        List<Step> changed = new ArrayList<>(steps);
        Send first = (Send) steps.get(0);
        byte[] get = first.bytes().clone();
        // An empty line may stand before a request, so that the length stays the same.
        System.arraycopy("\nGET".getBytes(StandardCharsets.US_ASCII), 0, get, 0, 4);
        changed.set(0, new Send(get, first.segment()));
        return new Attack(generator, what, changed, expectation);
    }

    /** The first bytes of it, printable. */
    String beginning() {
        StringBuilder shown = new StringBuilder();
        for (Step step : steps) {
            if (step instanceof Send send && shown.length() < SHOWN_BYTES) {
                int length = Math.min(send.bytes().length, SHOWN_BYTES - shown.length());
                shown.append(new String(send.bytes(), 0, length, StandardCharsets.ISO_8859_1));
            }
        }
        return shown.toString().replace("\r", "\\r").replace("\n", "\\n").replaceAll("[^\\x20-\\x7e]", ".");
    }
}
