import { nodeTypes } from '@postrider/core/insight/search';
import { builder } from './builder.ts';

/** A record of any type, as resolvers of the interface return it. */
export interface NodeRecord {
  id: string;
  __typename: string;
}

/** The global object identification of Relay: ids are unique over all types. */
export const Node = builder.interfaceRef<NodeRecord>('Node').implement({
  description: 'A record that can be read by its id alone.',
  fields: (t) => ({ id: t.exposeID('id', { description: 'Id of the record, unique over all types.' }) }),
});

const implementing: ReadonlySet<string> = new Set(nodeTypes);

/** What an object type of this name implements. */
export const interfacesOf = (name: string): (typeof Node)[] => (implementing.has(name) ? [Node] : []);
