/** Second factors: codes by time, recovery codes, and the record of an account that has them. */
package io.fanfare.core.factor;
