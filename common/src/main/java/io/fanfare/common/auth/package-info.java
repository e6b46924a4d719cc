/**
 * Identification: passwords, access tokens and the rights of a token.
 *
 * <p>{@link io.fanfare.common.auth.Passwords} hashes on a pool of its own, {@link io.fanfare.common.auth.Tokens}
 * issues, verifies and revokes, {@link io.fanfare.common.auth.Scopes} are the words of the Mastodon API. Nothing here
 * logs a password, a secret or a token, and nothing distinguishes an unknown user from a wrong password. To add a
 * scope: {@code Scopes}; to change how passwords are hashed: the settings, old hashes are made again when their users
 * log in.
 */
package io.fanfare.common.auth;
