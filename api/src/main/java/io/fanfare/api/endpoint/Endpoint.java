package io.fanfare.api.endpoint;

import io.fanfare.common.store.SiteSwitches.Switch;
import io.vertx.core.Future;
import io.vertx.core.http.HttpMethod;
import java.util.Set;
import java.util.function.Supplier;

/**
 * One line of the route table. A path's variable part, if it has one, is {@code :id}; a second one is {@code :name}.
 *
 * @param body whether openapi.yaml has one; where it has none, a short one is no mistake
 * @param limit what is counted besides the request itself; {@code REQUESTS} = nothing, {@code NONE} = not even that
 * @param files which a multipart body may have
 * @param hashes whether it may hash a password, which gives it more time: {@code auth.hash-timeout}
 * @param despite the switches of the site under which it still works. {@code MEMBERS_ONLY}: it describes the site or
 *     lets people in, and needs no account. {@code READ_ONLY}: it logs in or out, or ends sessions
 */
public record Endpoint(
        HttpMethod method,
        String path,
        Access access,
        Action action,
        boolean body,
        RateLimit limit,
        Files files,
        boolean hashes,
        Set<Switch> despite) {
    /** Files of a multipart body. */
    public enum Files {
        NONE,
        PICTURES,
        /** Pictures, videos and sounds. */
        ANY
    }

    /**
     * The work of an endpoint. {@code Problems} answers the exceptions that it throws, and the failures of its future.
     */
    @FunctionalInterface
    public interface Action {
        Future<Answer> answer(Call call);
    }

    private static Endpoint of(HttpMethod method, String path, Access access, Action action, boolean body) {
        return new Endpoint(
                method,
                path,
                access,
                action,
                body,
                RateLimit.REQUESTS,
                Files.NONE,
                /* hashes= */ false,
                /* despite= */ Set.of());
    }

    public static Endpoint get(String path, Access access, Action action) {
        return of(HttpMethod.GET, path, access, action, /* body= */ false);
    }

    /**
     * An answer that is always the same, for anybody: costs nothing, is compressed once, and is not counted. Of one
     * event loop.
     */
    public static Endpoint constant(String path, Answer answer) {
        Answer kept = answer.kept();
        return constant(path, () -> kept);
    }

    /** The same of a few {@link Answer#kept} answers, one of which is chosen at each request. */
    public static Endpoint constant(String path, Supplier<Answer> kept) {
        return get(path, Access.OPEN, call -> Future.succeededFuture(kept.get()))
                .within(RateLimit.NONE);
    }

    public static Endpoint post(String path, Access access, Action action) {
        return of(HttpMethod.POST, path, access, action, /* body= */ true);
    }

    public static Endpoint put(String path, Access access, Action action) {
        return of(HttpMethod.PUT, path, access, action, /* body= */ true);
    }

    public static Endpoint patch(String path, Access access, Action action) {
        return of(HttpMethod.PATCH, path, access, action, /* body= */ true);
    }

    public static Endpoint delete(String path, Access access, Action action) {
        return of(HttpMethod.DELETE, path, access, action, /* body= */ false);
    }

    /** The same, counted against this limit too. */
    public Endpoint within(RateLimit other) {
        return new Endpoint(method, path, access, action, body, other, files, hashes, despite);
    }

    /** The same, whose body may have pictures. */
    public Endpoint withPictures() {
        return new Endpoint(method, path, access, action, body, limit, Files.PICTURES, hashes, despite);
    }

    /** The same, whose body may have pictures, videos and sounds. */
    public Endpoint withFiles() {
        return new Endpoint(method, path, access, action, body, limit, Files.ANY, hashes, despite);
    }

    /** The same, whose body is read: some clients send the parameters of a DELETE so. */
    public Endpoint withBody() {
        return new Endpoint(method, path, access, action, /* body= */ true, limit, files, hashes, despite);
    }

    /** The same, whose body is not read. */
    public Endpoint withoutBody() {
        return new Endpoint(method, path, access, action, /* body= */ false, limit, files, hashes, despite);
    }

    /** The same, which may hash a password. */
    public Endpoint hashing() {
        return new Endpoint(method, path, access, action, body, limit, files, /* hashes= */ true, despite);
    }

    /** The same, which these switches of the site do not close. */
    public Endpoint despite(Switch... switches) {
        return new Endpoint(method, path, access, action, body, limit, files, hashes, Set.of(switches));
    }

    /** Whether the answer is always the same: nothing of the request is looked at. */
    public boolean isConstant() {
        return limit == RateLimit.NONE;
    }
}
