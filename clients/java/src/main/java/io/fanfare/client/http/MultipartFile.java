package io.fanfare.client.http;

import java.io.FileNotFoundException;
import java.io.UncheckedIOException;
import java.net.http.HttpRequest.BodyPublisher;
import java.net.http.HttpRequest.BodyPublishers;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.concurrent.Flow;
import java.util.function.LongConsumer;

/**
 * A form with one file and its description, which is read from the disk while it is sent (RFC 7578).
 *
 * @param boundary random, so that no file has it
 */
public record MultipartFile(Path file, String description, LongConsumer progress, String boundary) {
    public static MultipartFile of(Path file, String description, LongConsumer progress, String boundary) {
        return new MultipartFile(file, description, progress, boundary);
    }

    public String contentType() {
        return "multipart/form-data; boundary=" + boundary;
    }

    /** For one attempt. */
    public BodyPublisher publisher() {
        String name = String.valueOf(file.getFileName()).replaceAll("[\"\\\\\\p{Cntrl}]", "_");
        String head = "--" + boundary + "\r\nContent-Disposition: form-data; name=\"description\"\r\n\r\n" + description
                + "\r\n--" + boundary + "\r\nContent-Disposition: form-data; name=\"file\"; filename=\"" + name
                + "\"\r\nContent-Type: application/octet-stream\r\n\r\n";
        try {
            BodyPublisher whole = BodyPublishers.concat(
                    BodyPublishers.ofString(head, StandardCharsets.UTF_8),
                    BodyPublishers.ofFile(file),
                    BodyPublishers.ofString("\r\n--" + boundary + "--\r\n"));
            return new Counted(whole, progress);
        } catch (FileNotFoundException gone) {
            throw new UncheckedIOException(gone);
        }
    }

    private record Counted(BodyPublisher whole, LongConsumer progress) implements BodyPublisher {
        @Override
        public long contentLength() {
            return whole.contentLength();
        }

        @Override
        public void subscribe(Flow.Subscriber<? super ByteBuffer> subscriber) {
            whole.subscribe(new Flow.Subscriber<>() {
                private long sent;

                @Override
                public void onSubscribe(Flow.Subscription subscription) {
                    subscriber.onSubscribe(subscription);
                }

                @Override
                public void onNext(ByteBuffer bytes) {
                    sent += bytes.remaining();
                    progress.accept(sent);
                    subscriber.onNext(bytes);
                }

                @Override
                public void onError(Throwable cause) {
                    subscriber.onError(cause);
                }

                @Override
                public void onComplete() {
                    subscriber.onComplete();
                }
            });
        }
    }
}
