/** Articles: publishing, votes, the ranked lists and the names of their groups. */
package io.fanfare.api.article;
