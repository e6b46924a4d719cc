/**
 * Access tokens, their scopes, and the access to an account.
 *
 * <p>{@link io.fanfare.common.auth.Tokens} issues, verifies and revokes; {@link io.fanfare.common.auth.Scopes} are
 * those of the Mastodon API. Nothing here logs a secret or a token. To add a scope: {@code Scopes}.
 */
package io.fanfare.common.auth;
