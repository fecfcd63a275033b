export { getSecurity } from './get-security.ts';
