export { createOutgoingHttp } from './outgoing-http.ts';
