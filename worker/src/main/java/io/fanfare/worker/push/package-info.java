/** Web Push messages: their JSON and their encryption (RFC 8291). */
package io.fanfare.worker.push;
