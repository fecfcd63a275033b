export { closing, follow } from './follow.ts';
export { LiveHub } from './live-hub.ts';
export { topics } from './topics.ts';
