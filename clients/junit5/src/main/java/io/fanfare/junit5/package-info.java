/** A Fanfare server for tests: {@link io.fanfare.junit5.FanfareServer}. */
package io.fanfare.junit5;
