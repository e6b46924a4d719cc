/** The verification of what a test leaves in Redis. */
package io.fanfare.verify.testing;
