package io.fanfare.client;

import io.fanfare.client.error.ProtocolException;
import io.fanfare.client.http.Answer;
import io.fanfare.client.http.Call;
import io.fanfare.client.http.Json;
import io.fanfare.client.http.Transport;
import java.util.ArrayDeque;
import java.util.Iterator;
import java.util.NoSuchElementException;
import java.util.stream.Stream;
import java.util.stream.StreamSupport;

/** A list that the server sends in pages. An iterator and {@link #stream} request a page when they need it. */
public final class Pages<T> implements Iterable<T> {
    private final Transport transport;
    private final String path;
    private final String query;
    private final Class<T> type;

    Pages(Transport transport, String path, String query, Class<T> type) {
        this.transport = transport;
        this.path = path;
        this.query = query;
        this.type = type;
    }

    /** Requests the first page. */
    public Page<T> first() {
        return request(query);
    }

    /** All items, page by page, until the last page; limit it. */
    public Stream<T> stream() {
        return StreamSupport.stream(spliterator(), false);
    }

    /** All items, page by page, until the last page. */
    @Override
    public Iterator<T> iterator() {
        return new Items();
    }

    Page<T> request(String ofPage) {
        Answer answer = transport.send(Call.get(ofPage.isEmpty() ? path : path + "?" + ofPage));
        return new Page<>(
                Json.readList(answer.body(), type),
                answer.link("next").orElse(null),
                answer.link("prev").orElse(null),
                this);
    }

    private final class Items implements Iterator<T> {
        private final ArrayDeque<T> items = new ArrayDeque<>();
        private String next = query;

        @Override
        public boolean hasNext() {
            while (items.isEmpty() && next != null) {
                Page<T> page = request(next);
                if (next.equals(page.nextQuery())) {
                    throw new ProtocolException("the server names a page of " + path + " as its own next page");
                }
                items.addAll(page.items());
                next = page.nextQuery();
            }
            return !items.isEmpty();
        }

        @Override
        public T next() {
            if (!hasNext()) {
                throw new NoSuchElementException("the list has ended");
            }
            return items.remove();
        }
    }
}
