/**
 * Sign-ups, passwords, logins, tokens and the authorization page (OAuth 2, RFC 6749; PKCE, RFC 7636; metadata, RFC
 * 8414).
 *
 * <p>{@link io.fanfare.api.oauth.Passwords} hashes on a pool of its own, and logs no password. The settings change how
 * it hashes; it renews an old hash when its user logs in.
 */
package io.fanfare.api.oauth;
