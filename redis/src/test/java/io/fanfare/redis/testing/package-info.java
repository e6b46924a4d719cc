/** Servers, faults and clocks of tests, for every module. They know nothing of posts and accounts. */
package io.fanfare.redis.testing;
