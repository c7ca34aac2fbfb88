// Stands in for Next in a bundled server: it prepares nothing and has no page.
export default () => ({
  prepare: async () => {},
  close: async () => {},
  getRequestHandler: () => async (_request, response) => {
    response.writeHead(404);
    response.end();
  },
});
