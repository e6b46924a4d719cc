package io.fanfare.common.model;

/**
 * One entry of a followers or following list: the other account, and the id of the edge (unique, time-ordered: it has
 * the order and the time of the follow).
 */
public record Edge(long accountId, long edgeId) {}
