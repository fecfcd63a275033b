export { assertCustomEvent } from './assert-custom-event.ts';
export { eventName, isReservedEvent } from './events.schema.ts';
export { setEventInterests } from './events.store.ts';
export { trackEvent } from './track-event.ts';
