/**
 * Features of an account that only the API offers: passwords, notes about others, endorsements, featured hashtags,
 * suggestions.
 *
 * <p>{@link io.fanfare.api.account.Passwords} hashes on a pool of its own, and logs no password. The settings change
 * how it hashes; it renews an old hash when its user logs in.
 */
package io.fanfare.api.account;
