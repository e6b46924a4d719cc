/**
 * Profiles: showing and changing them, the directory, notes about others, endorsements, suggestions and relationships.
 */
package io.fanfare.api.account;
