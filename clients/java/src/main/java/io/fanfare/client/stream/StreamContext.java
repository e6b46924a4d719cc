package io.fanfare.client.stream;

import io.fanfare.client.http.Refusals;
import io.fanfare.client.http.Transport;
import java.net.URI;
import java.net.http.HttpClient;
import java.util.List;
import java.util.function.Function;
import java.util.function.LongSupplier;
import java.util.function.Supplier;
import java.util.random.RandomGenerator;

/**
 * The parts of a client that its streams use.
 *
 * @param servers of one installation, used in turn; called before each connection
 * @param token of each connection; empty = none
 * @param nanos a clock that only rises
 * @param callsTo makes calls to one server
 */
public record StreamContext(
        HttpClient http,
        Supplier<List<URI>> servers,
        Supplier<String> token,
        Refusals refusals,
        RandomGenerator random,
        LongSupplier nanos,
        Function<URI, Transport> callsTo) {}
