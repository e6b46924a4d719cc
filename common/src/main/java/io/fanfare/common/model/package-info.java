/**
 * The domain's values: immutable records that know neither Redis nor HTTP. Impossible values are refused when a record
 * is made.
 */
package io.fanfare.common.model;
