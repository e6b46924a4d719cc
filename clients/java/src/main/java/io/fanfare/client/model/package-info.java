/** The entities of the API as records, with the fields of {@code openapi.yaml} in camel case. */
package io.fanfare.client.model;
