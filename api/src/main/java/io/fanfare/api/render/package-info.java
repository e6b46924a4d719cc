/** The JSON of accounts and statuses for the viewer of a response, shared by the routes of several features. */
package io.fanfare.api.render;
