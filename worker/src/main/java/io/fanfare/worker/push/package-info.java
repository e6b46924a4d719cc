/** Web Push: the handler, the requests to push services, and the JSON and encryption of messages (RFC 8291). */
package io.fanfare.worker.push;
