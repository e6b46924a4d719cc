package io.fanfare.server.http;

import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.regex.Pattern;

/**
 * Features that Mastodon's clients have buttons for and Fanfare does not offer. Clients show the error to the person
 * who has pressed one: it must say what this server cannot do, rather than which method an address lacks.
 */
final class UnsupportedFeatures {
    /** An operation of Mastodon's API; in its path, {@code :id} stands for any segment. */
    private record Operation(Set<String> methods, Pattern path, String sentence) {
        static Operation of(String methods, String path, String sentence) {
            return new Operation(
                    Set.of(methods.split("\\|")), Pattern.compile(path.replace(":id", "[^/]+") + "/?"), sentence);
        }

        boolean matches(String method, String at) {
            return methods.contains(method) && path.matcher(at).matches();
        }
    }

    private static final List<Operation> OPERATIONS = List.of(
            Operation.of("POST", "/api/v1/statuses/:id/translate", "Posts cannot be translated on this server."),
            Operation.of(
                    "POST|DELETE",
                    "/api/v1/domain_blocks",
                    "All accounts are of this server: block the account instead."),
            Operation.of(
                    "GET|POST",
                    "/api/v[12]/admin/.*",
                    "Apps cannot do this on this server: an operator can, on the command line or at the console."));

    private UnsupportedFeatures() {}

    /** The error sentence for a request that no route answers; empty when it is none of Mastodon's operations. */
    static Optional<String> sentence(String method, String path) {
        return OPERATIONS.stream()
                .filter(operation -> operation.matches(method, path))
                .map(Operation::sentence)
                .findFirst();
    }
}
