/** The erasure of a deleted account: its handler, in steps that a job can repeat. */
package io.fanfare.worker.account;
