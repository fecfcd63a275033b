export { ClockFollower } from './clock-follower.ts';
export { ownerOrder } from './installation.schema.ts';
export { listAllProjects } from './list-all-projects.ts';
export { listOwners } from './list-owners.ts';
export { listUsers } from './list-users.ts';
export { rotateSecrets } from './rotate-secrets.ts';
export { withDatabase, withScratchDatabase } from './scratch.store.ts';
export { type Snapshot, serverVersion, withSnapshot } from './snapshot.store.ts';
