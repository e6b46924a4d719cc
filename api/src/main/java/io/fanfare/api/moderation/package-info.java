/** Moderation by accounts that have a role: roles, the log of acts, accounts and reports. */
package io.fanfare.api.moderation;
