export { type DeliveryOptions, defaultDeliveryOptions } from './delivery-options.ts';
export { DeliveryRuntime } from './delivery-runtime.ts';
export { configuredRoute, type Route } from './route.ts';
