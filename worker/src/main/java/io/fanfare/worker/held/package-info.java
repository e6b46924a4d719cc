/** Posts that wait for a moderator. */
package io.fanfare.worker.held;
