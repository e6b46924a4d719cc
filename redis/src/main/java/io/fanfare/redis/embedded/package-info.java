/**
 * Redis servers that Fanfare starts itself: for {@code up}, for tests, for measurements. Blocking, for main threads;
 * finds its own ports and reads the clock.
 */
package io.fanfare.redis.embedded;
