/** Second factors: enrolment, removal, recovery codes, and the check of codes for other features. */
package io.fanfare.api.factor;
