export { listAllProjects } from './list-all-projects.ts';
export { listUsers } from './list-users.ts';
export { type RotatedColumn, rotateSecrets } from './rotate-secrets.ts';
