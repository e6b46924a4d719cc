/** Lists of posts that only the API reads or changes: threads, pinned posts, bookmarks. */
package io.fanfare.api.post;
