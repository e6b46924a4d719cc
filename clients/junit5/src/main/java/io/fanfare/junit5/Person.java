package io.fanfare.junit5;

import io.fanfare.client.Fanfare;
import io.fanfare.client.model.Relationship;
import io.fanfare.client.model.Status;
import java.util.List;

/**
 * An account on a {@link LocalServer}, and a client with its token.
 *
 * @param id of the account
 */
public record Person(LocalServer server, String name, String id, String token, Fanfare client) {
    /** Follows another person. */
    public Relationship follow(Person other) {
        return client.accounts().follow(other.id());
    }

    /** Posts a public status. */
    public Status post(String text) {
        return client.statuses().post(text);
    }

    /** The first page of the home, newest first. */
    public List<Status> home() {
        return client.timelines().home().first().items();
    }

    /** Waits until the home shows the status: the server delivers through its queue. */
    public void awaitInHome(Status status) {
        server.await("the home of " + name + " shows the status " + status.id(), () -> shows(status));
    }

    /** Waits until the home does not show the status, as after a delete or an unfollow. */
    public void awaitNotInHome(Status status) {
        server.await("the home of " + name + " no longer shows the status " + status.id(), () -> !shows(status));
    }

    private boolean shows(Status status) {
        return home().stream().anyMatch(shown -> shown.id().equals(status.id()));
    }

    /** Its name; a token does not belong in the output of a test. */
    @Override
    public String toString() {
        return "@" + name;
    }
}
