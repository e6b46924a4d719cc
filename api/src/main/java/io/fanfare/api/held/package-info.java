/** Posts that wait for a moderator: for their authors, and for moderators. */
package io.fanfare.api.held;
