/** Handlers that fill homes, take deleted statuses out of them and let authors change between push and pull. */
package io.fanfare.worker.feed;
