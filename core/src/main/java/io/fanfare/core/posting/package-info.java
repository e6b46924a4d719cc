/**
 * Actions of accounts that touch more than one slot: follow, block, favourite, and what follows a post.
 *
 * <p>Each action is a sequence of scripts of one slot each, and every step is idempotent. The first step stores a
 * repair job with the change, and a worker runs the remaining steps when the request could not. So a request of the API
 * and its repair job run the same code. To add an action, add a class here and a job type (CONTRIBUTING.md).
 *
 * <p>{@link io.fanfare.common.action.LoopStores} wires the stores and actions of an event loop for every role.
 */
package io.fanfare.common.action;
