// The rules of the JavaScript. .ci/scripts copies this file beside the packages and runs it in the root of the sources.
import js from "@eslint/js";
import globals from "globals";

export default [
  js.configs.recommended,
  {
    linterOptions: { reportUnusedDisableDirectives: "error" },
    rules: {
      eqeqeq: "error",
      "no-eval": "error",
      "no-implied-eval": "error",
      "no-new-func": "error",
      "no-self-compare": "error",
      "no-template-curly-in-string": "error",
      // A variable of this name says so itself, as in Java. The rest of an object leaves out the properties before it.
      "no-unused-vars": ["error", { ignoreRestSiblings: true, varsIgnorePattern: "^unused$" }],
      "no-var": "error",
      "prefer-const": ["error", { destructuring: "all" }],
    },
  },
  { files: ["web/**/*.js"], languageOptions: { globals: globals.browser } },
  { files: ["web/**/worker.js"], languageOptions: { globals: globals.serviceworker } },
  { files: ["web/**/proof.js"], languageOptions: { globals: globals.worker } },
  {
    files: ["api/**/docs/*.js"],
    languageOptions: { sourceType: "script", globals: { ...globals.browser, SwaggerUIBundle: "readonly" } },
  },
  // Playwright runs functions of these scripts in the browser.
  { files: ["app/**/*.mjs"], languageOptions: { globals: { ...globals.node, ...globals.browser } } },
  { files: ["checks/site/theme/*.js"], languageOptions: { globals: globals.browser } },
  { files: ["bench/**/*.mjs", "checks/**/*.js", "clients/**/*.mjs"], languageOptions: { globals: globals.node } },
];
