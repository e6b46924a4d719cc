/**
 * Blocks of the whole site: networks, mail domains and user names that moderators refuse. The store owns the list; each
 * event loop keeps an index of it in memory, so that no request waits for Redis.
 */
package io.fanfare.common.siteblock;
