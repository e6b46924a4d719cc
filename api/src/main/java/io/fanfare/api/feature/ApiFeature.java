package io.fanfare.api.feature;

import io.fanfare.api.endpoint.Endpoint;
import io.vertx.core.Future;
import java.util.List;
import java.util.Optional;
import java.util.function.Supplier;

/** A feature of the API on one event loop. Confined to it. */
public interface ApiFeature {
    /** Its lines of the route table, in any order: {@code RouteOrder} sorts those of all features. */
    List<Endpoint> endpoints();

    /** Reads what requests must not wait for; called before the first one. Never fails. */
    default Future<Void> start() {
        return Future.succeededFuture();
    }

    /** Finishes what it does by itself; called when no request is under way any more. Never fails. */
    default Future<Void> close() {
        return Future.succeededFuture();
    }

    /** The maker of profile pictures, if this is the feature that has it. */
    default Optional<ProfilePictures> profilePictures() {
        return Optional.empty();
    }

    /** The checks that a sign-up passes, in any order. */
    default List<SignUpCheck> signUpChecks() {
        return List.of();
    }

    /** The second factors of accounts, if this is the feature that has them. */
    default Optional<SecondFactors> secondFactors() {
        return Optional.empty();
    }

    /** The published rules and texts, if this is the feature that has them. */
    default Optional<SiteFacts> siteFacts() {
        return Optional.empty();
    }

    /** The public key of Web Push, if this feature offers it. The first call is slow: not for the composition. */
    default Optional<Supplier<String>> vapidKey() {
        return Optional.empty();
    }
}
