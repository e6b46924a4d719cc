/** Custom emojis of the site, and the copy of them that each event loop keeps. */
package io.fanfare.core.emoji;
