/** The guess of a post's language, off by default. */
package io.fanfare.core.language;
