/**
 * Changes of the follow graph that touch more than one slot: follows, blocks and mutes, and the lists, filters and
 * followed tags whose change rewrites a home.
 *
 * <p>Each change is a sequence of scripts of one slot each, and every step is idempotent. The first step stores a
 * repair job with the change, and a worker runs the remaining steps when the request could not. So a request of the API
 * and its repair job run the same code.
 */
package io.fanfare.core.graph;
