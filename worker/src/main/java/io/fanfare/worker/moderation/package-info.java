/** Acts of moderators on many accounts. */
package io.fanfare.worker.moderation;
