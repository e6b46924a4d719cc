/** Subscriptions to Web Push. */
package io.fanfare.api.push;
