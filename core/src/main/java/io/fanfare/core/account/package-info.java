/** The networks from which accounts signed up. */
package io.fanfare.core.account;
