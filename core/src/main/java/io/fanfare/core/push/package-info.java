/**
 * Subscriptions to Web Push (RFC 8030, 8291): the keys of clients, the addresses that messages may go to, and the
 * sealed tokens that messages contain. {@code PushSender} of the worker sends the messages.
 */
package io.fanfare.core.push;
