// A file of its own, since the page's policy allows no script inside it.
SwaggerUIBundle({
  // Beside this folder, wherever a proxy may have put it.
  url: new URL("../openapi.yaml", document.currentScript.src).href,
  dom_id: "#docs",
  deepLinking: true,
  docExpansion: "none",
  defaultModelsExpandDepth: 0,
  // Tokens stay in the page: nothing is stored, nothing is asked of other servers.
  persistAuthorization: false,
  validatorUrl: null,
});
