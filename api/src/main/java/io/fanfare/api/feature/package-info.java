/**
 * The features of the API: each names its routes, its work before the first request, and its work at the end. A feature
 * has one class {@code ...Feature} in its folder, made of an {@link io.fanfare.api.feature.ApiLoop}; the list of all of
 * them is {@code ApiFeatures}.
 */
package io.fanfare.api.feature;
