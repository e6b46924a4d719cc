/**
 * Admission to streams: who may open one and for how long, by tickets, limits of connections and openings, revoked and
 * expired tokens. {@link io.fanfare.stream.access.StreamAdmission} is the entry.
 */
package io.fanfare.stream.access;
