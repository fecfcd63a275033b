export { watchDatabase } from './watch-database.ts';
