/** Roles of accounts, and the log of the acts of moderators and operators. */
package io.fanfare.core.moderation;
