/** Statuses: posting, editing and deleting them, threads, reposts, quotes, favourites, bookmarks and pins. */
package io.fanfare.api.post;
