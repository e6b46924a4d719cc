/**
 * Who may open a stream and for how long: tickets, limits of connections and openings, revoked and expired tokens.
 * {@link io.fanfare.stream.access.StreamAdmission} is the entry.
 */
package io.fanfare.stream.access;
