export { closing, follow } from './follow.ts';
export { LiveHub } from './live-hub.ts';
export { topics } from './topics.ts';
export { watchLists } from './watch-lists.ts';
