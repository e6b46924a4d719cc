package io.fanfare.server.runtime;

/** The stage of a process in its life. */
enum Health {
    /** Not yet able to serve. */
    STARTING,
    /** At work. */
    READY,
    /** Takes nothing new, finishes what it has. */
    DRAINING
}
