export { findFaults } from './find-faults.ts';
