package io.fanfare.app.console;

/**
 * Who asks.
 *
 * @param session its name in the log, which is no secret; {@code token} for a program that sends the token itself
 */
record Caller(Role role, String session) {}
