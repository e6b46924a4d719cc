package io.fanfare.app.console;

/**
 * The sender of a request.
 *
 * @param session its name in the log, which is no secret; {@code token} for a program that sends the token itself
 */
record Caller(Role role, String session) {}
