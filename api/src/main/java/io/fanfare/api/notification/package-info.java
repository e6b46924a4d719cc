/** Views of stored notifications: groups, requests of accounts that the policy filters, and markers. */
package io.fanfare.api.notification;
