/** The erasure of a deleted account, in steps that a job can repeat. */
package io.fanfare.worker.account;
