/** MCP server over the operations of a Postrider project. */
export const name = '@postrider/mcp';
