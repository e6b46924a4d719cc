/** Facts about the server: its description, statistics, discovery documents and the documentation of the API. */
package io.fanfare.api.instance;
