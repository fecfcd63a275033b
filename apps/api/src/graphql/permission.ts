/** What a key needs for the door as a whole; each operation has its own permission besides. */
export const graphqlPermission = 'graphql:open';
