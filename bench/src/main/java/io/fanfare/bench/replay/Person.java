package io.fanfare.bench.replay;

/** An account that the replay made, and the token that it acts with. */
record Person(String username, long id, String token) {}
