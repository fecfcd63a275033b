export { findNodes } from './find-nodes.ts';
export { type NodeType, nodeTypes } from './nodes.store.ts';
export { searchRecords } from './search-records.ts';
