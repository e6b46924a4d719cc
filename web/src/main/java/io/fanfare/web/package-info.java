/**
 * The files and pages for browsers: the scripts, styles and words of the web client as they lie in the resources, and
 * the HTML that the server renders around public entities of the API. Knows neither requests nor stores; the API mounts
 * it.
 */
package io.fanfare.web;
