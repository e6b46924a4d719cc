/** The key pair with which the server signs its Web Push messages (RFC 8292). */
package io.fanfare.common.push;
