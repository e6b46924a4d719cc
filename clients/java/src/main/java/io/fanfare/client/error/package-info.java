/** The failures of calls and streams. */
package io.fanfare.client.error;
