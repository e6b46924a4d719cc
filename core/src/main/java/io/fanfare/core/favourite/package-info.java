/** Favourites and bookmarks: their counts, their notifications and the pages of what an account saved. */
package io.fanfare.core.favourite;
