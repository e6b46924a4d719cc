/** The store of scheduled posts. A scheduled post becomes one status, however often its job runs. */
package io.fanfare.core.schedule;
