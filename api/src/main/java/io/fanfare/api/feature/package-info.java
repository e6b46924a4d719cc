/**
 * What a feature of the API names: its routes, what it reads before the first request, and what it does at the end. A
 * feature has one class {@code ...Feature} in its folder, made of an {@link io.fanfare.api.feature.ApiLoop}; the list
 * of all of them is {@code ApiFeatures}.
 */
package io.fanfare.api.feature;
