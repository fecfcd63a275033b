export { follow } from './follow.ts';
export { LiveHub } from './live-hub.ts';
export { openStream, ownerOfStreams } from './stream.ts';
export { topics } from './topics.ts';
export { watchLists } from './watch-lists.ts';
