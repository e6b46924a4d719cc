/**
 * Web Push (RFC 8030, 8188, 8291, 8292) without the network: the key pair of the server, what messages look like, and
 * where they may go. To send one: {@code PushSender} of the worker.
 */
package io.fanfare.core.push;
