/** Notifications: pages, groups, the policy of a user, requests of accounts that the policy filters, and markers. */
package io.fanfare.api.notification;
