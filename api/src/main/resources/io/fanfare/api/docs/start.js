// A file of its own, since the page's policy allows no script inside it.
SwaggerUIBundle({
  url: '/openapi.yaml',
  dom_id: '#docs',
  deepLinking: true,
  docExpansion: 'none',
  defaultModelsExpandDepth: 0,
  // Tokens stay in the page: nothing is stored, nothing is asked of other servers.
  persistAuthorization: false,
  validatorUrl: null,
});
