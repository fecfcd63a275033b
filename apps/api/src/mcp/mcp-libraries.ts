/** What answers requests to `/mcp`, loaded with the first of them: the schemas of the protocol and the list of tools take some 10 MB. */
export { WebStandardStreamableHTTPServerTransport } from '@modelcontextprotocol/sdk/server/webStandardStreamableHttp.js';
export { createServer } from '@postrider/mcp/server';
export { Postrider } from '@postrider/sdk';
