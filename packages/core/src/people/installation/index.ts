export { noteBackup } from './backup.store.ts';
export { type CheckedSecret, checkSecrets } from './check-secrets.ts';
export { ClockFollower } from './clock-follower.ts';
export { countLost, type LostSecrets } from './count-lost.ts';
export { readEpoch, setHold } from './epoch.store.ts';
export { ownerOrder } from './installation.schema.ts';
export { joinInstallation, type Membership } from './join-installation.ts';
export { listAllProjects } from './list-all-projects.ts';
export { listOwners } from './list-owners.ts';
export { listUsers } from './list-users.ts';
export { findProcesses, forgetProcesses, type LivingProcess } from './processes.store.ts';
export { rotateSecrets } from './rotate-secrets.ts';
export { withDatabase, withScratchDatabase } from './scratch.store.ts';
export {
  type Recovery,
  readInstalledState,
  readRecovery,
  readServer,
  readStreaming,
  readSystemId,
  readWalMoment,
  refusalOfCopy,
  reserveWal,
  type ServerFacts,
  type StreamingSettings,
  type WalMoment,
} from './server.store.ts';
export { type Snapshot, serverVersion, withSnapshot } from './snapshot.store.ts';
export { findStandby, untilReplayed } from './standby.store.ts';
export { resumeInstallation, stopInstallation } from './stop.store.ts';
export { analyze, readTarget } from './target.store.ts';
