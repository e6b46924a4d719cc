package io.fanfare.app.size;

/**
 * Something of which one process, master or line has only so much.
 *
 * @param one the process, master or line that has so much
 * @param isSpread whether further processes, masters or lines take a part of it
 * @param remedy a sentence for the operator
 * @param page the page that says more
 */
public record Resource(String name, String one, boolean isSpread, String remedy, String page) {
    static final Resource REDIS_MEMORY = new Resource(
            "memory of Redis",
            "a master with 10 GB of data",
            true,
            "Add masters, which share the shards; or keep posts for fewer days (archive.days).",
            "docs/operate/cluster.md");

    static final Resource REDIS_CORE = new Resource(
            "processors of Redis",
            "the core of a master",
            true,
            "Add masters; or let readers pull the posts of large authors (feeds.push-max-followers).",
            "docs/operate/push-or-pull.md");

    static final Resource CONNECTIONS = new Resource(
            "open streams",
            "a stream process (stream.connections-max)",
            true,
            "Start more stream processes; or raise stream.connections-max, which copies events fewer times.",
            "docs/scaling.md");

    static final Resource LINE = new Resource(
            "network to clients",
            "a line of 1 Gbit/s",
            true,
            "Leave http.compress-answers on, and spread api and stream processes over machines.",
            "docs/operate/proxy.md");

    static final Resource LOG = new Resource(
            "node of the event log",
            "the core of the master that has {bus}",
            false,
            "Raise stream.connections-max, so that fewer event loops read the log. No setting spreads the log.",
            "docs/scaling.md");

    static final Resource EVENTS = new Resource(
            "events of each event loop with streams",
            "its core",
            false,
            "No setting spreads the events: each of these event loops reads all of them.",
            "docs/scaling.md");

    /** The processors of a role. */
    static Resource processors(String role) {
        return new Resource(
                "processors of the role " + role,
                "a process",
                true,
                "Start more " + role + " processes.",
                "docs/operate/README.md");
    }
}
