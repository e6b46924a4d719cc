/**
 * Shared by the tests of every module: real Redis servers, a proxy that breaks connections on purpose, the rules of the
 * architecture, and the choice of quick tests.
 */
package io.fanfare.common.testing;
