/** What the tests of every module share: real Redis servers, and a proxy that breaks connections on purpose. */
package io.fanfare.common.testing;
