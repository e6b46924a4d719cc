/**
 * Votes in polls. A vote is one script in the slot of the poll's status; the count of each option never disagrees with
 * the votes.
 */
package io.fanfare.core.poll;
