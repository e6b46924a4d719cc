/** The ranked lists of articles, and the names of their groups. */
package io.fanfare.api.article;
